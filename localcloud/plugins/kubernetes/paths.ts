import type { ChangeKind, Value } from '../protocol';
import { containsUnknown, isObject, isUnknown, reveal } from '../protocol';

/** Changes by property path, in the engine's syntax: `a.b[0]["c/d"]`. */
export type Changes = Record<string, Extract<ChangeKind, 'add' | 'delete' | 'update'>>;

/** Returns `path` with one more segment. */
function child(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Tells whether `inner` is `outer` or below it. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || (inner.startsWith(outer) && ['.', '['].includes(inner.charAt(outer.length)));
}

/** Returns the value at a path of plain keys, without secret marks. The result is unknown if a value on the path is. */
export function valueAt(value: Value | undefined, path: string): Value | undefined {
  let current: Value | undefined = value === undefined ? undefined : reveal(value);
  for (const key of path.split('.')) {
    if (isUnknown(current)) return current;
    if (!isObject(current)) return undefined;
    current = current[key];
  }
  return current;
}

/** Tells whether two values are equal, regardless of secret marks. An unknown value equals nothing. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (containsUnknown(a) || containsUnknown(b)) return false;
  return Object.keys(changesBetween(a ?? null, b ?? null)).length === 0;
}

/** Returns the differences between two values. Undefined and null are equal, because the API server drops nulls. */
export function changesBetween(before: Value | undefined, after: Value | undefined, path = ''): Changes {
  const a = before === undefined ? null : reveal(before);
  const b = after === undefined ? null : reveal(after);
  if (a === null || b === null) {
    if (a === b) return {};
    return { [path]: a === null ? 'add' : 'delete' };
  }
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return Object.assign(
      {},
      ...keys.map((key) => changesBetween(a[key], b[key], child(path, key))),
    ) as Changes;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    const length = Math.max(a.length, b.length);
    return Object.assign(
      {},
      ...Array.from({ length }, (_, index) => changesBetween(a[index], b[index], child(path, index))),
    ) as Changes;
  }
  return !isUnknown(a) && JSON.stringify(a) === JSON.stringify(b) ? {} : { [path]: 'update' };
}
