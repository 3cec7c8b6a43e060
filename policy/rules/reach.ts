import { allows, type Plane } from '../../components/azure/permission';
import { clusterType, identityType, vaultType } from '../../components/azure/resourceId';
import { scopeKind } from '../../components/azure/scope';
import { secretsNamedBy } from '../../components/vault/nameCondition';
import builtIn from '../builtInRoles.json';

/** The kinds of power that a role can grant, in the words of the report. */
const reached = {
  access: 'assign roles',
  secrets: 'read secrets or use keys',
  vaults: 'open vaults',
  identities: 'take over identities',
  clusters: 'administer clusters',
  machines: 'run as root on machines, such as nodes',
} as const;
export type Reached = keyof typeof reached;

const authorization = 'Microsoft.Authorization';
const machine = 'Microsoft.Compute/virtualMachines';
const scaleSet = 'Microsoft.Compute/virtualMachineScaleSets';

/** Actions that reach secrets or identities, by plane (Azure resource provider operations). */
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
    // A deployment can read the secrets of a vault that is enabled for deployment.
    vaults: [`${vaultType}/write`, `${vaultType}/accessPolicies/write`, `${vaultType}/deploy/action`],
    clusters: [
      `${clusterType}/write`,
      `${clusterType}/listClusterAdminCredential/action`,
      `${clusterType}/accessProfiles/listCredential/action`,
      `${clusterType}/runCommand/action`,
      // What they install can administer the cluster.
      'Microsoft.KubernetesConfiguration/extensions/write',
      'Microsoft.KubernetesConfiguration/fluxConfigurations/write',
    ],
    // Root access to a node gives the tokens of all its pods.
    machines: [scaleSet, `${scaleSet}/virtualMachines`, machine].flatMap((type) => [
      ...[`${type}/write`, `${type}/extensions/write`],
      ...(type === scaleSet ? [] : [`${type}/runCommand/action`, `${type}/runCommands/write`]),
    ]),
  },
  dataActions: {
    secrets: [
      ...['secrets/getSecret', 'secrets/backup', 'certificates/backup', 'keys/backup', 'keys/release'],
      ...['keys/decrypt', 'keys/unwrap', 'keys/sign'],
    ].map((name) => `${vaultType}/${name}/action`),
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
      ].map((name) => `${type}/${name}`),
    ),
    machines: [`${machine}/loginAsAdmin/action`],
  },
};
const allActions = (Object.entries(actions) as [Plane, (typeof actions)[Plane]][]).flatMap(
  ([plane, byPower]) =>
    (Object.entries(byPower) as [Reached, readonly string[]][]).flatMap(([reaches, names]) =>
      names.map((action) => ({ plane, reaches, action })),
    ),
);
const reachedBy = new Map(allActions.map(({ action, reaches }) => [action, reaches]));

/** The actions of a role that reach secrets or identities. */
export const reachingActions = (permissions: readonly unknown[]): string[] =>
  allActions
    .filter(({ plane, action }) => permissions.some((permission) => allows(permission, action, plane)))
    .map(({ action }) => action);

/** A role with its actions that reach secrets or identities. */
export interface ReachingRole {
  readonly name: string;
  readonly actions: readonly string[];
}

const harmless = new Set(builtIn.harmless);
const reaching: Readonly<Record<string, ReachingRole | undefined>> = builtIn.reaching;

/** Returns a built-in role by its GUID in lower case, or undefined if Azure has no such role. */
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

/** Returns the lower-case resource type of a scope, such as `microsoft.keyvault/vaults/secrets`, or undefined for a wider scope. */
export function typeOfScope(scope: string): string | undefined {
  if (scopeKind(scope) !== 'resource') return undefined;
  const [provider = '', ...rest] = (scope.split(/\/providers\//i).at(-1) ?? '').split('/');
  return [provider, ...rest.filter((_, index) => index % 2 === 0)].join('/').toLowerCase();
}

/** The powers that a role can grant on a scope: all of them on a wider scope; on a resource, access and those of its type. */
function inReach(scope: string): readonly Reached[] {
  const type = typeOfScope(scope);
  return type === undefined ? (Object.keys(reached) as Reached[]) : ['access', ...(ofType[type] ?? [])];
}

/** Tells whether a scope is or contains a vault, an identity, a cluster or a machine. */
export const isReaching = (scope: string): boolean => inReach(scope).length > 1;

const assigning = `${authorization}/roleAssignments/write`;
const readingSecrets = `${vaultType}/secrets/getSecret/action`;
const powersOf = ({ actions }: ReachingRole) => actions.map((action) => reachedBy.get(action));

/**
 * Tells whether a condition limits the assignable roles to named ones that cannot assign roles themselves. Understands only
 * the form that `mayAssignOnly` and the portal write: any other form may allow more than it seems to.
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
    .every((alternative) => isRoleLimit(alternative.split(' AND ')));
}

/** Tells whether one of the combined limits is on the roles. Only `@Request` has the attributes of a new assignment. */
function isRoleLimit(limits: readonly string[]): boolean {
  const parsed = limits.map((limit) =>
    /^@Request\[Microsoft\.Authorization\/roleAssignments:(RoleDefinitionId|PrincipalType|PrincipalId)\] (?:ForAnyOfAnyValues:)?(?:GuidEquals|StringEqualsIgnoreCase) \{([^{}]*)\}$/i.exec(
      limit,
    ),
  );
  const [, , roles] = parsed.find((match) => match?.[1]?.toLowerCase() === 'roledefinitionid') ?? [];
  const namedRoles = (roles ?? '').split(',').map((guid) => builtInRole(guid.trim().toLowerCase()));
  const canAssign = namedRoles.some((role) => role !== undefined && powersOf(role).includes('access'));
  return parsed.every((match) => match !== null) && roles !== undefined && !canAssign;
}

/** Describes what a role opens on a scope, or returns undefined if it grants none of the powers. */
export function opened(
  role: ReachingRole,
  { scope, condition = '' }: { scope: string; condition?: string },
  powers: readonly Reached[],
): string | undefined {
  const possible = inReach(scope).filter((power) => powers.includes(power));
  // Elsewhere, a condition on names would also open secrets with these names in other vaults.
  const isOnVault = typeOfScope(scope) === vaultType.toLowerCase();
  const isLimited = (action: string): boolean =>
    (action === assigning && limitsRoles(condition)) ||
    (action === readingSecrets && isOnVault && secretsNamedBy(condition) !== undefined);
  const unlimited = role.actions.filter((action) => !isLimited(action));
  const parts = possible.flatMap((power) => {
    const first = unlimited.find((action) => reachedBy.get(action) === power);
    return first === undefined ? [] : [`${reached[power]} (${first})`];
  });
  if (parts.length === 0) return undefined;
  return `${role.name} is assigned on ${scope}. Its holder can ${parts.join(', ')}.`;
}
