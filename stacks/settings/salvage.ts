import type { ParseResult } from './parse';
import { parseSettings } from './parse';
import type { Path } from './problem';
import { isRecord } from './record';
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
 * same configuration without what is wrong. Of an entry of a list that is a value on which nothing else hangs, else the
 * entry. Places in lists keep the numbers that the stack file has. `leftOut` are places of applications that are right in
 * themselves, and of which not all is known.
 */
export function salvage(
  input: Readonly<Record<string, unknown>>,
  parsed: ParseResult,
  leftOut: ReadonlySet<number> = new Set(),
): Salvaged | undefined {
  const broken = new Set(parsed.problems.map(({ path }) => String(path[0])));
  if (leftOut.size > 0) broken.add('applications');
  const entries = {
    applications: entriesOf(input, parsed, 'applications').filter(({ place }) => !leftOut.has(place)),
    clusters: entriesOf(input, parsed, 'clusters'),
  };
  const lists = {
    applications: entries.applications.map(({ place }) => place),
    clusters: entries.clusters.map(({ place }) => place),
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
    ...keptList(broken, 'applications', entries.applications),
    ...keptList(broken, 'clusters', entries.clusters),
  });
  return settings === undefined ? undefined : { settings, broken, ...paths };
}

type List = 'applications' | 'clusters';

/** Keys that can be left out, or replaced, without that something else in the configuration comes to mean another thing. */
const separable: Readonly<Record<List, readonly string[]>> = {
  applications: [
    'image',
    'replicas',
    'port',
    'env',
    'overrides',
    'audience',
    'delivery',
    'dependencies',
    'provisioning',
    'retainOnDelete',
  ],
  clusters: [
    'kubernetesVersion',
    'nodes',
    'tier',
    'administratorGroups',
    'authorizedIpRanges',
    'tags',
    'enable',
    'retainOnDelete',
  ],
};

/** Stands in for an image that is wrong: without one, the application would have nothing to run. */
const anImage = 'image:0';

interface Entry {
  readonly place: number;
  readonly value: unknown;
}

/** The entries of a list, each without what is wrong in it, as far as it can be left out. */
function entriesOf(input: Readonly<Record<string, unknown>>, { problems }: ParseResult, key: List): Entry[] {
  const list: unknown = input[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, place): Entry[] => {
    const wrong = problems.filter(({ path }) => path[0] === key && path[1] === place);
    if (wrong.length === 0) return [{ place, value }];
    const keys = new Set(wrong.map(({ path }) => String(path[2])));
    if (!isRecord(value) || ![...keys].every((one) => separable[key].includes(one))) return [];
    const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !keys.has(name)));
    const dependencies = keys.has('dependencies') ? rightDependencies(value.dependencies, wrong) : undefined;
    return [
      {
        place,
        value: {
          ...rest,
          ...(keys.has('image') && { image: anImage }),
          ...(dependencies !== undefined && { dependencies }),
        },
      },
    ];
  });
}

/** The dependencies of an application at their places, with a stand-in of no consequence for each that is wrong. */
function rightDependencies(
  dependencies: unknown,
  problems: ParseResult['problems'],
): readonly unknown[] | undefined {
  const wrong = problems.filter(({ path }) => path[2] === 'dependencies').map(({ path }) => path[3]);
  if (!Array.isArray(dependencies) || !wrong.every((index) => typeof index === 'number')) return undefined;
  return dependencies.map((one: unknown, index) =>
    wrong.includes(index)
      ? { name: `stand-in-${String(index)}`, identity: { name: `stand-in-${String(index)}` } }
      : one,
  );
}

function keptList(
  broken: ReadonlySet<string>,
  key: List,
  entries: readonly Entry[],
): Record<string, unknown> {
  return broken.has(key) && entries.length > 0 ? { [key]: entries.map(({ value }) => value) } : {};
}
