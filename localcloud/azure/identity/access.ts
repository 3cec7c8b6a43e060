import type { Store } from '../store/store';
import type { Permission } from './roles';
import { roleDefinition } from './roles';

function matches(pattern: string, action: string): boolean {
  const expression = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${expression}$`, 'i').test(action);
}

const any = (patterns: readonly string[], action: string): boolean =>
  patterns.some((pattern) => matches(pattern, action));

/** Whether one role's permission covers an action. */
export function permits(permission: Permission, action: string, plane: 'control' | 'data'): boolean {
  return plane === 'control'
    ? any(permission.actions, action) && !any(permission.notActions, action)
    : any(permission.dataActions, action) && !any(permission.notDataActions, action);
}

/** Whether `scope` is `target` or above it. */
export function covers(scope: string, target: string): boolean {
  const above = scope.toLowerCase().replace(/\/+$/, '');
  const below = target.toLowerCase();
  return below === above || below.startsWith(`${above}/`);
}

/** Whether any role assignment of the principal, at the scope or above it, allows the action. */
export function isAllowed(
  store: Store,
  principalId: string,
  action: string,
  scope: string,
  plane: 'control' | 'data' = 'control',
): boolean {
  return store.roleAssignments.values().some((assignment) => {
    if (assignment.principalId.toLowerCase() !== principalId.toLowerCase()) return false;
    if (!covers(assignment.scope, scope)) return false;
    const definition = roleDefinition(assignment.roleDefinitionId);
    return definition !== undefined && permits(definition.permission, action, plane);
  });
}
