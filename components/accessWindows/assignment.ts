import { apiVersions, resourceUrl } from '../azure/resourceManager';
import { roleAssignmentName, roleDefinitionId } from '../azure/roles';

/** Path of role assignments below their scope. */
export const assignmentsPath = 'providers/Microsoft.Authorization/roleAssignments';

/** The role assignment of an identity while its window is open. */
export interface WindowAssignment {
  /** Resource id. */
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
}

/**
 * Returns the role assignment of an identity for an access window.
 * @param scope resource id of the secret or other resource on which the role is assigned
 * @param guid GUID of the role
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

/** Returns the URL of a role assignment at a resource manager. */
export function assignmentUrl(endpoint: string, id: string): string {
  return resourceUrl(endpoint, id, apiVersions.assignments);
}
