import type { ApplicationSettings, GroupSettings } from '../settings/schema';
import type { GrantedRole } from './granted';
import { grantedKey } from './granted';
import { planRoles } from './roles';
import { secretsReadBy } from './secrets';

/** A role that an application has as a member of a group. */
export interface RoleByGroup extends GrantedRole {
  readonly group: string;
}

/** Returns the roles that the application has as a member of groups, each once. */
export function rolesByGroup(
  groups: readonly Pick<GroupSettings, 'name' | 'roles'>[],
  application: Pick<ApplicationSettings, 'groups'>,
): RoleByGroup[] {
  const all = groups
    .filter(({ name }) => application.groups.includes(name))
    .flatMap(({ name, roles }) => planRoles(roles).map((role) => ({ ...role, group: name })));
  return [...new Map(all.toReversed().map((role) => [grantedKey(role), role])).values()].toReversed();
}

/** A secret that an application reads as a member of a group. */
export interface SecretByGroup {
  readonly secret: string;
  readonly group: string;
}

/** Returns the secrets that the application reads as a member of groups, each once. */
export function secretsByGroup(
  groups: readonly Pick<GroupSettings, 'name' | 'secrets'>[],
  application: Pick<ApplicationSettings, 'groups'>,
): SecretByGroup[] {
  const named = groups.filter(({ name }) => application.groups.includes(name));
  const all = named.flatMap(({ name, secrets }) => secrets.map((secret) => ({ secret, group: name })));
  return all.filter((grant, place) => all.findIndex(({ secret }) => secret === grant.secret) === place);
}

/** Returns the secrets that the application reads at all times in its vault, with the group for those that it reads as a member. */
export function secretsAlwaysReadBy(
  groups: readonly Pick<GroupSettings, 'name' | 'secrets'>[],
  application: ApplicationSettings,
): { readonly secret: string; readonly group?: string }[] {
  const own = secretsReadBy(application).map((secret) => ({ secret }));
  return [...own, ...secretsByGroup(groups, application)];
}
