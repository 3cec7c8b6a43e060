import { isObject, type ChangeKind, type Diff, type Properties, type Value } from '../protocol';
import { changesBetween, plain, same, topLevel } from '../resources/compare';
import { withDefaults } from '../resources/defaults';
import type { Resource } from './catalogue';
import { pathInputs } from './resourceId';

/** Key that marks inputs with a generated name. Such a resource can be replaced without being deleted first. */
export const createBeforeDeleteMark = '__createBeforeDelete';

/** Returns the differences between inputs, and whether they need a replacement. */
export function diffInputs(resource: Resource, olds: Properties, news: Properties, state: Properties): Diff {
  const replacing = new Set([...pathInputs(resource.path), ...(resource.replace ?? [])]);
  const { defaults } = resource;
  const changes = changesBetween(
    withDefaults(defaults, olds),
    withDefaults(defaults, news),
    replacing,
    (pattern, before, after) => pattern === 'location' && sameLocation(before, after),
  );
  const detailed = changesOf(resource, changes, news, state);
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

/** Returns the changes, without those in which the program only states the service's current value. */
function changesOf(
  resource: Resource,
  changes: Record<string, ChangeKind>,
  news: Properties,
  state: Properties,
): Record<string, ChangeKind> {
  const left = new Set([...(resource.chosen ?? []), ...(resource.maintained ?? [])]);
  return Object.fromEntries(
    Object.entries(changes).flatMap(([path, change]) => {
      const asItIs = change.startsWith('add') && same(memberAt(news, path), memberAt(state, path));
      // An import left these values to the service.
      if (asItIs && left.has(path.replaceAll(/\[\d+\]/g, '[]'))) return [];
      // Stating the value that the service already chose needs no replacement.
      return [[path, asItIs && change === 'add-replace' ? 'add' : change]];
    }),
  );
}

/** Returns the value at `a.b[0].c`. */
function memberAt(properties: Properties, path: string): Value | undefined {
  return path.split(/[.[]/).reduce<Value | undefined>((value, part) => {
    const inner = plain(value);
    if (part.endsWith(']')) return Array.isArray(inner) ? inner[Number(part.slice(0, -1))] : undefined;
    return isObject(inner) ? inner[part] : undefined;
  }, properties);
}

/** Tells whether two names mean the same location: `West Europe` and `westeurope` do. */
function sameLocation(a: Value | undefined, b: Value | undefined): boolean {
  return typeof a === 'string' && typeof b === 'string' && normalized(a) === normalized(b);
}

function normalized(location: string): string {
  return location.toLowerCase().replaceAll(' ', '');
}
