import type { Permission } from './roleDefinition';

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/**
 * Tells whether a pattern matches an action. `*` matches any characters. A `*` segment in the middle may also match
 * nothing: the role Managed Identity Operator has `userAssignedIdentities/` `*` `/assign/action` for the action
 * `userAssignedIdentities/assign/action`.
 */
export function matchesAction(pattern: string, action: string): boolean {
  const expression = pattern
    .split('/*/')
    .map((part) => part.split('*').map(literal).join('.*'))
    .join('/(?:.*/)?');
  return new RegExp(`^${expression}$`, 'i').test(action);
}

const any = (patterns: readonly string[], action: string): boolean =>
  patterns.some((pattern) => matchesAction(pattern, action));

/** Tells whether a role's permission allows an action. */
export function permits(permission: Permission, action: string, plane: 'control' | 'data'): boolean {
  return plane === 'control'
    ? any(permission.actions, action) && !any(permission.notActions, action)
    : any(permission.dataActions, action) && !any(permission.notDataActions, action);
}
