import { limits } from '../../components/azure/limits';
import { dependencyObjectName } from '../../components/dependency/service';
import { accountOf, customResourcesFor, hasOwnProvisioner, vaultOf } from '../plan';
import { didYouMean } from '../settings/nearest';
import { formatPath } from '../settings/problem';
import type { DependencySettings } from '../settings/schema';
import type { Check, CheckInput, Placed, PlacedApplication } from './context';
import { refusedName, sharedCluster } from './context';
import { groupsWithAccess } from './groupsWithAccess';

/** A dependency with its application and with the name of its objects in Kubernetes and in a vault. */
export interface PlacedDependency extends Placed<DependencySettings> {
  readonly application: PlacedApplication;
  readonly objectName: string;
}

/** Returns every dependency of every application. */
export function placedDependencies({ applications }: CheckInput): PlacedDependency[] {
  return applications.flatMap((application) =>
    application.dependencies.map((dependency, place) => ({
      ...dependency,
      application,
      objectName: dependencyObjectName(application.name, dependency.name),
      path: [...application.path, 'dependencies', place],
    })),
  );
}

export const dependencyChecks: readonly Check[] = [
  function* (input) {
    const [min, max] = limits.premiumCapacity;
    for (const { service, path } of placedDependencies(input))
      if (service.kind === 'redis' && service.sku === 'Premium')
        if (service.capacity < min || service.capacity > max)
          yield {
            path: [...path, 'redis', 'capacity'],
            what: 'is not a size of a Premium cache',
            allowed: `an integer from ${min} to ${max}`,
          };
  },

  /** The connection writer writes only to vaults of the stack. */
  function* (input) {
    const names = input.plan.vaults.map((vault) => vault.name);
    for (const { application, connection, connectionVault: vault, path: at } of placedDependencies(input)) {
      if (vault === undefined) continue;
      const path = [...at, 'connectionVault'];
      const own = vaultOf(input, application);
      if (connection !== 'vault')
        yield {
          path,
          what: `has no effect: there is no connection string with \`connection: ${connection}\``,
          allowed: 'only with `connection: vault`',
          hint: 'Remove it, or set `connection: vault`.',
        };
      else if (vault === own)
        yield {
          path,
          what: "is already the application's vault",
          allowed: 'another vault of the stack',
          hint: 'Remove it.',
        };
      else if (!names.includes(vault))
        yield {
          path,
          what: 'is not a vault of this stack, so the stack could not write to it',
          allowed: names.join(', '),
          hint: didYouMean(vault, names, 'Name one of these, or remove it.'),
        };
    }
  },

  /** The connection writer exists only for connection strings in vaults. */
  function* (input) {
    if (input.connections === undefined) return;
    if (placedDependencies(input).every(({ connection }) => connection !== 'vault'))
      yield {
        path: ['connections'],
        what: 'has no effect: no dependency has `connection: vault`',
        hint: 'Remove it, or set `connection: vault` on a dependency.',
      };
  },

  /** A connection without a key has no key to choose. */
  function* (input) {
    for (const { connection, key, path } of placedDependencies(input))
      if (key !== undefined && connection === 'identity')
        yield {
          path: [...path, 'key'],
          what: 'has no effect: the application connects as its identity, and access by key is disabled on the service',
          hint: 'Remove it, or set `connection: secret`.',
        };
  },

  /**
   * A provisioning credential covers a whole namespace, so it would also provision the dependencies of other applications
   * there.
   */
  function* (input) {
    for (const application of input.applications) {
      if (application.provisioning !== 'application') continue;
      const path = [...application.path, 'provisioning'];
      if (!hasOwnProvisioner(application))
        yield {
          path,
          what: 'has nothing to provision',
          allowed: 'cluster, because no dependencies are named',
          hint: 'Name `dependencies`, or remove `provisioning`.',
        };
      const { namespace } = accountOf(application);
      const other = input.applications.find(
        (other) =>
          accountOf(other).namespace === namespace &&
          other.name !== application.name &&
          customResourcesFor(other).length > 0 &&
          sharedCluster(input, other, application) !== undefined,
      );
      if (hasOwnProvisioner(application) && other !== undefined)
        yield {
          path,
          what: `would also provision the dependencies of ${formatPath(other.path)}: both are in the namespace "${namespace}", which has a single credential for the operator`,
          allowed: 'a namespace of its own',
          hint: 'Set another `namespace`, or `provisioning: cluster`.',
        };
    }
  },

  /**
   * The operator may write to everything in the resource groups of the services. The environment's own group has the clusters,
   * the vaults and every identity.
   */
  function* (input) {
    const { plan, resourceGroup, services, location } = input;
    const existing = services.resourceGroup?.existing;
    const path = ['services', 'resourceGroup', ...(existing === undefined ? [] : ['existing'])];
    const held = groupsWithAccess(plan, resourceGroup.name, location);
    for (const group of plan.servicesGroups) {
      const what = held.get(group.name.toLowerCase());
      if (what !== undefined)
        yield {
          path,
          value: JSON.stringify(existing?.id ?? group.name),
          what: `is ${what}: the identity that provisions services could change them`,
          allowed: 'another group',
          hint: 'Set another, or remove it to let the stack create one.',
        };
      if (group.existing === undefined)
        yield* refusedName('resourceGroup', group.name, path, 'Set a shorter one.');
    }
  },
];
