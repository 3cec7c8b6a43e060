import { covers } from '../identity/access';
import type { Store } from '../store/store';

/** Deletes the role assignments at a scope and below it, as Azure does when it deletes the resource. */
export function removeRoleAssignments(store: Store, scope: string): void {
  for (const assignment of store.roleAssignments.values()) {
    if (covers(scope, assignment.scope)) store.roleAssignments.delete(assignment.id);
  }
}

/** Deletes a resource with its descendants and their role assignments. */
export function removeTree(store: Store, id: string): void {
  for (const child of store.below(id)) store.resources.delete(child.id);
  store.resources.delete(id);
  removeRoleAssignments(store, id);
}
