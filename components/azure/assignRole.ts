import { RoleAssignment } from '@pulumi/azure-native/authorization';
import * as pulumi from '@pulumi/pulumi';
import type { Role } from './roles';
import { roleAssignmentName, roleDefinitionId } from './roles';

/** A role assignment. */
export interface AssignedRole {
  /** Resource id on which the role is assigned. */
  readonly scope: pulumi.Input<string>;
  readonly role: pulumi.Input<Role>;
  /** Object id of the identity or the group that gets the role. */
  readonly principalId: pulumi.Input<string>;
  /** True if the principal is a group. Default: false. */
  readonly isGroup?: boolean | undefined;
  /**
   * Name (a GUID) of an existing assignment: Azure refuses a second assignment of the role, and the name of the first
   * cannot be changed. Default: a GUID derived from scope, identity and role.
   */
  readonly assignmentName?: string | undefined;
  /**
   * Condition that limits the role, for example to roles and principals that an `rbacAdministrator` may assign. Its syntax
   * is version 2.0. Default: none.
   */
  readonly condition?: pulumi.Input<string> | undefined;
}

/** Assigns a role to an identity or a group. */
export function assignRole(
  name: string,
  { scope, role, principalId, isGroup = false, assignmentName, condition }: AssignedRole,
  opts: pulumi.CustomResourceOptions,
): RoleAssignment {
  return new RoleAssignment(
    name,
    {
      scope,
      roleDefinitionId: pulumi.all([scope, role]).apply(([id, its]) => roleDefinitionId(id, its)),
      principalId,
      // Without it, Azure looks up a new identity in Entra, where it may not be visible yet: PrincipalNotFound.
      principalType: isGroup ? 'Group' : 'ServicePrincipal',
      roleAssignmentName:
        assignmentName ??
        pulumi
          .all([scope, principalId, role])
          .apply(([on, principal, its]) => roleAssignmentName(on, principal, its)),
      ...(condition !== undefined && { condition, conditionVersion: '2.0' }),
    },
    opts,
  );
}
