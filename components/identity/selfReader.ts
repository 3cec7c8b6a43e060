import type { RoleAssignment } from '@pulumi/azure-native/authorization';
import { assignRole } from '../azure/assignRole';
import type { ManagedIdentity } from './managedIdentity';

/**
 * Lets an identity read itself, and nothing else: the smallest right by which can be seen that it signs in.
 * @param imported names (GUIDs) of role assignments that existed before, by their names in the stack
 */
export function selfReader(
  name: string,
  identity: ManagedIdentity,
  imported: Readonly<Record<string, string>> = {},
): RoleAssignment {
  const { id: scope, principalId } = identity;
  const assignmentName = imported[name];
  return assignRole(
    name,
    { scope, role: 'reader', principalId, ...(assignmentName !== undefined && { assignmentName }) },
    { parent: identity },
  );
}
