import { roleGuid, type Role } from './roles';

/** Most characters of a condition: 8 KB (azure-docs articles/role-based-access-control/conditions-troubleshoot.md). */
export const longestCondition = 8192;

/** The role assignments that a limited Role Based Access Control Administrator may write. */
export interface AssignableRoles {
  /** The roles that may be assigned and removed. */
  readonly roles: readonly Role[];
  /** True if groups may have them, too. Default: only identities. */
  readonly toGroups?: boolean;
  /** Object ids of the identities that may have them. Default: all. */
  readonly principalIds?: readonly string[];
}

/**
 * Returns the condition of an assignment of Role Based Access Control Administrator: its holder may assign and remove
 * exactly what one of `allowed` allows (azure-docs
 * articles/role-based-access-control/delegate-role-assignments-examples.md).
 */
export function mayAssignOnly(...allowed: readonly AssignableRoles[]): string {
  const limits = allowed.map(limitsOf);
  // On a write, the request has the attributes; on a deletion, the resource has them.
  const only = (action: string, source: string) => {
    const each = limits.map((conditions) =>
      conditions.map((limit) => `@${source}[Microsoft.Authorization/roleAssignments:${limit}`).join(' AND '),
    );
    // Each has its own parentheses: no role may be allowed for the identities of another.
    const any = each.length === 1 ? each.join() : each.map((terms) => `(${terms})`).join(' OR ');
    return `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/${action}'})) OR (${any}))`;
  };
  return `${only('write', 'Request')} AND ${only('delete', 'Resource')}`;
}

/** A role that may be assigned to one identity. */
export interface AssignableRole {
  /** GUID of the role. */
  readonly role: string;
  readonly principalId: string;
}

/** Returns the same condition for roles that are each limited to certain identities. */
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

/** Sorts the ids: their order has no meaning. */
function listed(ids: readonly string[]): string {
  return [...new Set(ids)].sort().join(', ');
}
