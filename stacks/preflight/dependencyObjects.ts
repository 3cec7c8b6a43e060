import { tryParseResourceGroupId } from '../../components/azure/resourceId';
import { fieldsOf } from '../../components/resource/fields';
import type { Cluster } from '../../components/waiting/cluster';
import { specifiedFor } from '../checks/specified';
import type { Configuration, DependencyPlan, WorkloadPlan } from '../plan';
import { namedService } from '../plan';
import { dependencyPath } from '../settings/places';
import type { Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { StackSettings } from '../settings/schema';
import type { ManagedClusters } from './managedClusters';
import { isSame } from './same';

/**
 * Returns problems of dependencies whose custom resource belongs to another service, or to the service in another resource
 * group. This happens when a dependency was another service before, when another service was created under its name, or when
 * its group was changed. The engine would report another service only when it creates the new one, and would replace a service
 * in another group without a warning.
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
        const held = await heldService(objects, workload, dependency);
        if (held === undefined) return [];
        const { azureName, owner, group } = planned(dependency);
        if (held.azureName !== azureName && isSame(held.azureName, azureName))
          return [otherCaseProblem(settings, dependency, held.azureName)];
        if (held.azureName !== azureName)
          return [takenNameProblem(settings, cluster.name, dependency, held.azureName)];
        // The user chooses the place of a custom resource with an owner of its own.
        return owner !== undefined || held.group === undefined || isSame(held.group, group)
          ? []
          : [otherGroupProblem(settings, dependency, held.group)];
      });
    }),
  );
  // An application is the same on all its clusters, so one problem for a path is enough.
  return found
    .flat()
    .filter(
      ({ path }, index, all) =>
        index === all.findIndex((other) => formatPath(other.path) === formatPath(path)),
    );
}

export const planned = ({ service, objectName, group }: DependencyPlan) =>
  namedService(service, objectName, group);

/**
 * Returns the name and the group of the service that the custom resource with the dependency's name has; undefined if there is
 * no such object.
 */
async function heldService(
  cluster: Cluster,
  { namespace }: WorkloadPlan,
  dependency: DependencyPlan,
): Promise<{ azureName: string; group?: string | undefined } | undefined> {
  const { objectName: name } = dependency;
  const [{ apiVersion, kind }] = specifiedFor(dependency).resources;
  const object = await cluster.get({ apiVersion, kind, namespace, name });
  if (object === undefined) return undefined;
  const { azureName = name, owner } = fieldsOf(fieldsOf(object).spec);
  const { armId } = fieldsOf(owner);
  if (typeof azureName !== 'string') return undefined;
  return { azureName, group: typeof armId === 'string' ? tryParseResourceGroupId(armId)?.name : undefined };
}

function takenNameProblem(
  settings: StackSettings,
  cluster: string,
  { application, name, objectName }: DependencyPlan,
  other: string,
): Problem {
  return {
    path: [...dependencyPath(settings, application, name), 'name'],
    value: JSON.stringify(name),
    what: `gives a custom resource the name "${objectName}", which the custom resource of ${other} already has on the cluster ${cluster}`,
    allowed: 'a name that no other service of the application was created with',
    hint: `Set another name; or remove ${other} from the stack file, run an update, and then add this one.`,
  };
}

/**
 * With another case, it is the same service in Azure, but the engine would replace the custom resource and delete the service.
 */
export function otherCaseProblem(
  settings: StackSettings,
  dependency: DependencyPlan,
  before: string,
): Problem {
  return {
    path: dependencyPath(settings, dependency.application, dependency.name),
    value: JSON.stringify(planned(dependency).azureName),
    what: `is written ${before} in its custom resource; the two differ only in case, which Azure ignores`,
    hint: 'Write it as before.',
  };
}

function otherGroupProblem(settings: StackSettings, dependency: DependencyPlan, group: string): Problem {
  const { application, name } = dependency;
  return {
    path: dependencyPath(settings, application, name),
    value: JSON.stringify(planned(dependency).azureName),
    what: `is in the resource group ${group} and cannot be moved: it would be created again in ${dependency.group}`,
    hint: 'Set `services.resourceGroup` and `provisioning` of the application back to their previous values; or remove it from the stack file, run an update, and then add it.',
  };
}
