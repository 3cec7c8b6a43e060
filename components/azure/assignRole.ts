import { RoleAssignment } from '@pulumi/azure-native/authorization';
import * as pulumi from '@pulumi/pulumi';
import type { BuiltInRole } from './roles';
import { roleAssignmentName, roleDefinitionId } from './roles';

/** Who gets which role, and on what. */
export interface AssignedRole {
  /** Resource id on which the role is given. */
  readonly scope: pulumi.Input<string>;
  readonly role: BuiltInRole;
  /** Object id of the identity that gets it. */
  readonly principalId: pulumi.Input<string>;
  /**
   * Name (a GUID) of the assignment, if it existed before: Azure refuses a second one of a role, and the name of the
   * first cannot be changed. Default: a GUID made of scope, identity and role.
   */
  readonly assignmentName?: string;
}

/** Gives an identity a built-in role. */
export function assignRole(
  name: string,
  { scope, role, principalId, assignmentName }: AssignedRole,
  opts: pulumi.CustomResourceOptions,
): RoleAssignment {
  const definition = pulumi.output(scope).apply((id) => roleDefinitionId(id, role));
  return new RoleAssignment(
    name,
    {
      scope,
      roleDefinitionId: definition,
      principalId,
      // Without it a new identity is looked up in Entra, where it may not be seen yet: PrincipalNotFound.
      principalType: 'ServicePrincipal',
      roleAssignmentName:
        assignmentName ??
        pulumi
          .all([scope, principalId, definition])
          .apply(([at, principal, full]) =>
            roleAssignmentName({ scope: at, principalId: principal, roleDefinitionId: full }),
          ),
    },
    opts,
  );
}
