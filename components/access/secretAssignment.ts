import { apiVersions, resourceUrl } from '../azure/resourceManager';
import { roleAssignmentName, roleDefinitionId } from '../azure/roles';

/** The role that opens a secret. */
export const openingRole = 'keyVaultSecretsUser';

/** Path of role assignments below their scope. */
export const assignmentsPath = 'providers/Microsoft.Authorization/roleAssignments';

/** The role assignment by which an identity can read a secret. */
export interface SecretAssignment {
  /** Resource id. */
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
}

/**
 * @param scope resource id of the secret
 * @param principalId object id of the identity's service principal
 */
export function secretAssignment(scope: string, principalId: string, description: string): SecretAssignment {
  return {
    id: `${scope}/${assignmentsPath}/${roleAssignmentName(scope, principalId, openingRole)}`,
    properties: {
      roleDefinitionId: roleDefinitionId(scope, openingRole),
      principalId,
      principalType: 'ServicePrincipal',
      description,
    },
  };
}

/** Address of a role assignment at a resource manager. */
export function assignmentUrl(endpoint: string, id: string): string {
  return resourceUrl(endpoint, id, apiVersions.assignments);
}
