import {
  isObject,
  isUnknown,
  Secret,
  type ChangeKind,
  type Diff,
  type Properties,
  type Value,
} from '../protocol';
import type { Resource } from './catalogue';
import { mapAt } from './propertyPath';
import { pathInputs } from './resourceId';

/** Marks inputs with a generated name: such a resource can be replaced without being deleted first. */
export const createBeforeDeleteMark = '__createBeforeDelete';

/** The differences between inputs, and whether they need a replacement. */
export function diffInputs(resource: Resource, olds: Properties, news: Properties, state: Properties): Diff {
  const replacing = new Set([...pathInputs(resource.path), ...(resource.replace ?? [])]);
  const found: Record<string, ChangeKind> = {};
  compareMembers(withDefaults(resource, olds), withDefaults(resource, news), '', '', replacing, found);
  const detailed = changesOf(resource, found, news, state);
  const replaces = Object.keys(detailed).filter((path) => detailed[path]?.endsWith('-replace'));
  return {
    changes: Object.keys(detailed).length > 0,
    replaces: topLevel(replaces),
    diffs: topLevel(Object.keys(detailed)),
    detailed,
    // Two resources cannot have the same name, unless the new one gets another generated name.
    deleteBeforeReplace: replaces.length > 0 && olds[createBeforeDeleteMark] !== true,
  };
}

/** The changes, without those that only state the service's current value. */
function changesOf(
  resource: Resource,
  found: Record<string, ChangeKind>,
  news: Properties,
  state: Properties,
): Record<string, ChangeKind> {
  const left = new Set([...(resource.chosen ?? []), ...(resource.maintained ?? [])]);
  return Object.fromEntries(
    Object.entries(found).flatMap(([path, change]) => {
      const asItIs = change.startsWith('add') && same(memberAt(news, path), memberAt(state, path));
      // Values that an import left to the service.
      if (asItIs && left.has(path.replaceAll(/\[\d+\]/g, '[]'))) return [];
      // Stating the value that the service already chose needs no replacement.
      return [[path, asItIs && change === 'add-replace' ? 'add' : change]];
    }),
  );
}

/** The properties with the service's defaults, so that stating a default is no change. */
function withDefaults(resource: Resource, properties: Properties): Properties {
  const defaults = Object.entries(resource.defaults ?? {});
  // Objects before their members.
  return defaults
    .sort(([a], [b]) => a.split('.').length - b.split('.').length)
    .reduce(
      (built, [path, standard]) => mapAt(built, path, (value) => orDefault(value, standard)),
      properties,
    );
}

function orDefault(value: Value | undefined, standard: Value): Value {
  if (value === undefined || value === null) return standard;
  const alike = typeof value === 'string' && typeof standard === 'string';
  return alike && value.toLowerCase() === standard.toLowerCase() ? standard : value;
}

/** The value at `a.b[0].c`. */
function memberAt(properties: Properties, path: string): Value | undefined {
  return path.split(/[.[]/).reduce<Value | undefined>((value, part) => {
    const inner = plain(value);
    if (part.endsWith(']')) return Array.isArray(inner) ? inner[Number(part.slice(0, -1))] : undefined;
    return isObject(inner) ? inner[part] : undefined;
  }, properties);
}

function topLevel(paths: string[]): string[] {
  return [...new Set(paths.map((path) => path.split(/[.[]/)[0] ?? path))];
}

function compareMembers(
  olds: Properties,
  news: Properties,
  path: string,
  pattern: string,
  replacing: ReadonlySet<string>,
  changes: Record<string, ChangeKind>,
): void {
  for (const name of new Set([...Object.keys(olds), ...Object.keys(news)])) {
    if (name.startsWith('__')) continue;
    compare(olds[name], news[name], `${path}${name}`, `${pattern}${name}`, replacing, changes);
  }
}

function compare(
  before: Value | undefined,
  after: Value | undefined,
  path: string,
  pattern: string,
  replacing: ReadonlySet<string>,
  changes: Record<string, ChangeKind>,
): void {
  const old = plain(before);
  const now = plain(after);
  if (same(old, now) || (pattern === 'location' && sameLocation(old, now))) return;
  if (isObject(old) && isObject(now) && !replacing.has(pattern)) {
    compareMembers(old, now, `${path}.`, `${pattern}.`, replacing, changes);
    return;
  }
  if (Array.isArray(old) && Array.isArray(now) && !replacing.has(pattern)) {
    for (let index = 0; index < Math.max(old.length, now.length); index++) {
      compare(old[index], now[index], `${path}[${index}]`, `${pattern}[]`, replacing, changes);
    }
    return;
  }
  const kind = old === undefined ? 'add' : now === undefined ? 'delete' : 'update';
  changes[path] = replacing.has(pattern) ? `${kind}-replace` : kind;
}

function plain(value: Value | undefined): Value | undefined {
  if (value instanceof Secret) return plain(value.value);
  return value === null ? undefined : value;
}

/** Azure uses `West Europe` and `westeurope` for the same location. */
function sameLocation(a: Value | undefined, b: Value | undefined): boolean {
  return typeof a === 'string' && typeof b === 'string' && normalized(a) === normalized(b);
}

function normalized(location: string): string {
  return location.toLowerCase().replaceAll(' ', '');
}

/** Deep equality, regardless of secret marks; an unknown value equals nothing. */
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
