import type { ApplicationSettings, GroupSettings, StackSettings } from '../settings/schema';
import type { GrantedRole } from './granted';
import { grantedKey } from './granted';
import { planRoles } from './roles';
import type { ClusterPlan, GroupPlan } from './types';

/** What the display names in Entra of a stack's groups begin with. */
export function groupPrefix(environment: string): string {
  return `sg-${environment}-`;
}

/** The groups of the environment, each with the identities that become its members. */
export function planGroups(
  environment: string,
  { groups, applications, vault, retainOnDelete }: StackSettings,
  clusters: readonly Pick<ClusterPlan, 'settings' | 'identities'>[],
): GroupPlan[] {
  return groups.map((group) => {
    const naming = applications.filter((one) => one.groups.includes(group.name)).map(({ name }) => name);
    return {
      name: group.name,
      displayName: `${groupPrefix(environment)}${group.name}`,
      existing: group.existing,
      // No identity has an underscore in its name.
      grantee: `group_${group.name}`,
      vault: vault.name,
      secrets: group.secrets,
      roles: planRoles(group.roles),
      retainOnDelete: group.retainOnDelete ?? retainOnDelete,
      members: clusters.flatMap(({ settings, identities }) =>
        identities
          .filter(({ applications: here, revoked }) =>
            here.some((name) => naming.includes(name) && revoked?.includes(name) !== true),
          )
          .map(({ key, azureName, existing }) => ({
            cluster: settings.name,
            identity: key,
            azureName: existing?.name ?? azureName,
          })),
      ),
    };
  });
}

/** A role that an application has as a member of a group. */
export interface RoleByGroup extends GrantedRole {
  readonly group: string;
}

/** The roles that the application has as a member of groups, each once. */
export function rolesByGroup(
  groups: readonly Pick<GroupSettings, 'name' | 'roles'>[],
  application: Pick<ApplicationSettings, 'groups'>,
): RoleByGroup[] {
  const all = groups
    .filter(({ name }) => application.groups.includes(name))
    .flatMap(({ name, roles }) => planRoles(roles).map((role) => ({ ...role, group: name })));
  return [...new Map(all.toReversed().map((one) => [grantedKey(one), one])).values()].toReversed();
}

/** A secret that an application reads as a member of a group. */
export interface SecretByGroup {
  readonly secret: string;
  readonly group: string;
}

/** The secrets that the application reads as a member of groups, each once. */
export function secretsByGroup(
  groups: readonly Pick<GroupSettings, 'name' | 'secrets'>[],
  application: Pick<ApplicationSettings, 'groups'>,
): SecretByGroup[] {
  const named = groups.filter(({ name }) => application.groups.includes(name));
  const all = named.flatMap(({ name, secrets }) => secrets.map((secret) => ({ secret, group: name })));
  return all.filter((one, place) => all.findIndex(({ secret }) => secret === one.secret) === place);
}
