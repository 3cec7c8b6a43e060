import { builtInRoles, roleAssignmentName, stackTag, stackTagValue } from '../stacks/offline';
import type { Access, AccessPolicy, RoleAssignment } from './access';
import type { VerifiedOutputs } from './checks';
import type { TrustResults } from './foreignTrust';
import type { CheckResult } from './report';
import { reasonOf, type Unlisted } from './vaultInventory';

/** By their GUIDs. */
const roleNames = new Map<string, keyof typeof builtInRoles>(
  Object.entries(builtInRoles).map(([name, id]) => [id, name as keyof typeof builtInRoles]),
);

/**
 * Checks that nobody else gave access by the vaults and identities that the stack made: role assignments on them, role
 * assignments of the identities, and access policies. Never rejects.
 */
export async function checkGrants(
  outputs: VerifiedOutputs,
  access: Pick<Access, 'listAssignments' | 'listPrincipals' | 'readVault'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<TrustResults> {
  const unlisted: Unlisted[] = [];
  const unless = <T>(name: string, run: () => Promise<T>): Promise<T | undefined> =>
    limited(run).catch((error: unknown) => void unlisted.push({ name, reason: reasonOf(error) }));
  const subscription = `/subscriptions/${outputs.subscriptionId}`;
  const group = `${subscription}/resourceGroups/${outputs.resourceGroup}`;
  const [assignments, principals = new Map<string, string>(), vaults] = await Promise.all([
    // Who deploys need not be allowed to read anything outside the group.
    unless(`subscription ${outputs.subscriptionId}`, () => access.listAssignments(subscription)).then(
      (all) => all ?? unless(`resource group ${outputs.resourceGroup}`, () => access.listAssignments(group)),
    ),
    unless('the identities', () => access.listPrincipals(group)),
    Promise.all(
      Object.entries(outputs.vaults).map(async ([name, vault]) => {
        const found = await unless(`vault ${name}`, () => access.readVault(vault.id));
        // Others have their own grants on a vault that the stack did not make.
        const isMade = found?.tags[stackTag] === stackTagValue(outputs.environment);
        return isMade ? [{ name, vault, policies: found.policies }] : [];
      }),
    ),
  ]);
  const isMade = madeBy(outputs, principals);
  let foreign = assignments?.filter((one) => !isMade(one)) ?? [];
  /** Each is reported once, although it may be both on a vault and of an identity. */
  const take = (belongs: (assignment: RoleAssignment) => boolean): string[] => {
    const taken = foreign.filter(belongs);
    foreign = foreign.filter((one) => !taken.includes(one));
    return taken.map(removal);
  };
  const checks = [
    ...vaults.flat().map(({ name, vault: { id, access: mode }, policies }) => {
      const readers = outputs.workloads.filter(({ grants }) => grants.some(({ vault }) => vault === name));
      const granted = new Set(readers.map(({ identity }) => identity.principalId));
      // A vault with role assignments ignores its access policies.
      const strange = mode === 'rbac' ? [] : policies.filter((policy) => !isGrant(policy, granted));
      return checkOf('-', name, [
        ...take(({ scope }) => isWithin(scope, id)),
        ...strange.map((policy) => policyRemoval(id, policy)),
      ]);
    }),
    ...outputs.identities.flatMap(({ cluster, name, id }) => {
      const principal = principals.get(id.toLowerCase());
      if (principal === undefined) return [];
      const isOf = (one: RoleAssignment) => isWithin(one.scope, id) || one.principalId === principal;
      return [checkOf(cluster, name, take(isOf))];
    }),
  ];
  // Where nothing could be listed, a check that found nothing says nothing.
  return { checks: checks.filter(({ ok }) => !ok || assignments !== undefined), unlisted };
}

function checkOf(cluster: string, application: string, foreign: readonly string[]): CheckResult {
  const ok = foreign.length === 0;
  const detail = ok ? 'no others' : foreign.join('; ');
  return { cluster, application, check: 'has only the grants of the stack', ok, detail };
}

/** Whether the stack made a role assignment, as far as its outputs say. */
function madeBy(
  { workloads, vaults, identities, dependencies }: VerifiedOutputs,
  principals: ReadonlyMap<string, string>,
): (assignment: RoleAssignment) => boolean {
  const own = new Map(identities.map(({ id }) => [principals.get(id.toLowerCase()), id]));
  return ({ name, principalId, role, scope }) => {
    const itself = own.get(principalId);
    // The service operator's identity reads itself.
    if (role === builtInRoles.reader && itself !== undefined && isWithin(scope, itself)) return true;
    const runs = workloads.filter(({ identity }) => identity.principalId === principalId);
    const secrets = runs.flatMap(({ grants }) =>
      grants.map(({ vault, secret }) => `${vaults[vault]?.id ?? ''}/secrets/${secret}`),
    );
    if (role === builtInRoles.keyVaultSecretsUser && secrets.some((id) => isWithin(scope, id))) return true;
    // Which roles it assigned on services, and on their groups, is not in the outputs: the names of these tell.
    const known = roleNames.get(role);
    if (known === undefined || roleAssignmentName(scope, principalId, known) !== name) return false;
    if (runs.length === 0) return itself !== undefined && /^(\/[^/]+){4}$/.test(scope);
    const mine = dependencies.filter((one) =>
      runs.some(({ application }) => application === one.application),
    );
    return mine.some(({ resourceId }) => resourceId !== '' && isWithin(scope, resourceId));
  };
}

function isWithin(scope: string, id: string): boolean {
  return `${scope}/`.toLowerCase().startsWith(`${id}/`.toLowerCase());
}

/** Whether the policy is as the stack makes it: an identity that it granted may get secrets, and nothing else. */
function isGrant({ objectId, permissions }: AccessPolicy, granted: ReadonlySet<string>): boolean {
  return granted.has(objectId) && permissions.join() === 'secrets get';
}

function removal({ id, principalId, role, scope }: RoleAssignment): string {
  return `${principalId} has the role ${roleNames.get(role) ?? role} on ${scope}, which this stack did not assign; remove it: az role assignment delete --ids ${id}`;
}

function policyRemoval(vault: string, { objectId, permissions }: AccessPolicy): string {
  const [, , subscription = '', , , , , , name = ''] = vault.split('/');
  return `${objectId} has an access policy (${permissions.join(', ')}) that this stack did not make; remove it: az keyvault delete-policy --subscription ${subscription} --name ${name} --object-id ${objectId}`;
}
