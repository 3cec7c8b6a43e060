import {
  builtInRoles,
  roleGuidOf,
  roleNames,
  rolesGivingAccess,
  rolesReadingSecrets,
} from '../../components/azure/roles';
import { scopeKind } from '../../components/azure/scope';
import { vaultType } from '../../components/azure/resourceId';
import { grantedKey, planRoles } from '../plan';
import { grantLists } from '../settings/grantLists';
import { nearestOnes } from '../settings/nearest';
import type { Path, Problem } from '../settings/problem';
import type { RoleSettings } from '../settings/schema/roles';
import type { Check } from './context';
import { repeated } from './context';

const secretOfVault = new RegExp(`/providers/${vaultType}/[^/]+/secrets(/|$)`, 'i');

const partOfVault = new RegExp(`/providers/${vaultType}/[^/]+/(secrets|certificates)/[^/]+$`, 'i');

/** Returns a key that is the same for the same role on the same scope. */
export const keyOf = (role: RoleSettings): string => planRoles([role]).map(grantedKey).join();

export const roleChecks: readonly Check[] = [
  function* (input) {
    for (const { path, roles } of grantLists(input)) {
      for (const [index, role] of roles.entries()) yield* roleProblems([...path, 'roles', index], role);
      for (const { index, item } of repeated(roles, keyOf))
        yield {
          path: [...path, 'roles', index],
          value: JSON.stringify(item.role),
          what: 'is already in the list, on the same scope',
          allowed: 'each role once per scope',
          hint: 'Remove one of them.',
        };
    }
  },
];

function* roleProblems(
  path: Path,
  { role, scope, scopeWiderThanResource }: RoleSettings,
): Generator<Problem> {
  const guid = roleGuidOf(role);
  if (guid === undefined) {
    const near = nearestOnes(role, roleNames).slice(0, 3);
    yield {
      path: [...path, 'role'],
      what: 'is not the name of a well-known role',
      allowed: 'the name of a well-known built-in role of Azure, or the role definition id of any other role',
      hint: `${near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `}\`az role definition list --name "${role}" --query "[].id"\` prints the id of a role.`,
    };
  }
  const giving = rolesGivingAccess[guid ?? ''];
  if (giving !== undefined)
    yield {
      path: [...path, 'role'],
      what: `lets its holder assign roles to itself and to others, and so gain any access there${giving === role ? '' : `: it is ${giving}`}`,
      allowed: 'roles that cannot grant access',
      hint: 'Name a role that covers only what the application does.',
    };
  if (secretOfVault.test(scope))
    yield {
      path: [...path, 'scope'],
      what: 'is a secret of a vault, and secrets are granted by name',
      allowed: 'anything but secrets of vaults',
      hint: 'Name the secret in `secrets`.',
    };
  const kind = scopeKind(scope);
  // The policies do not see the role assignments that a reconciler makes.
  const reading = rolesReadingSecrets[guid ?? ''];
  if (reading !== undefined && !partOfVault.test(scope))
    yield {
      path: [...path, 'scope'],
      what: `covers more than one secret, and ${reading} reads all current and future ones`,
      allowed: 'for this role, only single certificates; name secrets in `secrets`',
      hint: 'Name the secrets that the application reads in `secrets`.',
    };
  if (guid === builtInRoles.contributor && ['subscription', 'management group'].includes(kind ?? ''))
    yield {
      path: [...path, 'scope'],
      what: 'is wider than a resource group, and Contributor can change everything in it',
      allowed: 'for this role, a resource group or a resource',
      hint: 'Name such a scope, or a role that covers only what the application does.',
    };
  const isWide = kind !== undefined && kind !== 'resource';
  if (isWide && scopeWiderThanResource === undefined)
    yield {
      path: [...path, 'scopeWiderThanResource'],
      what: `is missing: the role would cover the ${kind} ${scope} and every resource in it, including those that others add later`,
      allowed: 'accepted',
      hint: 'Name the resource that the application uses. If all of them are intended, add `scopeWiderThanResource: accepted`.',
    };
  if (!isWide && scopeWiderThanResource !== undefined)
    yield {
      path: [...path, 'scopeWiderThanResource'],
      what: 'has no effect on a single resource',
      hint: 'Remove it.',
    };
}
