import { fieldsOf, isRecord, textOf } from '../../components/resource/fields';
import { isInProject } from '../plan/chartSource';
import type { Unread } from './facts';
import type { Registered } from './registered';
import { nameIn, typeIn } from './registered';
import { understood, whole } from './understood';

/**
 * What no fact is made of: every input that is not known to give nobody access is compared as a text. So what the program comes to
 * use later is told, until it is understood.
 * @param shown gives a value with names in place of what Azure made up
 * @param isUnderstood false of what was to be a fact, and is none
 */
export function unreadOf(
  { urn, inputs }: Registered,
  shown: (value: unknown) => unknown,
  isUnderstood = true,
): Unread[] {
  const type = typeIn(urn);
  const types = urn.split('::')[2] ?? '';
  const { inputs: known = [], silent } =
    (isUnderstood ? understood.find((one) => one.type.test(types)) : undefined) ?? {};
  if (known.includes(whole)) return [];
  const resource = `${type.slice(type.lastIndexOf(':') + 1)} ${nameIn(urn)}`;
  const found: Unread[] = [];
  const add = (path: string, value: string) =>
    found.push({ resource, path, value, ...(silent && { silent }) });
  // A chart in the project has its version in itself.
  const isOwnChart = isInProject(textOf(inputs.chart));
  const isKnown = (path: string): boolean =>
    known.some((one) => (typeof one === 'string' ? one === path : one.test(path))) ||
    (path === 'version' && isOwnChart);
  const look = (value: unknown, path: string): void => {
    if (value === undefined || isKnown(path)) return;
    const entries = entriesOf(value, path);
    if (entries !== undefined && entries.length > 0) for (const [key, one] of entries) look(one, key);
    // Text that looks like a number or a truth value is another thing than these.
    else
      add(
        path,
        isRecord(value) && secretMark in value
          ? 'a secret'
          : JSON.stringify(value).replace(/^"([^"\\]*[^"\\\d.][^"\\]*)"$/, '$1'),
      );
  };
  look(shown(inputs), '');
  // That it is there at all, where nothing else says so.
  if (found.length === 0 && silent === undefined) add('', type);
  return found;
}

/** The parts of a value with their paths; undefined of one that has none. */
function entriesOf(value: unknown, path: string): (readonly [path: string, part: unknown])[] | undefined {
  if (Array.isArray(value)) {
    const names = value.map((one) => nameOfEntry(one, path));
    // Where names are there once, places mean nothing.
    const named = new Set(names).size === names.length && !names.includes(undefined);
    return value.map((one: unknown, index) => [
      `${path}[${(named ? names[index] : undefined) ?? index}]`,
      one,
    ]);
  }
  if (!isRecord(value) || secretMark in value) return undefined;
  return Object.entries(value).map(([key, one]) => {
    const name = key.includes('.') ? `[${key}]` : key;
    return [path === '' ? name : `${path}${name.startsWith('[') ? '' : '.'}${name}`, one];
  });
}

/** Lists of texts whose order means nothing. */
const sets = /(authorizedIPRanges|adminGroupObjectIDs|ipRules|virtualNetworkRules|capabilities\.(drop|add))$/;

function nameOfEntry(entry: unknown, path: string): string | undefined {
  if (typeof entry === 'string') return sets.test(path) ? entry : undefined;
  const { name, value, id } = fieldsOf(entry);
  return textOf(name) || (sets.test(path) ? textOf(value) || textOf(id) : '') || undefined;
}

/** Marks a secret in states and in requests (pulumi sdk/go/common/resource). */
const secretMark = '4dabf18193072939515e22adb298388d';
