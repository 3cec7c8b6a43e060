import {
  builtInRoles,
  type Granted,
  isInScope,
  isRole,
  mayAssignEach,
  roleAssignmentName,
  roleName,
  roleOf,
  rolesIn,
  scopeKind,
  secretsIn,
  stackTag,
  stackTagValue,
} from '../stacks/offline';
import type { Access, AccessPolicy, RoleAssignment } from './access';
import type { HostedClusterOutput, VerifiedOutputs } from './checks';
import type { AzureChecks } from './foreignTrust';
import { grants } from './hostedClusters';
import { assignmentRemoval, builtInRoleName, describeForeign, policyRemoval } from './removal';
import type { ForeignAccess } from './removal';
import type { CheckResult } from './results';
import { Refusable } from './unlisted';

/**
 * Checks that nobody gave access to the stack's resources outside the stack: role assignments on its resource groups, clusters,
 * vaults and identities, role assignments of the identities, and access policies. Never rejects.
 */
export async function checkGrants(
  outputs: VerifiedOutputs,
  access: Pick<Access, 'listAssignments' | 'listPrincipals' | 'readVault'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<AzureChecks & { assignments: readonly RoleAssignment[] | undefined }> {
  const lists = new Refusable(limited);
  const subscription = `/subscriptions/${outputs.subscriptionId}`;
  const group = `${subscription}/resourceGroups/${outputs.resourceGroup}`;
  const hosted = outputs.hostedClusters.flatMap(({ managementCluster: cluster, components, nodes }) =>
    [...components, ...nodes].map((identity) => ({ cluster, ...identity })),
  );
  const scopes = [
    ...hosted.flatMap(({ roles }) => roles.map(({ scope }) => scope)),
    ...outputs.hostedClusters.flatMap(({ vault = '' }) => outputs.vaults[vault]?.id ?? []),
  ];
  const roleScopes = [
    ...outputs.workloads.flatMap(({ grants, windows }) => rolesIn<Granted>([...grants, ...windows])),
    ...outputs.groups.flatMap(({ grants }) => rolesIn(grants)),
  ].map(({ scope }) => scope);
  const managementGroups = roleScopes.filter((scope) => scopeKind(scope) === 'management group');
  const elsewhere = new Set(
    [...scopes, ...roleScopes].filter((scope) => !managementGroups.includes(scope)).map(subscriptionOf),
  );
  elsewhere.delete(outputs.subscriptionId.toLowerCase());
  const [{ isWhole, found: assignments }, others, listed = [], vaults] = await Promise.all([
    // An account that may deploy need not be allowed to read anything outside the group.
    lists
      .read(`subscription ${outputs.subscriptionId}`, () => access.listAssignments(subscription))
      .then(async (ofSubscription) =>
        ofSubscription === undefined
          ? {
              isWhole: false,
              found: await lists.read(`resource group ${outputs.resourceGroup}`, () =>
                access.listAssignments(group),
              ),
            }
          : { isWhole: true, found: ofSubscription },
      ),
    Promise.all([
      ...[...elsewhere].map((id) =>
        lists.read(`subscription ${id}`, () => access.listAssignments(`/subscriptions/${id}`)),
      ),
      ...[...new Set(managementGroups)].map((id) => lists.read(id, () => access.listAssignments(id))),
    ]),
    lists.read('the identities', () => access.listPrincipals(group)),
    Promise.all(
      Object.entries(outputs.vaults).map(async ([name, vault]) => {
        const deployed = await lists.read(`vault ${name}`, () => access.readVault(vault.id));
        // A vault that the stack did not create has grants of others.
        if (deployed?.tags[stackTag] !== stackTagValue(outputs.environment)) return [];
        const readers = outputs.workloads.filter(({ grants }) =>
          secretsIn(grants).some((grant) => grant.vault === name && grant.group === undefined),
        );
        const granted = new Set([
          ...readers.map(({ identity }) => identity.principalId),
          ...outputs.groups
            .filter(({ grants }) => secretsIn(grants).some((grant) => grant.vault === name))
            .map(({ objectId }) => objectId),
        ]);
        // A vault with role assignments ignores its access policies.
        const policies =
          vault.access === 'rbac' ? [] : deployed.policies.filter((policy) => !isGrant(policy, granted));
        return [{ cluster: '-', name, id: vault.id, policies }];
      }),
    ),
  ]);
  const principals = new Map(listed);
  for (const { id, principalId } of outputs.identities)
    if (principalId !== undefined) principals.set(id.toLowerCase(), principalId);
  const isOfStack = madeBy(outputs, principals, hosted);
  const listedAssignments = [...(assignments ?? []), ...others.flatMap((list) => list ?? [])];
  // Assignments above several scopes are in several lists.
  const unique = [
    ...new Map(listedAssignments.map((assignment) => [assignment.id.toLowerCase(), assignment])).values(),
  ];
  const foreign = unique.filter((assignment) => !isOfStack(assignment));
  const resources: readonly GrantedResource[] = [
    ...vaults.flat(),
    ...outputs.identities.flatMap(({ cluster, name, id }) => {
      const principalId = principals.get(id.toLowerCase());
      return principalId === undefined ? [] : [{ cluster, name, id, principalId, policies: [] }];
    }),
    ...outputs.groups
      .filter(({ isMade }) => isMade)
      .map(({ name, objectId }) => ({ cluster: '-', name, principalId: objectId, policies: [] })),
    // Applications in Entra have no resource id on which a role could be assigned.
    ...hosted
      .filter(({ name }) => !outputs.identities.some((identity) => identity.name === name))
      .map(({ cluster, name, principalId }) => ({ cluster, name, principalId, policies: [] })),
    ...outputs.resourceGroups
      // The services' groups are listed only with the whole subscription.
      .filter(({ id }) => isWhole || isInScope(id, group))
      .map(({ id }) => ({ cluster: '-', name: id.split('/').at(-1) ?? '', id, policies: [] })),
    ...Object.entries(outputs.clusters).flatMap(([name, { mode, id }]) =>
      mode === 'create' && id !== undefined ? [{ cluster: '-', name, id, policies: [] }] : [],
    ),
  ];
  const findings = resources.map((resource) => {
    // An assignment may be both on a vault and of an identity: it is reported for the first resource only.
    const ofResource = foreign.filter(
      (assignment) => resources.find((candidate) => concerns(assignment, candidate)) === resource,
    );
    return {
      resource,
      access: [
        ...ofResource.map((assignment) => foreignGrant(resource, assignment)),
        ...resource.policies.map((policy) => foreignPolicy(resource, policy)),
      ],
    };
  });
  const checks = findings.map((finding) => checkOf(finding.resource, finding.access));
  return {
    // Without a list, a check without findings proves nothing.
    checks: checks.filter(({ ok }) => !ok || assignments !== undefined),
    foreign: findings.flatMap((finding) => finding.access),
    // With a list missing, its role assignments would look missing.
    assignments: isWhole && !others.includes(undefined) ? unique : undefined,
    unlisted: lists.unlisted,
  };
}

/** A vault, an identity, a group of Entra, a resource group or a cluster that the stack created. */
interface GrantedResource {
  /** Cluster of an identity; otherwise `-`. */
  readonly cluster: string;
  readonly name: string;
  /** Resource id; undefined for an application or a group in Entra. */
  readonly id?: string;
  /** Object id of an identity or a group. */
  readonly principalId?: string;
  /** Access policies that the stack did not create. */
  readonly policies: readonly AccessPolicy[];
}

/**
 * Tells whether an assignment is on the resource or in it, or gives the identity a role elsewhere. Resources in a resource group do
 * not count for the group: they may belong to others.
 */
function concerns({ scope, principalId }: RoleAssignment, { id, ...resource }: GrantedResource): boolean {
  const isOnIt = id !== undefined && isInScope(scope, id) && isGroup(scope) === isGroup(id);
  return isOnIt || principalId === resource.principalId;
}

/** Tells whether the resource id is that of a resource group. */
function isGroup(id: string): boolean {
  return /^(\/[^/]+){4}$/.test(id);
}

function checkOf({ cluster, name }: GrantedResource, foreign: readonly ForeignAccess[]): CheckResult {
  const ok = foreign.length === 0;
  const detail = ok ? 'no others' : foreign.map(describeForeign).join('; ');
  return { cluster, application: name, check: 'has only the grants of the stack', ok, detail };
}

/** Returns a function that tells by the outputs whether the stack created a role assignment. */
function madeBy(
  { workloads, vaults, identities, groups, dependencies, hostedClusters, ...outputs }: VerifiedOutputs,
  principals: ReadonlyMap<string, string>,
  hosted: readonly HostedClusterOutput['nodes'][number][],
): (assignment: RoleAssignment) => boolean {
  // An identity that nobody can sign in as should have no roles, such as the service operator's on a revoked cluster.
  const own = new Map(
    identities
      .filter(({ trusts, credential }) => trusts.length > 0 || credential !== undefined)
      .map(({ id }) => [principals.get(id.toLowerCase()), id]),
  );
  return (assignment) => {
    const { name, principalId, role, scope } = assignment;
    const itself = own.get(principalId);
    // The service operator's identity may read itself.
    if (role === builtInRoles.reader && itself !== undefined && isInScope(scope, itself)) return true;
    // The nodes' identity assigns the identities of unrevoked applications that sign in by aad-pod-identity.
    const assignable = workloads.filter(
      ({ nodesPrincipalId, revoked }) => nodesPrincipalId === principalId && revoked !== true,
    );
    if (
      role === builtInRoles.managedIdentityOperator &&
      assignable.some(({ identity }) => isInScope(scope, identity.id))
    )
      return true;
    if (
      hosted.some((identity) => identity.roles.some((its) => grants(assignment, identity.principalId, its)))
    )
      return true;
    const ofPrincipal = workloads.filter(({ identity }) => identity.principalId === principalId);
    // The access window reconciler. With another condition, it could give any role to anybody.
    if (role === builtInRoles.rbacAdministrator) {
      const readers = workloads.flatMap(({ windows, identity }) =>
        windows
          .map((window) => roleOf(window, vaults))
          .filter((wanted) => wanted.scope.toLowerCase() === scope.toLowerCase())
          .map((wanted) => ({ role: wanted.role, principalId: identity.principalId })),
      );
      const condition = mayAssignEach(readers);
      return (
        readers.length > 0 &&
        (outputs.reconcilers ?? []).some((reconciler) => reconciler.principalId === principalId) &&
        assignment.condition?.toLowerCase() === condition.toLowerCase()
      );
    }
    // The connection writer, which has only its own role, on its connections.
    const writer = outputs.connectionWriters?.find((candidate) => candidate.principalId === principalId);
    if (writer !== undefined)
      return (
        role === writer.role &&
        writer.connections
          .flatMap((connection) => [connection.keyHolder, roleOf(connection, vaults).scope])
          .some((id) => id.toLowerCase() === scope.toLowerCase())
      );
    const granted: Granted[] = [
      ...ofPrincipal.flatMap(({ grants, windows, revoked }) => [
        ...grants.filter(({ group }) => group === undefined),
        // The `window` checks tell whether they are open at the right time.
        ...(revoked === true ? [] : windows),
      ]),
      ...groups.filter(({ objectId }) => objectId === principalId).flatMap(({ grants }) => grants),
      // Secrets that the nodes of a management cluster read.
      ...hostedClusters
        .filter(({ reader }) => reader?.principalId === principalId)
        .flatMap(({ vault, components }) =>
          components.flatMap(({ secret }) =>
            vault === undefined || secret === undefined ? [] : [{ vault, secret }],
          ),
        ),
    ];
    if (granted.some((grant) => isGrantOf(assignment, grant, vaults))) return true;
    // Roles on services and on their resource groups are not in the outputs: they are recognized by the assignment's name.
    const roleKey = builtInRoleName(role);
    if (roleKey === undefined || roleAssignmentName(scope, principalId, roleKey) !== name) return false;
    // A provisioner may be an existing identity, which is not among those of the stack.
    const group = outputs.resourceGroups.find(({ id }) => id.toLowerCase() === scope.toLowerCase());
    if (group !== undefined) return group.provisioners.includes(principalId);
    if (ofPrincipal.length === 0) return itself !== undefined && isGroup(scope);
    const ofApplications = dependencies.filter((dependency) =>
      ofPrincipal.some(
        ({ application, revoked }) => revoked !== true && application === dependency.application,
      ),
    );
    return ofApplications.some(({ resourceId }) => resourceId !== '' && isInScope(scope, resourceId));
  };
}

/** Tells whether the assignment gives the grant: a role on exactly its scope, a secret also through its versions. */
function isGrantOf(
  { role, scope }: RoleAssignment,
  granted: Granted,
  vaults: VerifiedOutputs['vaults'],
): boolean {
  const wanted = roleOf(granted, vaults);
  if (role !== wanted.role) return false;
  return isRole(granted)
    ? scope.toLowerCase() === wanted.scope.toLowerCase()
    : isInScope(scope, wanted.scope);
}

/** Tells whether the stack created the policy: a granted identity may get secrets, and nothing else. */
function isGrant({ objectId, permissions }: AccessPolicy, granted: ReadonlySet<string>): boolean {
  return granted.has(objectId) && permissions.join() === 'secrets get';
}

function subscriptionOf(scope: string): string {
  return scope.split('/')[2]?.toLowerCase() ?? '';
}

function foreignGrant(
  { name: on }: GrantedResource,
  { id, principalId, role, scope }: RoleAssignment,
): ForeignAccess {
  const what = `${principalId} has the role ${builtInRoleName(role) ?? roleName(role) ?? role} on ${scope}, which this stack did not assign`;
  return { on, id, what, removal: assignmentRemoval(id) };
}

function foreignPolicy(
  { name: on, id = '' }: GrantedResource,
  { objectId, permissions }: AccessPolicy,
): ForeignAccess {
  const what = `${objectId} has an access policy (${permissions.join(', ')}) that this stack did not create`;
  return { on, what, removal: policyRemoval(id, objectId) };
}
