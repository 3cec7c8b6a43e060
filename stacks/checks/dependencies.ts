import { tryParseResourceGroupId } from '../../components/azure/resourceId';
import { dependencyKinds } from '../../components/dependency/service';
import { accountOf, hasOwnProvisioner, kindsOf, sharedServicesGroup } from '../plan';
import { applicationIndex } from '../settings/places';
import type { Path, Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { DependencySettings } from '../settings/schema';
import type { Check, CheckContext } from './context';
import { repeated } from './context';

/** A dependency and where the stack file says it. */
export interface PlacedDependency {
  readonly application: string;
  readonly dependency: DependencySettings;
  readonly path: Path;
}

/** Every dependency of every application. */
export function placedDependencies({
  settings,
  applicationPath,
}: Pick<CheckContext, 'settings' | 'applicationPath'>): PlacedDependency[] {
  return settings.applications.flatMap(({ name, dependencies }, index) =>
    dependencies.map((dependency, place) => ({
      application: name,
      dependency,
      path: [...applicationPath(index), 'dependencies', place],
    })),
  );
}

/** Each dependency is one service. */
export const oneService: Check = (context) =>
  placedDependencies(context).flatMap(({ dependency, path }): Problem[] => {
    const kinds = kindsOf(dependency);
    if (kinds.length === 1) return [];
    const allowed = `exactly one of ${Object.keys(dependencyKinds).join(', ')}`;
    if (kinds.length === 0) {
      return [
        {
          path,
          value: JSON.stringify(dependency.name),
          what: 'names no service',
          allowed,
          remedy: 'Add one.',
        },
      ];
    }
    return [
      {
        path: [...path, kinds[1] ?? ''],
        what: `is a second service beside \`${kinds[0] ?? ''}\``,
        allowed,
        remedy: 'Make another dependency of it.',
      },
    ];
  });

/** Names are prefixes of variables, and parts of names of objects. */
export const uniqueDependencies: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap(({ dependencies }, index) =>
    repeated(dependencies, ({ name }) => name).map(({ item, index: place, first }) => ({
      path: [...applicationPath(index), 'dependencies', place, 'name'],
      value: JSON.stringify(item.name),
      what: `is the name of ${formatPath([...applicationPath(index), 'dependencies', first])} already`,
      remedy: 'Give each dependency of an application its own name.',
    })),
  );

/** Ways to a service that there are. */
export const connectionsOfKinds: Check = (context) =>
  placedDependencies(context).flatMap(({ dependency, path }): Problem[] => {
    const [kind] = kindsOf(dependency);
    if (kind === undefined) return [];
    const { connections, label } = dependencyKinds[kind];
    if (connections.includes(dependency.connection)) return [];
    return [
      {
        path: [...path, 'connection'],
        value: JSON.stringify(dependency.connection),
        what: `is no way to a ${label} (\`${kind}\`)`,
        allowed: connections.join(', '),
        remedy:
          kind === 'resource'
            ? 'Remove it: what its `operatorSpec` exports, it exports.'
            : 'Set `connection: identity`, or remove it.',
      },
    ];
  });

/** What Azure has of Redis only together (azure-docs azure-cache-for-redis/cache-overview). */
export const redisSizes: Check = (context) =>
  placedDependencies(context).flatMap(({ dependency: { redis }, path }): Problem[] => {
    if (redis?.sku !== 'Premium' || (redis.capacity >= 1 && redis.capacity <= 5)) return [];
    return [
      {
        path: [...path, 'redis', 'capacity'],
        value: String(redis.capacity),
        what: 'is no size of a Premium cache',
        allowed: '1 to 5',
        remedy: 'Set another `capacity`.',
      },
    ];
  });

/** A credential is of a whole namespace: what others depend on there would be provisioned by it as well. */
export const ownProvisioners: Check = ({ settings, plan, applicationPath, broken }) =>
  settings.applications.flatMap((application, index): Problem[] => {
    if (application.provisioning !== 'application') return [];
    const path = [...applicationPath(index), 'provisioning'];
    const value = JSON.stringify(application.provisioning);
    if (!hasOwnProvisioner(application)) {
      if (broken.has('applications')) return [];
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
    const other = plan.clusters
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
  });

/** Azure's limit (azure-docs resource-name-rules); names made of others can be longer than what somebody typed. */
const maxGroupName = 90;

/**
 * The operator may write whatever is in the groups of the services: the environment's has the clusters, the vaults and
 * every identity.
 */
export const servicesGroups: Check = ({ settings, plan, broken }) => {
  if (broken.has('services') || broken.has('resourceGroup')) return [];
  const { resourceGroup, services } = settings;
  const name =
    typeof resourceGroup === 'string' ? resourceGroup : tryParseResourceGroupId(resourceGroup.existing)?.name;
  const existing = typeof services.resourceGroup === 'object';
  const path = ['services', 'resourceGroup', ...(existing ? ['existing'] : [])];
  const same = plan.servicesGroups.some((one) => one.name.toLowerCase() === name?.toLowerCase());
  return [
    ...(same
      ? [
          {
            path,
            value: JSON.stringify(sharedServicesGroup(settings).existing ?? name),
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
};

/** Subscriptions of two groups that are both existing; of one that is made, an update asks Azure. */
export const servicesSubscription: Check = ({ settings, plan, broken }) => {
  if (broken.has('services') || broken.has('resourceGroup')) return [];
  const { resourceGroup } = settings;
  const existing = plan.servicesGroups.find((one) => one.existing !== undefined)?.existing;
  if (existing === undefined || typeof resourceGroup === 'string') return [];
  const subscription = tryParseResourceGroupId(resourceGroup.existing)?.subscriptionId;
  if (tryParseResourceGroupId(existing)?.subscriptionId.toLowerCase() === subscription?.toLowerCase())
    return [];
  return [
    {
      path: ['services', 'resourceGroup', 'existing'],
      value: JSON.stringify(existing),
      what: `is in another subscription than the environment's group, which is in ${subscription ?? ''}: the operator has one`,
      allowed: 'a group of the subscription of the environment',
      remedy: 'Name another, or remove it for one that is made.',
    },
  ];
};
