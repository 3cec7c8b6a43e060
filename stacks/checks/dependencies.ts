import { accountOf, hasOwnProvisioner } from '../plan';
import { applicationIndex } from '../settings/places';
import type { Path, Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { ApplicationSettings, DependencySettings } from '../settings/schema';
import type { Given, Places } from './context';
import { check, repeated } from './context';

/** A dependency and where the stack file says it. */
export interface PlacedDependency {
  readonly application: ApplicationSettings;
  readonly dependency: DependencySettings;
  readonly path: Path;
}

/** Every dependency of every application. */
export function placedDependencies({ applications }: Given, { applicationPath }: Places): PlacedDependency[] {
  return applications.flatMap((application, index) =>
    application.dependencies.map((dependency, place) => ({
      application,
      dependency,
      path: [...applicationPath(index), 'dependencies', place],
    })),
  );
}

/** Names are prefixes of variables, and parts of names of objects. */
export const uniqueDependencies = check([], ({ applications }, { applicationPath }) =>
  applications.flatMap(({ dependencies }, index) =>
    repeated(dependencies, ({ name }) => name).map(({ item, index: place, firstIndex }) => ({
      path: [...applicationPath(index), 'dependencies', place, 'name'],
      value: JSON.stringify(item.name),
      what: `is the name of ${formatPath([...applicationPath(index), 'dependencies', firstIndex])} already`,
      remedy: 'Give each dependency of an application its own name.',
    })),
  ),
);

/** What Azure has of Redis only together (azure-docs azure-cache-for-redis/cache-overview). */
export const redisSizes = check([], (given, places) =>
  placedDependencies(given, places).flatMap(({ dependency: { service }, path }): Problem[] => {
    if (service.kind !== 'redis' || service.sku !== 'Premium') return [];
    if (service.capacity >= 1 && service.capacity <= 5) return [];
    return [
      {
        path: [...path, 'redis', 'capacity'],
        value: String(service.capacity),
        what: 'is no size of a Premium cache',
        allowed: '1 to 5',
        remedy: 'Set another `capacity`.',
      },
    ];
  }),
);

/** A credential is of a whole namespace: what others depend on there would be provisioned by it as well. */
export const ownProvisioners = check(['plan'], (settings, { applicationPath }) =>
  settings.applications.flatMap((application, index): Problem[] => {
    if (application.provisioning !== 'application') return [];
    const path = [...applicationPath(index), 'provisioning'];
    const value = JSON.stringify(application.provisioning);
    if (!hasOwnProvisioner(application)) {
      return [
        {
          path,
          value,
          what: 'has nothing to provision',
          allowed: 'cluster, for one without `dependencies`',
          remedy: 'Name its `dependencies`, or remove it.',
        },
      ];
    }
    const { namespace } = accountOf(application);
    const other = settings.plan.clusters
      .filter(({ provisioners }) => provisioners.some((one) => one.application === application.name))
      .flatMap(({ workloads }) => workloads)
      .find(
        (workload) =>
          workload.namespace === namespace &&
          workload.application.name !== application.name &&
          workload.dependencies.length > 0,
      );
    if (other === undefined) return [];
    const owner = applicationPath(applicationIndex(settings, other.application.name));
    return [
      {
        path,
        value,
        what: `would provision what ${formatPath(owner)} depends on as well: both are in the namespace "${namespace}", which has one credential`,
        allowed: 'a namespace of its own',
        remedy: 'Set another `namespace`, or `provisioning: cluster`.',
      },
    ];
  }),
);

/** Azure's limit (azure-docs resource-name-rules); names made of others can be longer than what somebody typed. */
const maxGroupName = 90;

/**
 * The operator may write whatever is in the groups of the services: the environment's has the clusters, the vaults and
 * every identity.
 */
export const servicesGroups = check(['plan', 'services', 'resourceGroup'], (settings) => {
  const { plan, resourceGroup, services } = settings;
  const { name } = resourceGroup;
  const existing = services.resourceGroup?.existing;
  const path = ['services', 'resourceGroup', ...(existing === undefined ? [] : ['existing'])];
  const same = plan.servicesGroups.some((one) => one.name.toLowerCase() === name.toLowerCase());
  return [
    ...(same
      ? [
          {
            path,
            value: JSON.stringify(existing?.id ?? name),
            what: "is the environment's own group: whoever provisions services could change its clusters, vaults and identities",
            allowed: 'another group',
            remedy: 'Set another, or remove it for one that is made.',
          },
        ]
      : []),
    ...plan.servicesGroups
      .filter((one) => one.existing === undefined && one.name.length > maxGroupName)
      .map((one) => ({
        path,
        what: `gives a group the name "${one.name}" (${one.name.length} characters), which Azure refuses`,
        allowed: `at most ${maxGroupName} characters`,
        remedy: 'Set a shorter one.',
      })),
  ];
});

/** Subscriptions of two groups that are both existing; of one that is made, an update asks Azure. */
export const servicesSubscription = check(
  ['plan', 'services', 'resourceGroup'],
  ({ plan, resourceGroup }) => {
    const existing = plan.servicesGroups.find((one) => one.existing !== undefined)?.existing;
    const subscription = resourceGroup.existing?.subscriptionId;
    if (existing === undefined || subscription === undefined) return [];
    if (existing.subscriptionId.toLowerCase() === subscription.toLowerCase()) return [];
    return [
      {
        path: ['services', 'resourceGroup', 'existing'],
        value: JSON.stringify(existing.id),
        what: `is in another subscription than the environment's group, which is in ${subscription}: the operator has one`,
        allowed: 'a group of the subscription of the environment',
        remedy: 'Name another, or remove it for one that is made.',
      },
    ];
  },
);
