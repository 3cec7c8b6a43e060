import type { Problem } from './problem';
import type { StackSettings } from './schema';
import { stackSchema } from './schema';
import { shapeProblems } from './shapeProblems';

type Key = keyof StackSettings;

/** Lists of which the entries are read one by one. */
const lists = ['clusters', 'applications'] as const;
type List = (typeof lists)[number];

/** The valid part of a configuration, and the problems of the rest. */
export interface ParseResult {
  /** An invalid list has its valid entries; any other invalid key has its default, or nothing without one. */
  readonly found: Partial<StackSettings> & Pick<StackSettings, List>;
  /** The keys without a problem. */
  readonly valid: ReadonlySet<Key>;
  /** The whole configuration, if there is no problem. */
  readonly settings?: StackSettings;
  readonly problems: readonly Problem[];
  /** For each entry of the lists of `found`, its index in the file. */
  readonly places: Readonly<Record<List, readonly number[]>>;
}

/** Checks the shape of a configuration: keys, types, and single values. */
export function parseSettings(input: Readonly<Record<string, unknown>>): ParseResult {
  const problems = shapeProblems(stackSchema, input);
  const { shape } = stackSchema;
  const keys = Object.keys(shape) as Key[];
  const valid = new Set(keys.filter((key) => problems.every(({ path }) => path[0] !== key)));
  const found: Record<string, unknown> = {};
  for (const key of keys) found[key] = shape[key].safeParse(valid.has(key) ? input[key] : undefined).data;
  const places: Record<List, number[]> = { clusters: [], applications: [] };
  for (const key of lists) {
    const given: unknown[] = Array.isArray(input[key]) ? input[key] : [];
    const entries = given.map((entry) => shape[key].safeParse([entry]).data?.[0]);
    // What an application runs is not known until its release file is read; a wrong file is reported there.
    const isKnown = (entry: (typeof entries)[number]) => entry !== undefined && !('release' in entry);
    found[key] = entries.filter(isKnown);
    places[key] = [...entries.keys()].filter((place) => isKnown(entries[place]));
    if (places[key].length < entries.length) valid.delete(key);
  }
  const settings = found as unknown as StackSettings;
  const isWhole = problems.length === 0 && valid.size === keys.length;
  return { found: settings, valid, ...(isWhole && { settings }), problems, places };
}
