import type { NamedType } from '../../components/azure/naming';
import { isValidName, nameRule } from '../../components/azure/naming';
import type { ClusterPlan, EnvironmentPlan } from '../plan';
import { accountOf, selects } from '../plan';
import type { HyperShiftManifests } from '../settings/hyperShiftManifests';
import type { Path, Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { ReadFile } from '../settings/projectFiles';
import type { ApplicationSettings, ClusterSettings, StackSettings } from '../settings/schema';

/** An entry of a list of the stack file, with its path there. */
export type Placed<T> = T & { readonly path: Path };

/** Returns the entries, each with its path below `list`. */
export function placed<T extends object>(entries: readonly T[], list: Path): Placed<T>[] {
  return entries.map((entry, index) => ({ ...entry, path: [...list, index] }));
}

/** The settings, with the path of each entry of their lists. */
type PlacedSettings = {
  readonly [Key in keyof StackSettings]: StackSettings[Key] extends (infer Entry)[]
    ? readonly Placed<Entry>[]
    : StackSettings[Key];
};

export function placedLists(settings: StackSettings): PlacedSettings {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      Array.isArray(value) ? placed<object>(value, [key]) : value,
    ]),
  ) as PlacedSettings;
}

export type PlacedApplication = Placed<ApplicationSettings>;

/** Input of a check: individually valid settings, and their plan. */
export interface CheckInput extends PlacedSettings {
  /** Name of the stack. */
  readonly environment: string;
  /** The input that the settings were parsed from. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Keys whose values are unknown here because they are encrypted as a whole. */
  readonly unread: readonly string[];
  /** Reads the files that the settings name; undefined if files are not checked. */
  readonly readFile: ReadFile | undefined;
  /** The manifests of HyperShift's operator that the settings name. */
  readonly manifests: HyperShiftManifests;
  readonly now: Date;
  readonly plan: Omit<EnvironmentPlan, 'clusters'> & { readonly clusters: readonly Placed<ClusterPlan>[] };
}

/** A secret that something in the stack writes to a vault, for its own use only. */
export interface OwnedSecret {
  readonly vault: string;
  readonly secret: string;
  /** The setting that names it. */
  readonly path: Path;
}

/** A rule across the configuration. */
export type Check = (input: CheckInput) => Iterable<Problem>;

/** Yields each item whose key an earlier item has, with the first such item. */
export function* repeated<T>(items: readonly T[], keyOf: (item: T) => string) {
  const firsts = new Map<string, T>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, item);
    else yield { item, index, first };
  }
}

/** Returns what a message adds about two names that Azure treats as equal but that are written differently. */
export function inCase(one: string, other: string): string {
  return one === other ? '' : '; the two differ only in case, which Azure ignores';
}

/** Yields a problem if Azure refuses a name that is composed of other names. */
export function* refusedName(type: NamedType, name: string, path: Path, hint: string) {
  if (isValidName(type, name)) return;
  yield {
    path,
    what: `gives a resource the name "${name}" (${name.length} characters), which is not allowed`,
    allowed: nameRule(type).allowed,
    hint,
  };
}

/**
 * Problem of a namespace that two entries name on one cluster, only one of them as existing.
 * @param toCreate how to write the setting if the stack is to create the namespace
 */
export function disagreement(
  name: string,
  one: { readonly path: Path; readonly existing: boolean },
  other: { readonly path: Path; readonly existing: boolean },
  cluster: string,
  toCreate: string,
): Problem {
  const how = ({ existing }: { readonly existing: boolean }) => (existing ? 'marked as existing' : 'created');
  return {
    path: [...one.path, 'namespace'],
    value: JSON.stringify(name),
    what: `is ${how(one)} here but ${how(other)} by ${formatPath(other.path)} on ${cluster}`,
    allowed: 'the same `existing` wherever a namespace is named',
    hint: `Write \`namespace: { name: ${name}, existing: true }\` in both if it exists, or ${toCreate} if the stack is to create it.`,
  };
}

/** Returns the first cluster that both applications run on. */
export function sharedCluster(
  { clusters }: CheckInput,
  one: ApplicationSettings,
  other: ApplicationSettings,
): ClusterSettings | undefined {
  return clusters.find((cluster) => selects(one.clusters, cluster) && selects(other.clusters, cluster));
}

/** Yields each pair of applications that share a namespace, the later one first, with the first cluster that they share. */
export function* neighbours(input: CheckInput) {
  const earlier = new Map<string, PlacedApplication[]>();
  for (const application of input.applications) {
    const { namespace } = accountOf(application);
    const others = earlier.get(namespace) ?? [];
    for (const other of others) {
      const cluster = sharedCluster(input, application, other);
      // Two applications of the same name are reported elsewhere.
      if (cluster !== undefined && other.name !== application.name)
        yield { application, other, namespace, cluster: cluster.name };
    }
    others.push(application);
    earlier.set(namespace, others);
  }
}
