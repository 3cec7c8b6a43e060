import {
  builtInRoles,
  roleGuidOf,
  roleNames,
  rolesGivingAccess,
  rolesReadingSecrets,
} from '../../components/azure/roles';
import { scopeKind } from '../../components/azure/scope';
import { vaultType } from '../../components/azure/resourceId';
import { grantedKey, planRoles, rolesByGroup } from '../plan';
import { grantLists } from '../settings/grantLists';
import { nearestOnes } from '../settings/nearest';
import type { Path, Problem } from '../settings/problem';
import { valueAt } from '../settings/problem';
import type { RoleSettings } from '../settings/schema/roles';
import type { Check } from './context';
import { repeated } from './context';

const secretOfVault = new RegExp(`/providers/${vaultType}/[^/]+/secrets(/|$)`, 'i');

const partOfVault = new RegExp(`/providers/${vaultType}/[^/]+/(secrets|certificates)/[^/]+$`, 'i');

/** Returns a key that is the same for the same role on the same scope. */
export const keyOf = (role: RoleSettings): string => planRoles([role]).map(grantedKey).join();

export const roleChecks: readonly Check[] = [
  function* (given) {
    for (const { path, roles } of grantLists(given)) {
      for (const [index, role] of roles.entries())
        yield* roleProblems([...path, 'roles', index], role, given.given);
      for (const { index, item } of repeated(roles, keyOf))
        yield {
          path: [...path, 'roles', index],
          value: JSON.stringify(item.role),
          what: 'is in the list already, on the same scope',
          allowed: 'each role once on a scope',
          hint: 'Remove one of them.',
        };
    }
  },

  /** A role that its group has as well stays when the application's own is removed. */
  function* ({ applications, groups }) {
    for (const application of applications) {
      const byGroup = new Map(rolesByGroup(groups, application).map((one) => [grantedKey(one), one.group]));
      for (const [index, role] of application.roles.entries()) {
        const group = byGroup.get(keyOf(role));
        if (group !== undefined)
          yield {
            path: [...application.path, 'roles', index],
            value: JSON.stringify(role.role),
            what: `is a role of the group ${group} as well, so that taking it from here would revoke nothing, and a removal from a group takes effect with the next token only, up to 24 hours later`,
            hint: `Remove it here, or, if it must be revocable within minutes, take it out of the group ${group}.`,
          };
      }
    }
  },
];

function* roleProblems(
  path: Path,
  { role, scope, scopeWiderThanResource }: RoleSettings,
  given: unknown,
): Generator<Problem> {
  const guid = roleGuidOf(role);
  const value = JSON.stringify(role);
  if (guid === undefined) {
    const near = nearestOnes(role, roleNames).slice(0, 3);
    yield {
      path: [...path, 'role'],
      value,
      what: 'is not the name of a well-known role',
      allowed:
        'the name of a well-known built-in role of Azure, or the id of the definition of any other role',
      hint: `${near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `}\`az role definition list --name "${role}" --query "[].id"\` prints the id of a role.`,
    };
  }
  const giving = rolesGivingAccess[guid ?? ''];
  if (giving !== undefined)
    yield {
      path: [...path, 'role'],
      value,
      what: `lets whoever has it give roles to itself and to others, and so take any access there${giving === role ? '' : `: it is ${giving}`}`,
      allowed: 'roles with which no access can be given',
      hint: 'Name a role for what the application does.',
    };
  if (secretOfVault.test(scope))
    yield {
      path: [...path, 'scope'],
      value: JSON.stringify(scope),
      what: 'is a secret of a vault, which is granted by its name',
      allowed: 'anything but secrets of vaults',
      hint: 'Name the secret in `secrets`.',
    };
  const kind = scopeKind(scope);
  // The policies do not see the role assignments that a reconciler makes.
  const reading = rolesReadingSecrets[guid ?? ''];
  if (reading !== undefined && !partOfVault.test(scope))
    yield {
      path: [...path, 'scope'],
      value: JSON.stringify(scope),
      what: `is more than one secret, and ${reading} reads all that are there and will be`,
      allowed: 'for this role, single certificates; secrets are named in `secrets`',
      hint: 'Name the secrets that the application reads in `secrets`.',
    };
  if (guid === builtInRoles.contributor && ['subscription', 'management group'].includes(kind ?? ''))
    yield {
      path: [...path, 'scope'],
      value: JSON.stringify(scope),
      what: 'is more than a resource group, and Contributor changes everything in it',
      allowed: 'for this role, a resource group or a resource',
      hint: 'Name that, or a role for what the application does.',
    };
  const isWide = kind !== undefined && kind !== 'resource';
  // A wrong value is reported as such.
  const isGiven = valueAt(given, [...path, 'scopeWiderThanResource']) !== undefined;
  if (isWide && !isGiven)
    yield {
      path: [...path, 'scopeWiderThanResource'],
      what: `is missing: the role would be on the ${kind} ${scope}, and so on every resource in it, also on those that others add later`,
      allowed: 'accepted',
      hint: 'Name the resource that the application uses; or, if all of them are meant, add `scopeWiderThanResource: accepted`.',
    };
  if (!isWide && scopeWiderThanResource !== undefined)
    yield {
      path: [...path, 'scopeWiderThanResource'],
      value: JSON.stringify(scopeWiderThanResource),
      what: 'has no meaning on a single resource',
      hint: 'Remove it.',
    };
}
