import type * as pulumi from '@pulumi/pulumi';
import { RoleGrants } from '../../components/access/roleGrants';
import type { GrantedRole } from '../plan';
import type { EnvironmentContext } from './context';

/** The principal that gets roles. */
export interface RoleHolder {
  /** Name in the stack. */
  readonly key: string;
  readonly principalId: pulumi.Output<string>;
  readonly isGroup?: boolean;
}

/** Assigns the roles of an identity or a group on existing resources; nothing if it has none. */
export function deployRoleGrants(
  { settings, group }: EnvironmentContext,
  { key, principalId, isGroup }: RoleHolder,
  roles: readonly GrantedRole[],
  parent?: pulumi.Resource,
): RoleGrants[] {
  if (roles.length === 0) return [];
  return [
    new RoleGrants(
      `${key}/roles`,
      { principalId, isGroup, roles: [...roles], importedAssignments: settings.imported?.roleAssignments },
      { parent, ...group.opts },
    ),
  ];
}
