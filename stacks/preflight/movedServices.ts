import type { KubernetesObject } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { fieldsOf } from '../../components/resource/fields';
import { specifiedFor } from '../checks/specified';
import type { Configuration, DependencyPlan } from '../plan';
import { serviceKey } from '../plan';
import { ownerAnnotation, ownerOf } from '../plan/owner';
import { dependencyPath } from '../settings/places';
import type { Problem } from '../settings/problem';
import { otherCaseProblem, planned } from './dependencyObjects';
import type { ManagedClusters } from './managedClusters';
import { memoize } from '../../components/resource/memoize';

/** The namespace and the cluster of a service's custom resource. */
interface Place {
  readonly cluster: string;
  readonly namespace: string;
}

interface PlacedDependency extends Place {
  readonly dependency: DependencyPlan;
  /** Key of its service. */
  readonly service: string;
}

/** A custom resource of a service, with its policy: what the operator does with the service (`reconcile-policy`). */
interface FoundResource extends Place {
  readonly service: string;
  readonly azureName: string;
  readonly policy: string;
}

/**
 * Returns problems of services that move to another namespace or cluster while the custom resource that stays behind manages
 * them. When that custom resource is deleted, the operator would delete the service as well.
 */
export async function movedServiceProblems(
  { environment, settings, plan }: Configuration,
  azure: ManagedClusters,
): Promise<Problem[]> {
  const placed = plan.clusters.flatMap(({ settings: { name: cluster }, workloads }) =>
    workloads.flatMap(({ namespace, dependencies }) =>
      dependencies.map((dependency): PlacedDependency => {
        const service = serviceKey(planned(dependency));
        return { cluster, namespace, dependency, service };
      }),
    ),
  );
  const managed = placed.filter(({ dependency }) => dependency.manages);
  const lists = new Map<string, Promise<readonly KubernetesObject[]>>();
  const answers = await Promise.all(
    plan.clusters.map(({ settings: cluster }) =>
      azure.ask(cluster, managed, async (objects, placedDependency) => {
        const [{ apiVersion, kind }] = specifiedFor(placedDependency.dependency).resources;
        const all = await memoize(lists, `${cluster.name} ${apiVersion} ${kind}`, () =>
          objects.list({ apiVersion, kind }),
        );
        return resourcesAmong(all, environment, placedDependency).map((found) => ({
          ...found,
          cluster: cluster.name,
        }));
      }),
    ),
  );
  const found: readonly FoundResource[] = answers.flat();
  return managed.flatMap((placedDependency) => {
    const { dependency, service } = placedDependency;
    const { azureName } = planned(dependency);
    const places = placed.filter((other) => other.service === service);
    const ofService = found.filter((resource) => resource.service === service);
    const before = ofService.find((resource) => resource.azureName !== azureName)?.azureName;
    if (before !== undefined) return otherCaseProblem(settings, dependency, before);
    const manager = managerLeftBehind(placedDependency, places, ofService);
    return manager === undefined
      ? []
      : {
          path: dependencyPath(settings, dependency.application, dependency.name),
          value: JSON.stringify(azureName),
          what: `is managed from ${manager}: moving it to the namespace ${placedDependency.namespace} of the cluster ${placedDependency.cluster} would delete it in Azure, with its data`,
          hint: 'Leave it where it is, set `retainOnDelete: true` on it, and run an update. Then move it.',
        };
  });
}

/** Returns where the service is managed now, if that custom resource is to be deleted, and the service with it. */
function managerLeftBehind(
  placedDependency: PlacedDependency,
  places: readonly Place[],
  found: readonly FoundResource[],
): string | undefined {
  const left = found.find(
    (resource) => resource.policy === 'manage' && !places.some((place) => isSamePlace(place, resource)),
  );
  if (left !== undefined) return `the namespace ${left.namespace} of the cluster ${left.cluster}`;
  // If all custom resources only read the service, the cluster that manages it has left the stack file and cannot be asked.
  const isOnlyRead = places.every((place) => {
    const here = found.filter((resource) => isSamePlace(place, resource));
    return here.length > 0 && here.every(({ policy }) => policy === 'skip');
  });
  return isOnlyRead && !placedDependency.dependency.retainOnDelete
    ? 'a cluster that is no longer in the stack file'
    : undefined;
}

const isSamePlace = (one: Place, other: Place) =>
  one.cluster === other.cluster && one.namespace === other.namespace;

/** Returns the stack's custom resources of the service. */
function resourcesAmong(
  objects: readonly KubernetesObject[],
  environment: string,
  { dependency, service }: PlacedDependency,
): Omit<FoundResource, 'cluster'>[] {
  const wanted = planned(dependency);
  return objects.flatMap(({ metadata = {}, ...object }) => {
    const { name, namespace, annotations } = metadata;
    const { azureName = name, owner } = fieldsOf(fieldsOf(object).spec);
    const isOwn = annotations?.[ownerAnnotation]?.startsWith(ownerOf(environment, '')) ?? false;
    if (typeof azureName !== 'string' || namespace === undefined || !isOwn) return [];
    if (serviceKey({ ...wanted, azureName, owner }) !== service) return [];
    // Without a policy, the operator manages the service.
    const policy = annotations?.['serviceoperator.azure.com/reconcile-policy'] ?? 'manage';
    return [{ service, azureName, policy, namespace }];
  });
}
