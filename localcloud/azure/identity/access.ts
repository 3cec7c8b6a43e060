import type { Store } from '../store/store';
import type { Permission } from './roles';
import { roleDefinition } from './roles';

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/**
 * `*` is any run of characters. As a whole segment in the middle it may also be missing: the role Managed
 * Identity Operator names `userAssignedIdentities/` `*` `/assign/action`, the action is `userAssignedIdentities/assign/action`.
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

/**
 * Whether any role assignment of the principal, at the scope or above it, allows the action.
 * @param assigning role (GUID) that is to be assigned or taken away; some roles let assign certain ones only
 */
export function isAllowed(
  store: Store,
  principalId: string,
  action: string,
  scope: string,
  plane: 'control' | 'data' = 'control',
  assigning?: string,
): boolean {
  return store.roleAssignments.values().some((assignment) => {
    if (assignment.principalId.toLowerCase() !== principalId.toLowerCase()) return false;
    if (!covers(assignment.scope, scope)) return false;
    const definition = roleDefinition(assignment.roleDefinitionId);
    if (definition === undefined || !permits(definition.permission, action, plane)) return false;
    return assigning === undefined || definition.assignable?.includes(assigning) !== false;
  });
}
