import type { Cluster } from '../../components/waiting/cluster';
import type { Configuration, WorkloadPlan } from '../plan';
import { usesExistingNamespace } from '../plan';
import { applicationPath } from '../settings/places';
import type { Path, Problem } from '../settings/problem';
import type { ManagedClusters } from './managedClusters';

/**
 * Returns problems of namespaces and service accounts that the configuration names as existing but that their clusters do not
 * have. The engine would find this only when it reads them, after it has created much, and would say neither where they are
 * named nor what to do. Only a definite answer of a cluster counts. A cluster that does not exist yet has none of them and is
 * not asked.
 */
export async function inClusterProblems(
  { settings, plan }: Configuration,
  azure: ManagedClusters,
): Promise<Problem[]> {
  const found = await Promise.all(
    plan.clusters.map(async ({ settings: cluster, workloads, parts }) => {
      const wanting = [
        ...workloads
          .filter(({ application }) => usesExistingNamespace(application))
          .map((workload): Wanting => ({
            ...workload,
            path: applicationPath(settings, workload.application.name),
          })),
        ...parts.flatMap(({ path, namespaces }) =>
          namespaces
            .filter(({ existing }) => existing)
            .map(({ name }): Wanting => ({ path, namespace: name })),
        ),
      ];
      if (wanting.length > 0 && cluster.mode === 'create' && (await azure.isMissing(cluster))) {
        return wanting
          .filter(({ namespace }) => !namespace.endsWith('-system'))
          .map((wanted) => notYet(wanted, cluster.name));
      }
      return azure.ask(cluster, wanting, (objects, wanted) => missingObjects(objects, wanted, cluster.name));
    }),
  );
  return found.flat();
}

/** Objects that a namespace named as existing must contain. */
interface Wanting extends Partial<Pick<WorkloadPlan, 'serviceAccount' | 'existingServiceAccount'>> {
  readonly path: Path;
  readonly namespace: string;
}

async function missingObjects(
  objects: Cluster,
  { path, namespace, serviceAccount = '', existingServiceAccount = false }: Wanting,
  cluster: string,
): Promise<Problem[]> {
  const notThere = (field: string, name: string, where: string, command: string): Problem[] => [
    {
      path: [...path, field, 'name'],
      value: JSON.stringify(name),
      what: `does not exist in ${where}`,
      hint: `Create it there (\`kubectl create ${command}\`), or remove \`existing\` to let the stack create it.`,
    },
  ];
  if ((await objects.get({ apiVersion: 'v1', kind: 'Namespace', name: namespace })) === undefined)
    return notThere('namespace', namespace, `the cluster ${cluster}`, `namespace ${namespace}`);
  if (!existingServiceAccount) return [];
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: serviceAccount };
  if ((await objects.get(account)) !== undefined) return [];
  const where = `the namespace ${namespace} of the cluster ${cluster}`;
  const command = `serviceaccount ${serviceAccount} --namespace ${namespace}`;
  return notThere('serviceAccount', serviceAccount, where, command);
}

function notYet({ path, namespace }: Wanting, cluster: string): Problem {
  return {
    path: [...path, 'namespace', 'name'],
    value: JSON.stringify(namespace),
    what: `is marked as existing in the cluster ${cluster}, which this update would create and which is still empty`,
    hint: 'Remove `existing` to let the stack create it. Or deploy the cluster first, create the namespace there, and then add this.',
  };
}
