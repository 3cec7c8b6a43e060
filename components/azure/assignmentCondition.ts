import { roleGuid, type Role } from './roles';

/** The role assignments that an assignment of Role Based Access Control Administrator is limited to. */
export interface AssignableRoles {
  /** The roles that may be given and taken. */
  readonly roles: readonly Role[];
  /** Whether groups may have them too. Default: identities only. */
  readonly toGroups?: boolean;
  /** Object ids of the only identities that may have them. Default: all. */
  readonly principalIds?: readonly string[];
}

/**
 * Condition of an assignment of Role Based Access Control Administrator: who has it may give and take exactly these roles
 * (azure-docs articles/role-based-access-control/delegate-role-assignments-examples.md).
 */
export function mayAssignOnly({ roles, toGroups = false, principalIds }: AssignableRoles): string {
  const types = toGroups ? "'ServicePrincipal', 'Group'" : "'ServicePrincipal'";
  const attributes = [
    `RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${listed(roles.map(roleGuid))}}`,
    `PrincipalType] ForAnyOfAnyValues:StringEqualsIgnoreCase {${types}}`,
    ...(principalIds === undefined
      ? []
      : [`PrincipalId] ForAnyOfAnyValues:GuidEquals {${listed(principalIds)}}`]),
  ];
  // Of what is written, the request has the attributes; of what is deleted, the resource.
  const only = (action: string, source: string) => {
    const limits = attributes.map((one) => `@${source}[Microsoft.Authorization/roleAssignments:${one}`);
    return `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/${action}'})) OR (${limits.join(' AND ')}))`;
  };
  return `${only('write', 'Request')} AND ${only('delete', 'Resource')}`;
}

/** Sorted: their order means nothing. */
function listed(ids: readonly string[]): string {
  return [...new Set(ids)].sort().join(', ');
}
