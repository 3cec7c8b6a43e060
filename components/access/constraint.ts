import { roleGuid, type Role } from '../azure/roles';

/**
 * Condition of an assignment of Role Based Access Control Administrator: who has it may give and take exactly this role, and to
 * exactly these identities (azure-docs articles/role-based-access-control/delegate-role-assignments-examples.md).
 */
export function mayAssignOnly(role: Role, principalIds: readonly string[]): string {
  const attributes = [
    `RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${roleGuid(role)}}`,
    "PrincipalType] ForAnyOfAnyValues:StringEqualsIgnoreCase {'ServicePrincipal'}",
    // Sorted: their order means nothing.
    `PrincipalId] ForAnyOfAnyValues:GuidEquals {${[...new Set(principalIds)].sort().join(', ')}}`,
  ];
  // Of what is written, the request has the attributes; of what is deleted, the resource.
  const only = (action: string, source: string) => {
    const limits = attributes.map((one) => `@${source}[Microsoft.Authorization/roleAssignments:${one}`);
    return `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/${action}'})) OR (${limits.join(' AND ')}))`;
  };
  return `${only('write', 'Request')} AND ${only('delete', 'Resource')}`;
}
