import { fieldsOf } from '../../components/resource/fields';
import type { Cluster } from '../../components/waiting/cluster';
import { specifiedFor } from '../checks/specified';
import type { Configuration, DependencyPlan, WorkloadPlan } from '../plan';
import { namedService } from '../plan';
import { applicationIndex } from '../settings/places';
import type { Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { StackSettings } from '../settings/schema';
import type { ManagedClusters } from './managedClusters';

/**
 * Custom resources that have the name of a dependency and belong to another service: the dependency was another service
 * before, or another one was made under its name. The engine would find that only when it makes the new one.
 */
export async function dependencyObjectProblems(
  { settings, plan }: Configuration,
  azure: ManagedClusters,
): Promise<Problem[]> {
  const found = await Promise.all(
    plan.clusters.map(({ settings: cluster, workloads }) => {
      const wanted = workloads.flatMap((workload) =>
        workload.dependencies.map((dependency) => ({ workload, dependency })),
      );
      return azure.ask(cluster, wanted, async (objects, { workload, dependency }) => {
        const other = await otherService(objects, workload, dependency);
        return other === undefined ? [] : [takenNameProblem(settings, cluster.name, dependency, other)];
      });
    }),
  );
  // An application is the same on all its clusters.
  return found
    .flat()
    .filter(
      ({ path }, index, all) =>
        index === all.findIndex((other) => formatPath(other.path) === formatPath(path)),
    );
}

/** Name in Azure of another service whose custom resource has the dependency's name; undefined if there is none. */
async function otherService(
  cluster: Cluster,
  { namespace }: WorkloadPlan,
  dependency: DependencyPlan,
): Promise<string | undefined> {
  const { service, objectName: name, group } = dependency;
  const [{ apiVersion, kind }] = specifiedFor(dependency).resources;
  const object = await cluster.get({ apiVersion, kind, namespace, name });
  if (object === undefined) return undefined;
  const { azureName = name } = fieldsOf(fieldsOf(object).spec);
  const isPlanned = azureName === namedService(service, name, group).azureName;
  return isPlanned || typeof azureName !== 'string' ? undefined : azureName;
}

function takenNameProblem(
  settings: StackSettings,
  cluster: string,
  { application, name, objectName }: DependencyPlan,
  other: string,
): Problem {
  const index = applicationIndex(settings, application);
  const place = settings.applications[index]?.dependencies.findIndex((one) => one.name === name) ?? 0;
  return {
    path: ['applications', index, 'dependencies', place, 'name'],
    value: JSON.stringify(name),
    what: `gives a custom resource the name "${objectName}", which that of ${other} has on the cluster ${cluster}`,
    allowed: 'a name that no other service of the application was made with',
    remedy: `Set another; or take ${other} out of the stack file, run an update, and add this one then.`,
  };
}
