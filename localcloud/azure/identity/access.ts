import type { RoleAssignmentDocument } from '../store/documents';
import type { Store } from '../store/store';
import { permits } from './actions';
import type { Attributes } from './conditions/evaluate';
import { isMet } from './conditions/evaluate';
import { findRole } from './roles';
import type { Caller } from './tokens';

/** Tells whether `scope` is `target` or an ancestor of it. */
export function covers(scope: string, target: string): boolean {
  const above = scope.toLowerCase().replace(/\/+$/, '');
  const below = target.toLowerCase();
  return below === above || below.startsWith(`${above}/`);
}

/** A principal that asks for access, with its groups. */
export type Subject = Pick<Caller, 'objectId' | 'groups'>;

/** Tells whether an object id is that of the principal or of one of its groups. */
export const includes = ({ objectId, groups }: Subject, id: string): boolean =>
  [objectId, ...groups].includes(id.toLowerCase());

/**
 * Finds a role assignment of the principal or one of its groups that allows the action, at the scope or above it. Its condition
 * and that of its role must be met.
 *
 * @param known attributes that conditions may name; `later` leaves conditions out
 */
export function allowingAssignment(
  store: Store,
  subject: Subject,
  action: string,
  scope: string,
  plane: 'control' | 'data' = 'control',
  known: Attributes | 'later' = {},
): RoleAssignmentDocument | undefined {
  return store.roleAssignments.values().find((assignment) => {
    if (!includes(subject, assignment.principalId)) return false;
    if (!covers(assignment.scope, scope)) return false;
    const permission = findRole(store, assignment.roleDefinitionId)?.permission;
    if (permission === undefined || !permits(permission, action, plane)) return false;
    const conditions = [permission.condition, assignment.condition];
    return conditions.every((each) => each === undefined || known === 'later' || isMet(each, action, known));
  });
}

/** Tells whether a role assignment allows the action. */
export const isAllowed = (...request: Parameters<typeof allowingAssignment>): boolean =>
  allowingAssignment(...request) !== undefined;
