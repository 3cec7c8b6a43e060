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
 * Condition of an assignment of Role Based Access Control Administrator: who has it may give and take exactly what one of these
 * allows
 * (azure-docs articles/role-based-access-control/delegate-role-assignments-examples.md).
 */
export function mayAssignOnly(...allowed: readonly AssignableRoles[]): string {
  const limits = allowed.map(limitsOf);
  // Of what is written, the request has the attributes; of what is deleted, the resource.
  const only = (action: string, source: string) => {
    const each = limits.map((one) =>
      one.map((limit) => `@${source}[Microsoft.Authorization/roleAssignments:${limit}`).join(' AND '),
    );
    // One pair of parentheses for each, so that no role is for the identities of another.
    const any = each.length === 1 ? each.join() : each.map((one) => `(${one})`).join(' OR ');
    return `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/${action}'})) OR (${any}))`;
  };
  return `${only('write', 'Request')} AND ${only('delete', 'Resource')}`;
}

/** A role that one identity may be given. */
export interface AssignableRole {
  /** GUID of the role. */
  readonly role: string;
  readonly principalId: string;
}

/** The same of roles that each are for certain identities only. */
export function mayAssignEach(pairs: readonly AssignableRole[]): string {
  const roles = [...new Set(pairs.map(({ role }) => role))].sort();
  return mayAssignOnly(
    ...roles.map((guid) => ({
      roles: [{ guid }],
      principalIds: pairs.filter(({ role }) => role === guid).map(({ principalId }) => principalId),
    })),
  );
}

function limitsOf({ roles, toGroups = false, principalIds }: AssignableRoles): string[] {
  const types = toGroups ? "'ServicePrincipal', 'Group'" : "'ServicePrincipal'";
  return [
    `RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${listed(roles.map(roleGuid))}}`,
    `PrincipalType] ForAnyOfAnyValues:StringEqualsIgnoreCase {${types}}`,
    ...(principalIds === undefined
      ? []
      : [`PrincipalId] ForAnyOfAnyValues:GuidEquals {${listed(principalIds)}}`]),
  ];
}

/** Sorted: their order means nothing. */
function listed(ids: readonly string[]): string {
  return [...new Set(ids)].sort().join(', ');
}
