import { RoleAssignment } from '@pulumi/azure-native/authorization';
import * as pulumi from '@pulumi/pulumi';
import { roleAssignmentName, roleDefinitionId } from '../azure/roles';
import type { ManagedIdentity } from './managedIdentity';

/**
 * Lets an identity read itself, and nothing else: the smallest right by which can be seen that it signs in.
 * @param adopted names (GUIDs) of role assignments that existed before, by their names in the stack
 */
export function selfReader(
  name: string,
  identity: ManagedIdentity,
  adopted: Readonly<Record<string, string>> = {},
): RoleAssignment {
  const role = identity.id.apply((id) => roleDefinitionId(id, 'reader'));
  return new RoleAssignment(
    name,
    {
      scope: identity.id,
      roleDefinitionId: role,
      principalId: identity.principalId,
      // Without it a new identity is looked up in Entra, where it may not be seen yet: PrincipalNotFound.
      principalType: 'ServicePrincipal',
      roleAssignmentName:
        adopted[name] ??
        pulumi
          .all([identity.id, identity.principalId, role])
          .apply(([scope, principalId, definition]) =>
            roleAssignmentName({ scope, principalId, roleDefinitionId: definition }),
          ),
    },
    { parent: identity },
  );
}
