import type { AssignedRole } from '../stacks/access/assigned';
import { builtInRoles, roleName } from '../components/azure/roles';
import {
  everGranted,
  type Granted,
  isRole,
  roleOf,
  rolesAtTimes,
  rolesIn,
  secretsIn,
} from '../stacks/plan/granted';
import { isInScope } from '../components/azure/resourceId';
import { mayAssignEach } from '../components/azure/assignmentCondition';
import { partsOf } from '../stacks/outputs/hostedClusterOutput';
import { scopeKind } from '../components/azure/scope';
import { secretsNamedOn } from '../stacks/access/vaults';
import { stackTag } from '../stacks/settings/schema/fields';
import { stackTagValue } from '../stacks/plan/tags';
import type { Access, AccessPolicy, RoleAssignment } from './access';
import type { VerifiedOutputs } from './checks';
import type { AzureChecks } from './foreignTrust';
import { assignmentRemoval, describeForeign, policyRemoval } from './removal';
import type { ForeignAccess } from './removal';
import type { CheckResult } from './results';
import { Refusable } from './unlisted';

/**
 * Checks that no access to the stack's resources was granted outside the stack: role assignments on its resource groups,
 * clusters, vaults and identities, role assignments of the identities, and access policies. Never rejects.
 */
export async function checkGrants(
  outputs: VerifiedOutputs,
  assigned: readonly AssignedRole[],
  access: Pick<Access, 'listAssignments' | 'listPrincipals' | 'readVault'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<AzureChecks & { assignments: readonly RoleAssignment[] | undefined }> {
  const lists = new Refusable(limited);
  const subscription = `/subscriptions/${outputs.subscriptionId}`;
  const group = `${subscription}/resourceGroups/${outputs.resourceGroup}`;
  const parts = partsOf(outputs);
  const ofParts = parts.flatMap(({ identities }) => identities);
  const scopes = [
    ...ofParts.flatMap(({ roles }) => roles.map(({ scope }) => scope)),
    ...secretsOf(parts).flatMap(({ vault }) => outputs.vaults[vault]?.id ?? []),
  ];
  const roleScopes = [
    ...rolesIn(outputs.workloads.flatMap(everGranted)),
    ...outputs.groups.flatMap(({ grants }) => rolesIn(grants)),
  ].map(({ scope }) => scope);
  const managementGroups = roleScopes.filter((scope) => scopeKind(scope) === 'management group');
  const elsewhere = new Set(
    [...scopes, ...roleScopes].filter((scope) => !managementGroups.includes(scope)).map(subscriptionOf),
  );
  elsewhere.delete(outputs.subscriptionId.toLowerCase());
  const [{ isWhole, found: assignments }, others, listed = [], vaults] = await Promise.all([
    // An account that may deploy may still lack permission to read outside the group.
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
        // A vault that the stack did not create can have grants of others.
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
  const isOfStack = createdBy(outputs, parts, assigned);
  const listedAssignments = [...(assignments ?? []), ...others.flatMap((list) => list ?? [])];
  // Assignments above several scopes are in several lists.
  const unique = [
    ...new Map(listedAssignments.map((assignment) => [assignment.id.toLowerCase(), assignment])).values(),
  ];
  const foreign = unique.filter((assignment) => !isOfStack(assignment));
  // What a cell that could not be read assigned would count as foreign.
  const isComplete = outputs.isIncomplete !== true;
  const resources: readonly GrantedResource[] = [
    // Other cells grant access to them as well: they are checked with the whole environment.
    ...(outputs.cell === undefined && isComplete ? vaults.flat() : []),
    ...outputs.identities.flatMap(({ cluster, name, id }) => {
      const principalId = principals.get(id.toLowerCase());
      return principalId === undefined ? [] : [{ cluster, name, id, principalId, policies: [] }];
    }),
    ...outputs.groups
      .filter(({ isMade }) => isMade)
      .map(({ name, objectId }) => ({ cluster: '-', name, principalId: objectId, policies: [] })),
    // Applications in Entra have no resource id on which a role could be assigned.
    ...ofParts
      .filter(({ name }) => !outputs.identities.some((identity) => identity.name === name))
      .map(({ cluster, name, principalId }) => ({ cluster, name, principalId, policies: [] })),
    ...outputs.resourceGroups
      // The services' groups are listed only with the whole subscription.
      .filter(({ id }) => isComplete && (isWhole || isInScope(id, group)))
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
    // If a list is missing, its role assignments would appear to be missing.
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
 * Tells whether an assignment is on the resource or in it, or assigns the identity a role elsewhere. Resources in a resource
 * group are ignored for the group, because they may belong to others.
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

const secretsOf = (parts: ReturnType<typeof partsOf>) => parts.flatMap(({ reader }) => reader?.secrets ?? []);

/** Returns a function that tells whether the stack, or its reconciler, created a role assignment. */
function createdBy(
  { workloads, vaults, groups }: VerifiedOutputs,
  parts: ReturnType<typeof partsOf>,
  assigned: readonly AssignedRole[],
): (assignment: RoleAssignment) => boolean {
  const keyOf = ({ scope, role, principalId }: Omit<AssignedRole, 'isGrant'>) =>
    `${scope} ${role} ${principalId}`.toLowerCase();
  const assignedByKey = new Map(assigned.map((role) => [keyOf(role), role]));
  const atTimes = rolesAtTimes(workloads, vaults);
  const conditionOn = (scope: string) =>
    mayAssignEach(
      atTimes
        .filter((grant) => grant.scope.toLowerCase() === scope.toLowerCase())
        .map(({ role, workload }) => ({ role, principalId: workload.identity.principalId })),
    );
  const grantsOf = (id: string): Granted[] => [
    ...workloads
      .filter(({ identity }) => identity.principalId === id)
      .flatMap(({ grants }) => grants.filter(({ group }) => group === undefined)),
    ...groups.filter(({ objectId }) => objectId === id).flatMap(({ grants }) => grants),
    // The nodes of a management cluster read these.
    ...secretsOf(parts.filter(({ reader }) => reader?.principalId === id)),
  ];
  const isGranted = (assignment: RoleAssignment): boolean => {
    const { principalId, scope } = assignment;
    const granted = grantsOf(principalId);
    const onSecrets = secretsNamedOn(assignment)?.map((name) => `${scope}/secrets/${name}`) ?? [scope];
    return onSecrets.every((on) =>
      granted.some((grant) => isGrantOf({ ...assignment, scope: on }, grant, vaults)),
    );
  };
  return (assignment) => {
    const { principalId, role, scope, condition } = assignment;
    const assignedRole = assignedByKey.get(keyOf(assignment));
    // If Azure refused to remove a grant, it is still in the state, but not in the outputs.
    const isLeft = assignedRole?.isGrant === true && !isGranted(assignment);
    if (assignedRole !== undefined && !isLeft)
      // With another condition, the reconciler could grant anything to anyone. The state is no reference, because a refresh
      // copies Azure's condition into it.
      return (
        role !== builtInRoles.rbacAdministrator ||
        condition?.toLowerCase() === conditionOn(scope).toLowerCase()
      );
    // Another check compares each of them with its windows.
    return atTimes
      .filter(({ workload }) => workload.identity.principalId === principalId && workload.revoked !== true)
      .some(({ granted }) => isGrantOf(assignment, granted, vaults));
  };
}

/** Tells whether the assignment implements the grant: a role on exactly its scope; for a secret, also on its versions. */
function isGrantOf(
  { role, scope }: RoleAssignment,
  granted: Granted,
  vaults: VerifiedOutputs['vaults'],
): boolean {
  const expected = roleOf(granted, vaults);
  if (role !== expected.role) return false;
  return isRole(granted)
    ? scope.toLowerCase() === expected.scope.toLowerCase()
    : isInScope(scope, expected.scope);
}

/** Tells whether the stack created the policy: it allows a granted identity to get secrets, and nothing else. */
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
  const what = `${principalId} has the role ${roleName(role) ?? role} on ${scope}, which this stack did not assign`;
  return { on, id, what, removal: assignmentRemoval(id) };
}

function foreignPolicy(
  { name: on, id = '' }: GrantedResource,
  { objectId, permissions }: AccessPolicy,
): ForeignAccess {
  const what = `${objectId} has an access policy (${permissions.join(', ')}) that this stack did not create`;
  return { on, what, removal: policyRemoval(id, objectId) };
}
