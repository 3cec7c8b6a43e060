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
}

/** The roles that a stack assigned, by its state. Those that access windows open are not in it. */
export function assignedIn({ resources }: RegisteredStack): AssignedRole[] {
  return resources
    .filter(({ urn }) => typeIn(urn) === 'azure-native:authorization:RoleAssignment')
    .map(({ inputs: { scope, roleDefinitionId, principalId } }) => ({
      ...{ scope: textOf(scope), role: roleIn(roleDefinitionId), principalId: textOf(principalId) },
    }));
}
