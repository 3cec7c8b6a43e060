import { isObject, isUnknown, Secret, type ChangeKind, type Properties, type Value } from '../protocol';

/** True if two different values of the property at a pattern mean the same. The values have no secret marks. */
export type Alike = (pattern: string, before: Value | undefined, after: Value | undefined) => boolean;

/**
 * Returns the changes between properties, by path (`a.b[0]`).
 *
 * @param replacing patterns (`a.b[]`) of properties whose change needs a replacement
 * @param alike which differences to ignore. @default none
 */
export function changesBetween(
  olds: Properties,
  news: Properties,
  replacing: ReadonlySet<string>,
  alike: Alike = () => false,
): Record<string, ChangeKind> {
  const changes: Record<string, ChangeKind> = {};

  const compareMembers = (before: Properties, after: Properties, path: string, pattern: string): void => {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (name.startsWith('__')) continue;
      compare(before[name], after[name], `${path}${name}`, `${pattern}${name}`);
    }
  };

  const compare = (
    before: Value | undefined,
    after: Value | undefined,
    path: string,
    pattern: string,
  ): void => {
    const old = plain(before);
    const now = plain(after);
    if (same(old, now) || alike(pattern, old, now)) return;
    if (isObject(old) && isObject(now) && !replacing.has(pattern)) {
      compareMembers(old, now, `${path}.`, `${pattern}.`);
      return;
    }
    if (Array.isArray(old) && Array.isArray(now) && !replacing.has(pattern)) {
      for (let index = 0; index < Math.max(old.length, now.length); index++) {
        compare(old[index], now[index], `${path}[${index}]`, `${pattern}[]`);
      }
      return;
    }
    const kind = old === undefined ? 'add' : now === undefined ? 'delete' : 'update';
    changes[path] = replacing.has(pattern) ? `${kind}-replace` : kind;
  };

  compareMembers(olds, news, '', '');
  return changes;
}

/** Returns the value without its secret mark; undefined for null. */
export function plain(value: Value | undefined): Value | undefined {
  if (value instanceof Secret) return plain(value.value);
  return value === null ? undefined : value;
}

/** Tells whether two values are deeply equal, regardless of secret marks. An unknown value equals nothing. */
export function same(before: Value | undefined, after: Value | undefined): boolean {
  const a = plain(before);
  const b = plain(after);
  if (isUnknown(a) || isUnknown(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => same(a[key], b[key]));
  }
  return a === b;
}

/** Returns the top-level properties of paths. */
export function topLevel(paths: string[]): string[] {
  return [...new Set(paths.map((path) => path.split(/[.[]/)[0] ?? path))];
}
