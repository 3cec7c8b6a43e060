import * as pulumi from '@pulumi/pulumi';
import { RoleGrants } from '../../components/access/roleGrants';
import type { KeyVault } from '../../components/vault/keyVault';
import type { GrantedRole } from '../plan';
import type { EnvironmentContext } from './context';

/** Who gets roles. */
export interface RoleHolder {
  /** Name in the stack. */
  readonly key: string;
  readonly principalId: pulumi.Output<string>;
  readonly isGroup?: boolean;
}

/** The roles of an identity or a group; nothing if it has none. */
export function deployRoleGrants(
  { settings, group, servicesGroups }: EnvironmentContext,
  { key, principalId, isGroup }: RoleHolder,
  roles: readonly GrantedRole[],
  vaults: ReadonlyMap<string, KeyVault>,
  parent?: pulumi.Resource,
): RoleGrants[] {
  if (roles.length === 0) return [];
  const isNamed = (segment: string) =>
    roles.some(({ scope }) => `${scope}/`.toLowerCase().includes(`/${segment}/`.toLowerCase()));
  // A role may be on something that the stack makes, which must exist then.
  const made = [
    ...[...vaults].filter(([name]) => isNamed(`vaults/${name}`)).map(([, { id }]) => id),
    ...[...servicesGroups].filter(([name]) => isNamed(`resourceGroups/${name}`)).map(([, { id }]) => id),
  ];
  return [
    new RoleGrants(
      `${key}/roles`,
      {
        principalId: pulumi.all([principalId, pulumi.all(made)]).apply(([id]) => id),
        isGroup,
        roles: [...roles],
        importedAssignments: settings.imported?.roleAssignments,
      },
      { parent, ...group.opts },
    ),
  ];
}
