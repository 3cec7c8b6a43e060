import type { RoleAssignment } from '@pulumi/azure-native/authorization';
import { assignRole } from '../azure/assignRole';
import type { ManagedIdentity } from './managedIdentity';

/**
 * Assigns an identity the role to read itself, and nothing else. It is the smallest right that proves a sign-in.
 * @param imported names (GUIDs) of existing role assignments, by their names in the stack
 */
export function selfReader(
  name: string,
  identity: ManagedIdentity,
  imported: Readonly<Record<string, string>> = {},
): RoleAssignment {
  const { id: scope, principalId } = identity;
  return assignRole(
    name,
    { scope, role: 'reader', principalId, assignmentName: imported[name] },
    { parent: identity },
  );
}
