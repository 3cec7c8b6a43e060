import type { RoleAssignmentDocument } from '../store/documents';
import type { Store } from '../store/store';
import type { Caller } from './tokens';
import type { Permission } from './roles';
import { findRole } from './roles';

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/**
 * Whether a pattern matches an action. `*` matches any characters. A `*` segment in the middle may also match
 * nothing: the role Managed Identity Operator has `userAssignedIdentities/` `*` `/assign/action` for the action
 * `userAssignedIdentities/assign/action`.
 */
function matches(pattern: string, action: string): boolean {
  const expression = pattern
    .split('/*/')
    .map((part) => part.split('*').map(literal).join('.*'))
    .join('/(?:.*/)?');
  return new RegExp(`^${expression}$`, 'i').test(action);
}

const any = (patterns: readonly string[], action: string): boolean =>
  patterns.some((pattern) => matches(pattern, action));

/** Whether a role's permission allows an action. */
export function permits(permission: Permission, action: string, plane: 'control' | 'data'): boolean {
  return plane === 'control'
    ? any(permission.actions, action) && !any(permission.notActions, action)
    : any(permission.dataActions, action) && !any(permission.notDataActions, action);
}

/** Whether `scope` is `target` or an ancestor of it. */
export function covers(scope: string, target: string): boolean {
  const above = scope.toLowerCase().replace(/\/+$/, '');
  const below = target.toLowerCase();
  return below === above || below.startsWith(`${above}/`);
}

/** Who asks: a principal with its groups. */
export type Subject = Pick<Caller, 'objectId' | 'groups'>;

/** Whether an object id is the principal's, or one of its groups'. */
export const includes = ({ objectId, groups }: Subject, id: string): boolean =>
  [objectId, ...groups].includes(id.toLowerCase());

/**
 * A role assignment of the principal or of a group of its, at the scope or above it, that allows the action.
 *
 * @param assigning GUID of the role to assign or unassign; some roles may assign only certain roles
 */
export function allowingAssignment(
  store: Store,
  subject: Subject,
  action: string,
  scope: string,
  plane: 'control' | 'data' = 'control',
  assigning?: string,
): RoleAssignmentDocument | undefined {
  return store.roleAssignments.values().find((assignment) => {
    if (!includes(subject, assignment.principalId)) return false;
    if (!covers(assignment.scope, scope)) return false;
    const definition = findRole(store, assignment.roleDefinitionId);
    if (definition === undefined || !permits(definition.permission, action, plane)) return false;
    return assigning === undefined || definition.assignable?.includes(assigning) !== false;
  });
}

/** Whether there is such an assignment. */
export const isAllowed = (...asked: Parameters<typeof allowingAssignment>): boolean =>
  allowingAssignment(...asked) !== undefined;
