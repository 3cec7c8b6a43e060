import { isRecord } from '../../../components/resource/fields';

// Values as lines that are short to read: like YAML, with as many entries on a line as fit.

const width = 150;

/** The entries of an object. One that is too long for a line is there by its own entries, under the paths of these. */
export function linesOf(value: object, indent: number): string[] {
  const start = ' '.repeat(indent);
  const lines: string[] = [];
  let open = false;
  for (const [path, leaf] of flattened(value, '', width - indent)) {
    const text = path === '' ? String(leaf) : `${path}: ${inline(leaf)}`;
    const last = lines.at(-1) ?? '';
    if (Array.isArray(leaf) && indent + text.length > width) {
      lines.push(`${start}${path}:`, ...leaf.flatMap((each) => item(each, indent + 2)));
      open = false;
    } else if (open && last.length + 2 + text.length <= width) lines[lines.length - 1] = `${last}, ${text}`;
    else {
      lines.push(start + text);
      open = true;
    }
  }
  return lines;
}

function flattened(value: object, path: string, room: number): [string, unknown][] {
  return entriesOf(value).flatMap(([key, inner]): [string, unknown][] => {
    const at = [path, key].filter((part) => part !== '').join('.');
    if (key === '') return [[path === '' ? '' : path, inner]];
    if (`${at}: ${inline(inner)}`.length <= room) return [[at, inner]];
    if (isSingle(inner)) return flattened(inner[0], `${at}[]`, room);
    return isRecord(inner) ? flattened(inner, at, room) : [[at, inner]];
  });
}

function item(value: unknown, indent: number): string[] {
  const start = `${' '.repeat(indent)}-`;
  if (!isRecord(value)) return [`${start} ${inline(value)}`];
  const [first = '', ...others] = linesOf(value, indent + 2);
  return [`${start} ${first.trimStart()}`, ...others];
}

/** A list of one object, such as the containers of a pod. */
export const isSingle = (value: unknown): value is [object] =>
  Array.isArray(value) && value.length === 1 && isRecord(value[0]);

/** A value on one line. */
export function inline(value: unknown): string {
  if (typeof value === 'string')
    return /^[\w./:@*<>-][^,[\]{}"\n]*$/.test(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = entriesOf(value).map(([key, inner]) =>
    key === '' ? String(inner) : `${key}: ${inline(inner)}`,
  );
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Entries, with those in one, under no key, that refer to outputs of one resource by the names of these. */
function entriesOf(value: object): [string, unknown][] {
  const all: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const [, what, whom = ''] = /^<(\w+) of ([^>]*)>$/.exec(typeof inner === 'string' ? inner : '') ?? [];
    const last = all.at(-1);
    if (what !== key) all.push([key, inner]);
    else if (last?.[0] === '' && String(last[1]).endsWith(` of ${whom}>`))
      last[1] = String(last[1]).replace(' of ', `, ${what} of `);
    else all.push(['', inner]);
  }
  return all;
}
