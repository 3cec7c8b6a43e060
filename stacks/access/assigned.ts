import { builtInRoles } from '../../components/azure/roles';
import { textOf } from '../../components/resource/fields';
import { typeIn, type RegisteredStack } from './registered';
import { roleIn } from './roles';

/** A role that a stack assigned. */
export interface AssignedRole {
  readonly scope: string;
  /** GUID of the role's definition. */
  readonly role: string;
  /** Object id of who has it. */
  readonly principalId: string;
  /** True if the outputs have it too, as a secret or role of an application or group. */
  readonly isGrant: boolean;
}

/** The roles that a stack assigned, by its state. Those that a reconciler assigns are not in it. */
export function assignedIn({ resources }: RegisteredStack): AssignedRole[] {
  return resources
    .filter(({ urn }) => typeIn(urn) === 'azure-native:authorization:RoleAssignment')
    .map(({ urn, inputs: { scope, roleDefinitionId, principalId } }) => {
      const role = roleIn(roleDefinitionId);
      const isGrant = role === builtInRoles.keyVaultSecretsUser || urn.includes('access:RoleGrants$');
      return { scope: textOf(scope), role, principalId: textOf(principalId), isGrant };
    });
}
