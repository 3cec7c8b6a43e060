import { covers } from '../identity/access';
import type { Store } from '../store/store';

/** Azure removes the role assignments at a scope, and below it, with what they were on. */
export function removeRoleAssignments(store: Store, scope: string): void {
  for (const assignment of store.roleAssignments.values()) {
    if (covers(scope, assignment.scope)) store.roleAssignments.delete(assignment.id);
  }
}

/** Takes a resource out of the store, with what is in it and the role assignments on all of that. */
export function removeTree(store: Store, id: string): void {
  for (const child of store.below(id)) store.resources.delete(child.id);
  store.resources.delete(id);
  removeRoleAssignments(store, id);
}
