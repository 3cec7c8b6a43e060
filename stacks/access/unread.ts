import { fieldsOf, isRecord, textOf } from '../../components/resource/fields';
import { isInProject } from '../plan/chartSource';
import type { Unread } from './facts';
import type { Registered } from './registered';
import { nameIn, typeIn } from './registered';
import { understood, whole } from './understood';

/**
 * Returns the inputs that are not understood: every input that could give access is compared as text. So new inputs are reported
 * until they are understood.
 * @param shown replaces generated ids in a value by names
 * @param isUnderstood false for a kind of fact that could not be read
 */
export function unreadOf(
  { urn, inputs }: Registered,
  shown: (value: unknown) => unknown,
  isUnderstood = true,
): Unread[] {
  const type = typeIn(urn);
  const types = urn.split('::')[2] ?? '';
  const { inputs: known = [], silent } =
    (isUnderstood ? understood.find((row) => row.type.test(types)) : undefined) ?? {};
  if (known.includes(whole)) return [];
  const resource = `${type.slice(type.lastIndexOf(':') + 1)} ${nameIn(urn)}`;
  const unread: Unread[] = [];
  const add = (path: string, value: string) =>
    unread.push({ resource, path, value, ...(silent && { silent }) });
  // A chart in the project contains its version.
  const isOwnChart = isInProject(textOf(inputs.chart));
  const isKnown = (path: string): boolean =>
    known.some((pattern) => (typeof pattern === 'string' ? pattern === path : pattern.test(path))) ||
    (path === 'version' && isOwnChart);
  const visit = (value: unknown, path: string): void => {
    if (value === undefined || isKnown(path)) return;
    const entries = entriesOf(value, path);
    if (entries !== undefined && entries.length > 0)
      for (const [entryPath, entry] of entries) visit(entry, entryPath);
    // Strings lose their quotes, except numbers: "1" differs from 1.
    else
      add(
        path,
        isRecord(value) && secretMark in value
          ? 'a secret'
          : JSON.stringify(value).replace(/^"([^"\\]*[^"\\\d.][^"\\]*)"$/, '$1'),
      );
  };
  visit(shown(inputs), '');
  // The existence of the resource, if nothing else shows it.
  if (unread.length === 0 && silent === undefined) add('', type);
  return unread;
}

/** Returns the entries of a value with their paths, or undefined for a scalar or a secret. */
function entriesOf(value: unknown, path: string): (readonly [path: string, part: unknown])[] | undefined {
  if (Array.isArray(value)) {
    const names = value.map((entry) => nameOfEntry(entry, path));
    // Entries with unique names are compared by name, others by index.
    const hasUniqueNames = new Set(names).size === names.length && !names.includes(undefined);
    return value.map((entry: unknown, index) => [
      `${path}[${(hasUniqueNames ? names[index] : undefined) ?? index}]`,
      entry,
    ]);
  }
  if (!isRecord(value) || secretMark in value) return undefined;
  return Object.entries(value).map(([key, field]) => {
    const name = key.includes('.') ? `[${key}]` : key;
    return [path === '' ? name : `${path}${name.startsWith('[') ? '' : '.'}${name}`, field];
  });
}

/** Lists whose order is irrelevant. */
const sets = /(authorizedIPRanges|adminGroupObjectIDs|ipRules|virtualNetworkRules|capabilities\.(drop|add))$/;

function nameOfEntry(entry: unknown, path: string): string | undefined {
  if (typeof entry === 'string') return sets.test(path) ? entry : undefined;
  const { name, value, id } = fieldsOf(entry);
  return textOf(name) || (sets.test(path) ? textOf(value) || textOf(id) : '') || undefined;
}

/** Marks a secret in states and in requests (pulumi sdk/go/common/resource). */
const secretMark = '4dabf18193072939515e22adb298388d';
