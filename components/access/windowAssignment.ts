import { apiVersions, resourceUrl } from '../azure/resourceManager';
import { roleAssignmentName, roleDefinitionId } from '../azure/roles';

/** Path of role assignments below their scope. */
export const assignmentsPath = 'providers/Microsoft.Authorization/roleAssignments';

/** The role assignment of an identity while it is open. */
export interface WindowAssignment {
  /** Resource id. */
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
}

/**
 * @param scope resource id of the secret, or of what else the role is on
 * @param guid of the role
 * @param principalId object id of the identity's service principal
 */
export function windowAssignment(
  scope: string,
  guid: string,
  principalId: string,
  description: string,
): WindowAssignment {
  return {
    id: `${scope}/${assignmentsPath}/${roleAssignmentName(scope, principalId, { guid })}`,
    properties: {
      roleDefinitionId: roleDefinitionId(scope, { guid }),
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
