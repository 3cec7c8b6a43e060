import type { Cluster } from '../../components/waiting/cluster';
import { clusters } from '../../components/waiting/cluster';
import type { Configuration } from '../plan';
import { applicationIndex } from '../settings/places';
import type { Path, Problem } from '../settings/problem';
import type { ClusterPlan, WorkloadPlan } from '../plan';
import { usesExistingNamespace } from '../plan';
import type { ManagedClusters } from './managedClusters';

/** A cluster that has not answered by then says at the write what is wrong. */
const patienceMs = 15_000;

/**
 * Existing namespaces and service accounts that a configuration names, and that their clusters do not have. The engine would find
 * that only when it reads them, after much was made, and says neither where they are named nor what to do. Only a clear
 * no of a cluster counts, and clusters that are still to be made are not asked: they have none.
 */
export async function inClusterProblems(
  { settings, plan }: Configuration,
  azure: ManagedClusters,
): Promise<Problem[]> {
  const found = await Promise.all(
    plan.clusters.map(async (cluster) => {
      const wanting = cluster.workloads.filter(({ application }) => usesExistingNamespace(application));
      if (wanting.length === 0) return [];
      const path = ({ application }: WorkloadPlan): Path => [
        'applications',
        applicationIndex(settings, application.name),
      ];
      if (cluster.settings.mode === 'create' && (await azure.isMissing(cluster.settings))) {
        return wanting
          .filter(({ namespace }) => !namespace.endsWith('-system'))
          .map((workload) => notYet(path(workload), workload, cluster));
      }
      const connection = await soon(connectionTo(cluster, azure));
      if (connection === undefined) return [];
      const problems = await Promise.all(
        wanting.map((workload) => soon(missing(connection, path(workload), workload, cluster))),
      );
      return problems.flatMap((one) => one ?? []);
    }),
  );
  return found.flat();
}

/** As an administrator; undefined where there is none to connect to. */
export async function connectionTo(
  { settings }: ClusterPlan,
  azure: ManagedClusters,
): Promise<Cluster | undefined> {
  const kubeconfig = await azure.kubeconfig(settings);
  return kubeconfig === undefined ? undefined : clusters.connect(kubeconfig);
}

async function missing(
  objects: Cluster,
  path: Path,
  { namespace, serviceAccount, existingServiceAccount }: WorkloadPlan,
  { settings: cluster }: ClusterPlan,
): Promise<Problem[]> {
  const core = { apiVersion: 'v1' };
  if ((await objects.get({ ...core, kind: 'Namespace', name: namespace })) === undefined) {
    return [
      {
        path: [...path, 'namespace', 'name'],
        value: JSON.stringify(namespace),
        what: `does not exist in the cluster ${cluster.name}`,
        remedy: `Make it there (\`kubectl create namespace ${namespace}\`), or remove \`existing\` beside it: then the stack makes it.`,
      },
    ];
  }
  if (!existingServiceAccount) return [];
  const account = { ...core, kind: 'ServiceAccount', namespace, name: serviceAccount };
  if ((await objects.get(account)) !== undefined) return [];
  return [
    {
      path: [...path, 'serviceAccount', 'name'],
      value: JSON.stringify(serviceAccount),
      what: `does not exist in the namespace ${namespace} of the cluster ${cluster.name}`,
      remedy: `Make it there (\`kubectl create serviceaccount ${serviceAccount} --namespace ${namespace}\`), or remove \`existing\` beside it: then the stack makes it.`,
    },
  ];
}

function notYet(path: Path, { namespace }: WorkloadPlan, { settings: { name } }: ClusterPlan): Problem {
  return {
    path: [...path, 'namespace', 'name'],
    value: JSON.stringify(namespace),
    what: `is named as existing in the cluster ${name}, which this update would make, and which has none yet`,
    remedy:
      'Remove `existing` beside it: then the stack makes it. Or deploy the cluster without the application, make the namespace there, and add the application then.',
  };
}

/** What comes of it within the patience, and nothing if it fails: then the engine tells why. */
export async function soon<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
