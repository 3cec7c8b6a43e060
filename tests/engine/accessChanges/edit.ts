import type { Edit, Settings } from './change';

type Fields = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The place in a list that a part of a path stands for: a number, or the name of an entry. */
function placeIn(list: readonly unknown[], part: string): number {
  if (/^\d+$/.test(part)) return Number(part);
  const place = list.findIndex((item) => (item as Fields)['name'] === part);
  if (place < 0) throw new Error(`No entry is named ${part}.`);
  return place;
}

function changed(value: unknown, parts: readonly string[], change: (old: unknown) => unknown): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return change(value);
  if (isList(value)) {
    const place = placeIn(value, part);
    const item = changed(value[place], rest, change);
    return item === undefined
      ? value.filter((_, other) => other !== place)
      : [...value.slice(0, place), item, ...value.slice(place + 1)];
  }
  const fields = (value ?? {}) as Fields;
  const field = changed(fields[part], rest, change);
  return Object.fromEntries(
    [
      ...Object.entries(fields).map(([key, old]) => [key, key === part ? field : old] as const),
      ...(part in fields ? [] : [[part, field] as const]),
    ].filter(([, old]) => old !== undefined),
  );
}

const at =
  (path: string, change: (old: unknown) => unknown): Edit =>
  (settings) =>
    changed(settings, path.split('.'), change) as Settings;

/** Sets what is at the path; an entry of a list is found by its number or its name. */
export const set = (path: string, value: unknown): Edit => at(path, () => value);

/** Takes out what is at the path. */
export const remove = (path: string): Edit => at(path, () => undefined);

/** Adds to the end of a list. */
export const add = (path: string, ...values: readonly unknown[]): Edit =>
  at(path, (old) => [...((old ?? []) as readonly unknown[]), ...values]);

/** Turns the order of a list around. */
export const reverse = (path: string): Edit => at(path, (old) => [...(old as readonly unknown[])].reverse());

/** One edit after the other. */
export const all =
  (...edits: readonly Edit[]): Edit =>
  (settings) =>
    edits.reduce((result, edit) => edit(result), settings);
