import { accountOf, hasOwnProvisioner } from '../plan';
import type { Path } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { DependencySettings } from '../settings/schema';
import type { Check, Given, PlacedApplication } from './context';
import { check, refusedName, sharedCluster } from './context';

/** A dependency and where the stack file says it. */
export interface PlacedDependency {
  readonly application: PlacedApplication;
  readonly dependency: DependencySettings;
  readonly path: Path;
}

/** Every dependency of every application. */
export function placedDependencies({ applications }: Given): PlacedDependency[] {
  return applications.flatMap((application) =>
    application.dependencies.map((dependency, place) => ({
      application,
      dependency,
      path: [...application.path, 'dependencies', place],
    })),
  );
}

export const dependencyChecks: readonly Check[] = [
  /** The sizes of a Premium cache (azure-docs azure-cache-for-redis/cache-overview). */
  check([], function* (given) {
    for (const { dependency, path } of placedDependencies(given)) {
      const { service } = dependency;
      if (
        service.kind === 'redis' &&
        service.sku === 'Premium' &&
        (service.capacity < 1 || service.capacity > 5)
      )
        yield {
          path: [...path, 'redis', 'capacity'],
          what: 'is not allowed',
          allowed: 'a whole number from 0 to 6, for Premium from 1 to 5',
        };
    }
  }),

  /** A credential is of a whole namespace: what others depend on there would be provisioned by it as well. */
  check([], function* (given) {
    for (const application of given.applications) {
      if (application.provisioning !== 'application') continue;
      const path = [...application.path, 'provisioning'];
      if (!hasOwnProvisioner(application))
        yield {
          path,
          what: 'has nothing to provision',
          allowed: 'cluster, for one without `dependencies`',
          remedy: 'Name its `dependencies`, or remove it.',
        };
      const { namespace } = accountOf(application);
      const other = given.applications.find(
        (one) =>
          accountOf(one).namespace === namespace &&
          one.name !== application.name &&
          one.dependencies.length > 0 &&
          sharedCluster(given, one, application) !== undefined,
      );
      if (hasOwnProvisioner(application) && other !== undefined)
        yield {
          path,
          what: `would provision what ${formatPath(other.path)} depends on as well: both are in the namespace "${namespace}", which has one credential`,
          allowed: 'a namespace of its own',
          remedy: 'Set another `namespace`, or `provisioning: cluster`.',
        };
    }
  }),

  /**
   * The operator may write whatever is in the groups of the services: the environment's has the clusters, the vaults and
   * every identity.
   */
  check(['plan', 'services', 'resourceGroup'], function* ({ plan, resourceGroup, services }) {
    const existing = services.resourceGroup?.existing;
    const path = ['services', 'resourceGroup', ...(existing === undefined ? [] : ['existing'])];
    for (const group of plan.servicesGroups) {
      if (group.name.toLowerCase() === resourceGroup.name.toLowerCase())
        yield {
          path,
          value: JSON.stringify(existing?.id ?? resourceGroup.name),
          what: "is the environment's own group: whoever provisions services could change its clusters, vaults and identities",
          allowed: 'another group',
          remedy: 'Set another, or remove it for one that is made.',
        };
      if (group.existing === undefined)
        yield* refusedName('resourceGroup', group.name, path, 'Set a shorter one.');
    }
  }),
];
