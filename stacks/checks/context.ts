import type { NamedType } from '../../components/azure/naming';
import { isValidName, nameRule } from '../../components/azure/naming';
import type { ClusterPlan, EnvironmentPlan } from '../plan';
import { accountOf, selects } from '../plan';
import type { Manifests } from '../settings/manifests';
import type { Path, Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { ReadFile } from '../settings/projectFiles';
import type {
  ApplicationSettings,
  ClusterSettings,
  GroupSettings,
  HostedClusterSettings,
  StackSettings,
} from '../settings/schema';

/** An entry of a list of the stack file, with its path there. */
export type Placed<T> = T & { readonly path: Path };

/** The entries of the list at this path. */
export function placed<T extends object>(entries: readonly T[], list: Path): Placed<T>[] {
  return entries.map((entry, index) => ({ ...entry, path: [...list, index] }));
}

export type PlacedApplication = Placed<ApplicationSettings>;

/** What a check looks at: individually valid settings, and the plan that is made of them. */
export interface Given extends Omit<
  StackSettings,
  'clusters' | 'applications' | 'groups' | 'hostedClusters'
> {
  /** Name of the stack. */
  readonly environment: string;
  /** What the settings are read from. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Keys that have values which are not known here: they are encrypted as a whole. */
  readonly unread: readonly string[];
  /** Reads the files that the settings name; undefined if they are not looked at. */
  readonly readFile: ReadFile | undefined;
  /** The manifests of HyperShift that the settings name. */
  readonly manifests: Manifests;
  readonly now: Date;
  readonly clusters: readonly Placed<ClusterSettings>[];
  readonly applications: readonly PlacedApplication[];
  readonly groups: readonly Placed<GroupSettings>[];
  readonly hostedClusters: readonly Placed<HostedClusterSettings>[];
  readonly plan: Omit<EnvironmentPlan, 'clusters'> & { readonly clusters: readonly Placed<ClusterPlan>[] };
}

/** A rule across the configuration. */
export type Check = (given: Given) => Iterable<Problem>;

/** Items with the same key as an earlier one, with that earlier one. */
export function* repeated<T>(items: readonly T[], keyOf: (item: T) => string) {
  const firsts = new Map<string, T>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, item);
    else yield { item, index, first };
  }
}

/** What to add where two names that count as one are written differently. */
export function inCase(one: string, other: string): string {
  return one === other ? '' : '; the two differ only in case, and Azure does not tell them apart';
}

/** The problem of a name that is made of others, if Azure refuses it. */
export function* refusedName(type: NamedType, name: string, path: Path, hint: string) {
  if (isValidName(type, name)) return;
  yield {
    path,
    what: `gives a resource the name "${name}" (${name.length} characters), which is not allowed`,
    allowed: nameRule(type).allowed,
    hint,
  };
}

/** A namespace that is named twice on a cluster, once as existing. @param made how it is named if it is to be made */
export function disagreement(
  name: string,
  one: { readonly path: Path; readonly existing: boolean },
  other: { readonly path: Path; readonly existing: boolean },
  cluster: string,
  made: string,
): Problem {
  const how = ({ existing }: { readonly existing: boolean }) => (existing ? 'existing' : 'made');
  return {
    path: [...one.path, 'namespace'],
    value: JSON.stringify(name),
    what: `is ${how(one)} here and ${how(other)} by ${formatPath(other.path)} on ${cluster}`,
    allowed: 'the same `existing` wherever a namespace is named',
    hint: `Write \`namespace: { name: ${name}, existing: true }\` in both if it exists, ${made} if it is to be made.`,
  };
}

/** The first cluster that both applications run on. */
export function sharedCluster(
  { clusters }: Given,
  one: ApplicationSettings,
  other: ApplicationSettings,
): ClusterSettings | undefined {
  return clusters.find((cluster) => selects(one.clusters, cluster) && selects(other.clusters, cluster));
}

/** Every two applications that share a namespace, the later one first, with the first cluster that they share. */
export function* neighbours(given: Given) {
  const earlier = new Map<string, PlacedApplication[]>();
  for (const application of given.applications) {
    const { namespace } = accountOf(application);
    const others = earlier.get(namespace) ?? [];
    for (const other of others) {
      const cluster = sharedCluster(given, application, other);
      // Two applications of the same name are reported elsewhere.
      if (cluster !== undefined && other.name !== application.name)
        yield { application, other, namespace, cluster: cluster.name };
    }
    others.push(application);
    earlier.set(namespace, others);
  }
}
