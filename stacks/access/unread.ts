import { fieldsOf, isRecord } from '../../components/resource/fields';
import type { Unread } from './facts';
import type { Registered } from './registered';
import { nameIn, textOf, typeIn } from './registered';
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
  const isOwnChart = /^\.{0,2}\//.test(textOf(inputs.chart));
  const isKnown = (path: string): boolean =>
    known.some((one) => (typeof one === 'string' ? one === path : one.test(path))) ||
    (path === 'version' && isOwnChart);
  const look = (value: unknown, path: string): void => {
    if (value === undefined || value === null || isKnown(path)) return;
    if (Array.isArray(value))
      for (const [index, one] of value.entries()) look(one, `${path}[${nameOfEntry(one) ?? index}]`);
    else if (!isRecord(value)) add(path, textOf(value) || JSON.stringify(value));
    else if (secretMark in value) add(path, 'a secret');
    else for (const [key, one] of Object.entries(value)) look(one, path === '' ? key : `${path}.${key}`);
  };
  look(shown(inputs), '');
  // That it is there at all, where nothing else says so.
  if (found.length === 0 && silent === undefined) add('', type);
  return found;
}

/** What tells an entry of a list from others: its place does not, where it says it itself. */
function nameOfEntry(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  const fields = fieldsOf(entry);
  const [only, ...more] = Object.values(fields);
  return textOf(fields.name) || (more.length === 0 ? textOf(only) : '') || undefined;
}

/** Marks a secret in states and in requests (pulumi sdk/go/common/resource). */
const secretMark = '4dabf18193072939515e22adb298388d';
