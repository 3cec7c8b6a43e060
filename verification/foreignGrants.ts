import {
  type AssignedRole,
  builtInRoles,
  type Granted,
  isInScope,
  isRole,
  mayAssignEach,
  roleName,
  roleOf,
  rolesIn,
  scopeKind,
  secretsIn,
  stackTag,
  stackTagValue,
} from '../stacks/offline';
import type { Access, AccessPolicy, RoleAssignment } from './access';
import type { VerifiedOutputs } from './checks';
import type { AzureChecks } from './foreignTrust';
import { assignmentRemoval, builtInRoleName, describeForeign, policyRemoval } from './removal';
import type { ForeignAccess } from './removal';
import type { CheckResult } from './report';
import { Refusable } from './unlisted';

/**
 * Checks that nobody else gave access by what the stack made: role assignments on its resource groups, clusters, vaults and
 * identities, role assignments of the identities, and access policies. Never rejects.
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
  const hosted = outputs.hostedClusters.flatMap(({ managementCluster: cluster, components, nodes }) =>
    [...components, ...nodes].map((one) => ({ cluster, ...one })),
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
    // Who deploys need not be allowed to read anything outside the group.
    lists
      .read(`subscription ${outputs.subscriptionId}`, () => access.listAssignments(subscription))
      .then(async (all) =>
        all === undefined
          ? {
              isWhole: false,
              found: await lists.read(`resource group ${outputs.resourceGroup}`, () =>
                access.listAssignments(group),
              ),
            }
          : { isWhole: true, found: all },
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
        const found = await lists.read(`vault ${name}`, () => access.readVault(vault.id));
        // Others have their own grants on a vault that the stack did not make.
        if (found?.tags[stackTag] !== stackTagValue(outputs.environment)) return [];
        const readers = outputs.workloads.filter(({ grants }) =>
          secretsIn(grants).some((one) => one.vault === name && one.group === undefined),
        );
        const granted = new Set([
          ...readers.map(({ identity }) => identity.principalId),
          ...outputs.groups
            .filter(({ grants }) => secretsIn(grants).some((one) => one.vault === name))
            .map(({ objectId }) => objectId),
        ]);
        // A vault with role assignments ignores its access policies.
        const policies =
          vault.access === 'rbac' ? [] : found.policies.filter((policy) => !isGrant(policy, granted));
        return [{ cluster: '-', name, id: vault.id, policies }];
      }),
    ),
  ]);
  const principals = new Map(listed);
  for (const { id, principalId } of outputs.identities)
    if (principalId !== undefined) principals.set(id.toLowerCase(), principalId);
  const isMade = madeBy(outputs, assigned);
  // What is above several of them is in each list.
  const all = [...(assignments ?? []), ...others.flatMap((found) => found ?? [])];
  const every = [...new Map(all.map((one) => [one.id.toLowerCase(), one])).values()];
  const foreign = every.filter((one) => !isMade(one));
  const things: readonly GrantedThing[] = [
    ...vaults.flat(),
    ...outputs.identities.flatMap(({ cluster, name, id }) => {
      const principalId = principals.get(id.toLowerCase());
      return principalId === undefined ? [] : [{ cluster, name, id, principalId, policies: [] }];
    }),
    ...outputs.groups
      .filter(({ isMade }) => isMade)
      .map(({ name, objectId }) => ({ cluster: '-', name, principalId: objectId, policies: [] })),
    // Applications in Entra have no id in Azure, on which a role could be assigned.
    ...hosted
      .filter(({ name }) => !outputs.identities.some((one) => one.name === name))
      .map(({ cluster, name, principalId }) => ({ cluster, name, principalId, policies: [] })),
    ...outputs.resourceGroups
      // Without the whole subscription, those of the services are not listed.
      .filter(({ id }) => isWhole || isInScope(id, group))
      .map(({ id }) => ({ cluster: '-', name: id.split('/').at(-1) ?? '', id, policies: [] })),
    ...Object.entries(outputs.clusters).flatMap(([name, { mode, id }]) =>
      mode === 'create' && id !== undefined ? [{ cluster: '-', name, id, policies: [] }] : [],
    ),
  ];
  const found = things.map((thing) => {
    // Each is reported once, although it may be both on a vault and of an identity.
    const own = foreign.filter((one) => things.find((any) => concerns(one, any)) === thing);
    return {
      thing,
      foreign: [
        ...own.map((one) => foreignGrant(thing, one)),
        ...thing.policies.map((one) => foreignPolicy(thing, one)),
      ],
    };
  });
  const checks = found.map(({ thing, foreign: given }) => checkOf(thing, given));
  // Where nothing could be listed, a check that found nothing says nothing.
  return {
    checks: checks.filter(({ ok }) => !ok || assignments !== undefined),
    foreign: found.flatMap(({ foreign: given }) => given),
    // One list that is missing would make its roles look so.
    assignments: isWhole && !others.includes(undefined) ? every : undefined,
    unlisted: lists.unlisted,
  };
}

/** A vault, an identity, a group of Entra, a resource group or a cluster that the stack made. */
interface GrantedThing {
  /** Of an identity; otherwise `-`. */
  readonly cluster: string;
  readonly name: string;
  /** Resource id; undefined of an application or a group in Entra. */
  readonly id?: string;
  /** Of an identity or a group. */
  readonly principalId?: string;
  /** Access policies that the stack did not make. */
  readonly policies: readonly AccessPolicy[];
}

/** Whether it is on the thing or in it, or gives the identity a role elsewhere. What is in a resource group may be of others. */
function concerns({ scope, principalId }: RoleAssignment, { id, ...thing }: GrantedThing): boolean {
  const isOnIt = id !== undefined && isInScope(scope, id) && isGroup(scope) === isGroup(id);
  return isOnIt || principalId === thing.principalId;
}

/** Whether the resource id is that of a resource group. */
function isGroup(id: string): boolean {
  return /^(\/[^/]+){4}$/.test(id);
}

function checkOf({ cluster, name }: GrantedThing, foreign: readonly ForeignAccess[]): CheckResult {
  const ok = foreign.length === 0;
  const detail = ok ? 'no others' : foreign.map(describeForeign).join('; ');
  return { cluster, application: name, check: 'has only the grants of the stack', ok, detail };
}

/** Whether the stack made a role assignment, or what opens its access windows did. */
function madeBy(
  { workloads, vaults }: VerifiedOutputs,
  assigned: readonly AssignedRole[],
): (assignment: RoleAssignment) => boolean {
  const keyOf = ({ scope, role, principalId }: AssignedRole) =>
    `${scope} ${role} ${principalId}`.toLowerCase();
  const all = new Set(assigned.map(keyOf));
  const conditionOn = (scope: string) =>
    mayAssignEach(
      workloads.flatMap(({ windows, identity: { principalId } }) =>
        windows
          .map((one) => roleOf(one, vaults))
          .filter((one) => one.scope.toLowerCase() === scope.toLowerCase())
          .map(({ role }) => ({ role, principalId })),
      ),
    );
  return (assignment) => {
    const { principalId, role, scope, condition } = assignment;
    if (all.has(keyOf(assignment)))
      // With another condition, what opens and closes access windows could give anything to anybody. Not by the state, which
      // has that of Azure after a refresh.
      return (
        role !== builtInRoles.rbacAdministrator ||
        condition?.toLowerCase() === conditionOn(scope).toLowerCase()
      );
    // Whether a window is open when it may be is checked of each.
    return workloads
      .filter(({ identity, revoked }) => identity.principalId === principalId && revoked !== true)
      .some(({ windows }) => windows.some((one) => isGrantOf(assignment, one, vaults)));
  };
}

/** Whether something is granted by the assignment: a role on exactly its scope, a secret also by one of its versions. */
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

/** Whether the policy is as the stack makes it: an identity that it granted may get secrets, and nothing else. */
function isGrant({ objectId, permissions }: AccessPolicy, granted: ReadonlySet<string>): boolean {
  return granted.has(objectId) && permissions.join() === 'secrets get';
}

function subscriptionOf(scope: string): string {
  return scope.split('/')[2]?.toLowerCase() ?? '';
}

function foreignGrant(
  { name: on }: GrantedThing,
  { id, principalId, role, scope }: RoleAssignment,
): ForeignAccess {
  const what = `${principalId} has the role ${builtInRoleName(role) ?? roleName(role) ?? role} on ${scope}, which this stack did not assign`;
  return { on, id, what, removal: assignmentRemoval(id) };
}

function foreignPolicy(
  { name: on, id = '' }: GrantedThing,
  { objectId, permissions }: AccessPolicy,
): ForeignAccess {
  const what = `${objectId} has an access policy (${permissions.join(', ')}) that this stack did not make`;
  return { on, what, removal: policyRemoval(id, objectId) };
}
