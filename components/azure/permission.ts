import { fieldsOf } from '../resource/fields';

/** Where an action is: of the resource manager, or of the service itself. */
export type Plane = 'actions' | 'dataActions';

/**
 * Says that a permission of a role has an action. `*` stands for any characters; as a segment in the middle also for nothing:
 * Managed Identity Operator has `userAssignedIdentities/` `*` `/assign/action` for `userAssignedIdentities/assign/action`.
 */
export function allows(permission: unknown, action: string, plane: Plane = 'actions'): boolean {
  const given = fieldsOf(permission);
  const has = (list: unknown) => Array.isArray(list) && list.some((one) => isMatch(String(one), action));
  return has(given[plane]) && !has(given[plane === 'actions' ? 'notActions' : 'notDataActions']);
}

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Whether an action is among those of a pattern. */
export function isMatch(pattern: string, action: string): boolean {
  const parts = pattern.split('/*/').map((part) => part.split('*').map(literal).join('.*'));
  return new RegExp(`^${parts.join('/(?:.*/)?')}$`, 'i').test(action);
}
