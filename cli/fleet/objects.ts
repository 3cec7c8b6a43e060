import {
  dataPlaneComponents,
  hostedClusterComponents,
  nodeName,
} from '../../components/hypershift/components';
import { specifiedFor } from '../../stacks/checks/specified';
import type {
  ClusterPlan,
  Configuration,
  EnvironmentPlan,
  HostedClusterPlan,
  VaultPlan,
  WorkloadPlan,
} from '../../stacks/plan';
import {
  createdIdentities,
  everyIdentity,
  grantedAtTimes,
  grantedKey,
  isOfEnvironment,
  isRole,
  usesPodIdentity,
} from '../../stacks/plan';
import type { Counted, Scope } from './limits';

// What stacks create in Azure and in Entra, counted from the plan.

/** Objects of one kind in one place. */
export interface Objects {
  readonly kind: Counted;
  readonly count: number;
  /** Names of the scopes whose limits count them, where these are not the environment's. Ids of subscriptions are in lower case. */
  readonly place: Partial<Record<Scope, string>>;
}

/** Pods of an application that does not set their number. */
const usualReplicas = 2;

/** Returns objects that a stack creates in Azure, each with one write. */
function created(kind: Counted, count: number, place: Objects['place'] = {}): Objects[] {
  const kinds: readonly Counted[] = kind === 'write' ? [kind] : [kind, 'write'];
  return count === 0 ? [] : kinds.map((counted) => ({ kind: counted, count, place }));
}

/** The credential that AKS creates with the first binding of an identity. No stack writes it. */
const credentialOfBinding = (place: Objects['place']): Objects => ({ kind: 'credential', count: 1, place });

function inEntra(count: number): Objects[] {
  return count === 0 ? [] : [{ kind: 'entraObject', count, place: {} }];
}

/** Returns the objects of the environment's own stack that count towards quotas. */
export function objectsOfEnvironment({ plan }: Pick<Configuration, 'plan'>): Objects[] {
  return [
    ...plan.groups.flatMap(({ existing, roles }) => [
      ...inEntra(existing === undefined ? 1 : 0),
      ...roles.flatMap(({ scope }) => onScope(scope)),
    ]),
    // On several clusters, such an identity has bindings with one credential.
    ...plan.sharedIdentities.flatMap(({ existing, isBound, roleGrants }): Objects[] => [
      ...(isBound ? [credentialOfBinding({ identity: existing.id })] : []),
      ...roleGrants.flatMap(({ scope }) => onScope(scope)),
    ]),
    ...grantsIn(plan, true),
  ];
}

/** Returns the objects of a cell's stack. */
export function objectsOfCell({ plan, settings }: Pick<Configuration, 'plan' | 'settings'>): Objects[] {
  const logged = settings.logs === undefined ? 0 : 1;
  const hasWriter = plan.clusters.some(({ connectionWriter }) => connectionWriter !== undefined);
  return [
    ...created('write', hasWriter ? 1 : 0),
    ...grantsIn(plan, false),
    ...plan.clusters.flatMap((cluster) => [
      ...(cluster.settings.mode === 'create' ? [...created('cluster', 1), ...created('write', logged)] : []),
      ...identitiesOn(cluster),
      ...cluster.identities.flatMap(({ roleGrants }) => roleGrants.flatMap(({ scope }) => onScope(scope))),
      ...provisioningOn(cluster, settings.serviceOperator.install),
      ...reconcilersOn(cluster, plan),
      ...cluster.workloads.flatMap((workload) => [
        ...accessToDependencies(workload),
        ...readsOf(workload, plan.vaults),
      ]),
      ...cluster.hostedClusters.flatMap((hosted) => ofHostedCluster(hosted)),
    ]),
  ];
}

function identitiesOn(cluster: ClusterPlan): Objects[] {
  const names = createdIdentities(cluster);
  const all = everyIdentity(cluster);
  return [
    ...created('identity', names.length),
    ...inEntra(names.length),
    // An application and its service principal.
    ...inEntra(2 * all.filter(({ kind }) => kind === 'servicePrincipal').length),
    ...created('write', all.filter(({ credential }) => credential !== undefined).length),
    ...all
      .filter(({ kind }) => kind === 'managedIdentity')
      .flatMap(({ azureName, existing, subjects, binding, sharedAs }) => {
        const place = {
          identity: existing?.id ?? azureName,
          ...(existing && { subscription: existing.subscriptionId.toLowerCase() }),
        };
        return [
          ...created('credential', subjects.length, place),
          ...created('write', binding === undefined ? 0 : 1),
          ...(binding === undefined || sharedAs !== undefined ? [] : [credentialOfBinding(place)]),
        ];
      }),
  ];
}

/**
 * Returns the objects of the grants of the environment's own stack, or of its cells. Each secret has an assignment of its own; an
 * access policy or a condition covers all of them.
 */
function grantsIn({ vaults }: EnvironmentPlan, ofEnvironment: boolean): Objects[] {
  return vaults.flatMap((vault) =>
    vault.grants
      .filter((grant) => isOfEnvironment(grant) === ofEnvironment)
      .flatMap(({ secrets, byCondition }) =>
        vault.access === 'accessPolicy'
          ? created('write', 1, placeOf(vault))
          : created('roleAssignment', byCondition === true ? 1 : secrets.length, placeOf(vault)),
      ),
  );
}

function placeOf(vault: VaultPlan | undefined): Objects['place'] {
  return vault?.existing === undefined ? {} : { subscription: vault.existing.subscriptionId.toLowerCase() };
}

/** Management groups have a limit of their own, which no fleet reaches. */
function onScope(scope: string): Objects[] {
  const subscription = /^\/subscriptions\/([^/]+)/i.exec(scope)?.[1]?.toLowerCase();
  return subscription === undefined ? [] : created('roleAssignment', 1, { subscription });
}

function provisioningOn(cluster: ClusterPlan, installed: boolean): Objects[] {
  const { operator, provisioning, provisioners, settings, workloads, identities } = cluster;
  const readsItself =
    installed &&
    operator?.kind === 'managedIdentity' &&
    operator.existing === undefined &&
    operator.subjects.length > 0;
  const { podIdentity } = settings;
  const byPodIdentity = workloads.filter(usesPodIdentity).map(({ identity }) => identity);
  const bound = identities.filter(
    ({ key, kind }) => kind === 'managedIdentity' && byPodIdentity.includes(key),
  ).length;
  return [
    ...created('roleAssignment', readsItself ? 1 : 0),
    ...created('roleAssignment', operator === undefined ? 0 : (provisioning?.roles.length ?? 0)),
    ...provisioners.flatMap(({ roles }) => created('roleAssignment', roles.length)),
    ...(podIdentity === undefined ? [] : created('roleAssignment', bound + (podIdentity.install ? 1 : 0))),
  ];
}

/** Rights of the reconcilers, and the access that they give at times. */
function reconcilersOn({ reconciler, connectionWriter }: ClusterPlan, plan: EnvironmentPlan): Objects[] {
  const atTimes = plan.clusters.flatMap((cluster) =>
    cluster.identities.flatMap((identity) => grantedAtTimes(cluster, identity)),
  );
  const scopes = new Set(
    atTimes.map((granted) => (isRole(granted) ? granted.scope.toLowerCase() : grantedKey(granted))),
  );
  const connections = connectionWriter?.connections.length ?? 0;
  return [
    ...(reconciler === undefined || reconciler.subjects.length === 0
      ? []
      : [
          ...created('roleAssignment', scopes.size),
          { kind: 'roleAssignment' as const, count: atTimes.length, place: {} },
        ]),
    ...created('roleAssignment', 2 * connections),
    ...created('write', connections),
  ];
}

function accessToDependencies({ dependencies, identitiesBeside, revoked }: WorkloadPlan): Objects[] {
  if (revoked === true) return [];
  return dependencies.flatMap((dependency) =>
    created(
      'roleAssignment',
      (specifiedFor(dependency).dataRoles?.length ?? 0) * (1 + identitiesBeside.length),
    ),
  );
}

/** Each pod reads each of its secrets when it starts. */
function readsOf(
  { application, vault, secrets, byGroup }: WorkloadPlan,
  vaults: readonly VaultPlan[],
): Objects[] {
  const replicas = ('replicas' in application ? application.replicas : undefined) ?? usualReplicas;
  const count = replicas * (secrets.length + byGroup.length);
  const place = { vault, ...placeOf(vaults.find(({ name }) => name === vault)) };
  return count === 0 ? [] : [{ kind: 'secretRead', count, place }];
}

function ofHostedCluster(hosted: HostedClusterPlan): Objects[] {
  const { settings, components, certificates, identityPrefix, secrets } = hosted;
  const onNodes = certificates === undefined ? [] : dataPlaneComponents;
  const trusted =
    certificates === undefined
      ? components.map(({ component }) => {
          const { shortName, serviceAccounts } = hostedClusterComponents[component];
          return { name: shortName, accounts: serviceAccounts.length };
        })
      : onNodes.map((component) => ({ name: nodeName(component), accounts: 1 }));
  const optional = { dnsZone: settings.dnsZone, key: settings.kms };
  const withRole = [
    ...components.map(({ component }) => component),
    ...onNodes.filter((component) => components.some((named) => named.component === component)),
  ];
  const roles = withRole.flatMap((component) =>
    hostedClusterComponents[component].scopes.filter(
      (scope) => (scope !== 'dnsZone' && scope !== 'key') || optional[scope] !== undefined,
    ),
  );
  return [
    ...trusted.flatMap(({ name, accounts }) =>
      created('credential', accounts, { identity: `${identityPrefix}-${name}` }),
    ),
    ...created('roleAssignment', roles.length, {
      subscription: settings.resourceGroup.subscriptionId.toLowerCase(),
    }),
    ...inEntra(certificates === undefined ? 0 : 2 * components.length),
    // The credentials.
    ...created('write', secrets.length),
  ];
}
