import { fieldsOf } from '../resource/fields';

/** Plane of an action: the resource manager's, or the service's own. */
export type Plane = 'actions' | 'dataActions';

/**
 * Tells whether a permission of a role includes an action. `*` stands for any characters; as a middle segment, it also
 * stands for nothing: Managed Identity Operator has `userAssignedIdentities/` `*` `/assign/action` for
 * `userAssignedIdentities/assign/action`.
 */
export function allows(permission: unknown, action: string, plane: Plane = 'actions'): boolean {
  const lists = fieldsOf(permission);
  const has = (list: unknown) =>
    Array.isArray(list) && list.some((pattern) => isMatch(String(pattern), action));
  return has(lists[plane]) && !has(lists[plane === 'actions' ? 'notActions' : 'notDataActions']);
}

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Tells whether a pattern includes an action. */
export function isMatch(pattern: string, action: string): boolean {
  const parts = pattern.split('/*/').map((part) => part.split('*').map(literal).join('.*'));
  return new RegExp(`^${parts.join('/(?:.*/)?')}$`, 'i').test(action);
}
