import type { ParseResult } from './parse';
import { parseSettings } from './parse';
import type { Path } from './problem';
import type { StackSettings } from './schema';

/** The part of a configuration that is right in itself. */
export interface Salvaged {
  readonly settings: StackSettings;
  /** Top-level keys of which something was left out or replaced. */
  readonly broken: ReadonlySet<string>;
  readonly applicationPath: (index: number) => Path;
  readonly clusterPath: (index: number) => Path;
}

/** Stand in for what has no default and is wrong; the checks that look at them are told by `broken`. */
const standIns: Readonly<Record<string, unknown>> = {
  location: 'westeurope',
  resourceGroup: 'rg',
  vault: { name: 'vault' },
  clusters: [{ name: 'cluster' }],
};

/**
 * What can still be checked as a whole when single values are wrong, so that one run reports everything: the
 * same configuration without what is wrong. Places in lists keep the numbers that the stack file has. `leftOut` are
 * places of applications that are right in themselves, and of which not all is known.
 */
export function salvage(
  input: Readonly<Record<string, unknown>>,
  parsed: ParseResult,
  leftOut: ReadonlySet<number> = new Set(),
): Salvaged | undefined {
  const broken = new Set(parsed.problems.map(({ path }) => String(path[0])));
  if (leftOut.size > 0) broken.add('applications');
  const lists = {
    applications: placesOf(input, parsed, 'applications').filter((place) => !leftOut.has(place)),
    clusters: placesOf(input, parsed, 'clusters'),
  };
  const paths = {
    applicationPath: (index: number) => ['applications', lists.applications[index] ?? index],
    clusterPath: (index: number) => ['clusters', lists.clusters[index] ?? index],
  };
  if (parsed.settings !== undefined && leftOut.size === 0)
    return { settings: parsed.settings, broken, ...paths };
  const kept = Object.entries(input).filter(([key]) => !broken.has(key));
  const { settings } = parseSettings({
    ...standIns,
    ...Object.fromEntries(kept),
    ...keptList(input, broken, 'applications', lists.applications),
    ...keptList(input, broken, 'clusters', lists.clusters),
  });
  return settings === undefined ? undefined : { settings, broken, ...paths };
}

type List = 'applications' | 'clusters';

/** The places in a list of the entries of which nothing is wrong. */
function placesOf(input: Readonly<Record<string, unknown>>, { problems }: ParseResult, key: List): number[] {
  const list = input[key];
  if (!Array.isArray(list)) return [];
  const wrong = new Set(problems.filter(({ path }) => path[0] === key).map(({ path }) => path[1]));
  return list.map((_, index) => index).filter((index) => !wrong.has(index));
}

function keptList(
  input: Readonly<Record<string, unknown>>,
  broken: ReadonlySet<string>,
  key: List,
  places: readonly number[],
): Record<string, unknown> {
  const list: unknown = input[key];
  if (!broken.has(key) || !Array.isArray(list) || places.length === 0) return {};
  return { [key]: places.map((place): unknown => list[place]) };
}
