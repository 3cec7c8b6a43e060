import {
  allows,
  builtInRoles as named,
  clusterType,
  identityType,
  scopeKind,
  vaultType,
  type Plane,
} from '../../stacks/offline';
import builtIn from '../builtInRoles.json';

/** What a role can reach, with what its holder does then. */
const reached = {
  access: 'give roles',
  secrets: 'read secrets or use keys',
  vaults: 'open vaults',
  identities: 'take over identities',
  clusters: 'administrate clusters',
  machines: 'be root on machines, such as nodes',
} as const;
export type Reached = keyof typeof reached;

const authorization = 'Microsoft.Authorization';
const machine = 'Microsoft.Compute/virtualMachines';
const scaleSet = 'Microsoft.Compute/virtualMachineScaleSets';

/** Actions that reach secrets or identities, by the plane that they are of (the providers' operations in Azure). */
const actions: Readonly<Record<Plane, Readonly<Partial<Record<Reached, readonly string[]>>>>> = {
  actions: {
    access: [
      `${authorization}/roleAssignments/write`,
      `${authorization}/roleDefinitions/write`,
      `${authorization}/elevateAccess/action`,
      // Privileged Identity Management.
      `${authorization}/roleAssignmentScheduleRequests/write`,
      `${authorization}/roleEligibilityScheduleRequests/write`,
    ],
    identities: [`${identityType}/federatedIdentityCredentials/write`, `${identityType}/assign/action`],
    // A deployment reads secrets of a vault that is enabled for it.
    vaults: [`${vaultType}/write`, `${vaultType}/accessPolicies/write`, `${vaultType}/deploy/action`],
    clusters: [
      `${clusterType}/write`,
      `${clusterType}/listClusterAdminCredential/action`,
      `${clusterType}/accessProfiles/listCredential/action`,
      `${clusterType}/runCommand/action`,
      // What they install runs as an administrator of the cluster.
      'Microsoft.KubernetesConfiguration/extensions/write',
      'Microsoft.KubernetesConfiguration/fluxConfigurations/write',
    ],
    // Whoever is root on a node has the tokens of all its pods.
    machines: [scaleSet, `${scaleSet}/virtualMachines`, machine].flatMap((type) => [
      ...[`${type}/write`, `${type}/extensions/write`],
      ...(type === scaleSet ? [] : [`${type}/runCommand/action`, `${type}/runCommands/write`]),
    ]),
  },
  dataActions: {
    secrets: [
      ...['secrets/getSecret', 'secrets/backup', 'certificates/backup', 'keys/backup', 'keys/release'],
      ...['keys/decrypt', 'keys/unwrap', 'keys/sign'],
    ].map((one) => `${vaultType}/${one}/action`),
    clusters: [clusterType, 'Microsoft.Kubernetes/connectedClusters'].flatMap((type) =>
      [
        ...[
          'secrets/read',
          'pods/write',
          'pods/exec/action',
          'apps/deployments/write',
          'apps/daemonsets/write',
        ],
        ...['batch/jobs/write', 'serviceaccounts/impersonate/action'],
      ].map((one) => `${type}/${one}`),
    ),
    machines: [`${machine}/loginAsAdmin/action`],
  },
};
const all = (Object.entries(actions) as [Plane, (typeof actions)[Plane]][]).flatMap(([plane, of]) =>
  (Object.entries(of) as [Reached, readonly string[]][]).flatMap(([reaches, some]) =>
    some.map((action) => ({ plane, reaches, action })),
  ),
);
const reachedBy = new Map(all.map(({ action, reaches }) => [action, reaches]));

/** The actions that reach secrets or identities, of those that a role allows. */
export const reachingActions = (permissions: readonly unknown[]): string[] =>
  all
    .filter(({ plane, action }) => permissions.some((one) => allows(one, action, plane)))
    .map(({ action }) => action);

/** A role, as far as it reaches secrets or identities. */
export interface ReachingRole {
  readonly name: string;
  readonly actions: readonly string[];
}

const harmless = new Set(builtIn.harmless);
const reaching: Readonly<Record<string, ReachingRole | undefined>> = builtIn.reaching;

/** A built-in role by its GUID, in lower case; undefined if Azure has none. */
export const builtInRole = (guid: string): ReachingRole | undefined =>
  harmless.has(guid) ? { name: guid, actions: [] } : reaching[guid];

const ofType: Readonly<Record<string, readonly Reached[]>> = {
  [vaultType.toLowerCase()]: ['secrets', 'vaults'],
  [identityType.toLowerCase()]: ['identities'],
  [clusterType.toLowerCase()]: ['clusters'],
  'microsoft.kubernetes/connectedclusters': ['clusters'],
  [machine.toLowerCase()]: ['machines'],
  [scaleSet.toLowerCase()]: ['machines'],
  [`${scaleSet}/virtualMachines`.toLowerCase()]: ['machines'],
};

/** Type of the resource that a scope is, in lower case: `microsoft.keyvault/vaults/secrets`; undefined if it is none. */
function typeOfScope(scope: string): string | undefined {
  if (scopeKind(scope) !== 'resource') return undefined;
  const [provider = '', ...rest] = (scope.split(/\/providers\//i).at(-1) ?? '').split('/');
  return [provider, ...rest.filter((_, index) => index % 2 === 0)].join('/').toLowerCase();
}

/** What is in reach on a scope: all on a group of resources, on a resource what it is, and access anywhere. */
function inReach(scope: string): readonly Reached[] {
  const type = typeOfScope(scope);
  return type === undefined ? (Object.keys(reached) as Reached[]) : ['access', ...(ofType[type] ?? [])];
}

/** Whether a scope has, or is, a vault, an identity, a cluster or a machine. */
export const isReaching = (scope: string): boolean => inReach(scope).length > 1;

const assigning = `${authorization}/roleAssignments/write`;
const powersOf = ({ actions }: ReachingRole) => actions.map((one) => reachedBy.get(one));

/**
 * Whether a condition limits the roles that may be given to named ones that give none themselves. Only the form that
 * `mayAssignOnly` writes, and the portal: any other may let more through than it seems to.
 */
function limitsRoles(condition: string): boolean {
  const plain = condition.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim();
  const [, limits] =
    /^\(\(!\(ActionMatches\{'Microsoft\.Authorization\/roleAssignments\/write'\}\)\) OR \((.*?)\)\)( AND \(\(!\(ActionMatches\{'Microsoft\.Authorization\/roleAssignments\/delete'\}\)\) OR \(.*\)\))?$/i.exec(
      plain,
    ) ?? [];
  if (limits === undefined) return false;
  return limits
    .replace(/^\(|\)$/g, '')
    .split(') OR (')
    .every((each) => limitsEach(each.split(' AND ')));
}

/** Limits that hold together: one is on the roles. Only of what is written, the request has attributes. */
function limitsEach(limits: readonly string[]): boolean {
  const parsed = limits.map((one) =>
    /^@Request\[Microsoft\.Authorization\/roleAssignments:(RoleDefinitionId|PrincipalType|PrincipalId)\] (?:ForAnyOfAnyValues:)?(?:GuidEquals|StringEqualsIgnoreCase) \{([^{}]*)\}$/i.exec(
      one,
    ),
  );
  const [, , roles] = parsed.find((one) => one?.[1]?.toLowerCase() === 'roledefinitionid') ?? [];
  const named = (roles ?? '').split(',').map((one) => builtInRole(one.trim().toLowerCase()));
  const gives = named.some((one) => one !== undefined && powersOf(one).includes('access'));
  return parsed.every((one) => one !== null) && roles !== undefined && !gives;
}

/** What a role opens to who has it on a scope, for a report; undefined if nothing of what is asked for. */
export function opened(
  role: ReachingRole,
  { scope, condition = '' }: { scope: string; condition?: string },
  asked: readonly Reached[],
): string | undefined {
  const near = inReach(scope).filter((one) => asked.includes(one));
  const open = role.actions.filter((action) => action !== assigning || !limitsRoles(condition));
  const parts = near.flatMap((one) => {
    const [first] = open.filter((action) => reachedBy.get(action) === one);
    return first === undefined ? [] : [`${reached[one]} (${first})`];
  });
  if (parts.length === 0) return undefined;
  return `${role.name} is assigned on ${scope}. Its holder can ${parts.join(', ')}.`;
}

/** Type token of the component of what pipelines sign in as. */
export const pipelineIdentity = 'aks-workload-identity:identity:PipelineIdentity';

/** A role that a component assigns for what it is. */
interface Ours {
  /** Type token of the component that the assignment is directly in. */
  readonly within: string;
  readonly roles: readonly string[];
  /** Kind of the scope, or type of the resource. */
  readonly on: string;
}

const group = 'resource group';
const { contributor, keyVaultContributor, managedIdentityContributor } = named;
const ours: readonly Ours[] = [
  // Azure Service Operator, on the group of the services that it provisions.
  {
    within: 'stacks:Cluster',
    roles: [contributor, keyVaultContributor, managedIdentityContributor],
    on: group,
  },
  {
    within: 'identity:PipelineIdentity',
    roles: [contributor, named.aksClusterAdmin, named.aksClusterUser],
    on: group,
  },
  { within: 'podIdentity:PodIdentity', roles: [named.managedIdentityOperator], on: identityType },
  // Its controller assigns identities to the nodes, which are in a group of their own.
  { within: 'podIdentity:PodIdentity', roles: [named.virtualMachineContributor], on: group },
  // Of the nodes of a hosted cluster, in the group of that.
  {
    within: 'hypershift:HostedClusterIdentities',
    roles: [named.openShiftClusterApiProvider, named.openShiftDiskStorageOperator],
    on: group,
  },
  // A vault that is made for one application is its own: it keeps its secrets in it.
  { within: 'dependency:AzureDependency', roles: [named.keyVaultSecretsOfficer], on: vaultType },
];

/** Whether a component assigns a role on a scope for what it is. */
export const isOurs = (within: readonly string[], guid: string, scope: string): boolean =>
  ours.some(
    (one) =>
      within.at(-1) === `aks-workload-identity:${one.within}` &&
      one.roles.includes(guid) &&
      (scopeKind(scope) === one.on || typeOfScope(scope) === one.on.toLowerCase()),
  );
