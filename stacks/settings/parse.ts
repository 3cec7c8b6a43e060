import { nearest } from './nearest';
import type { Path, Problem } from './problem';
import { valueAt } from './problem';
import { isRecord } from '../../components/resource/fields';
import type {
  ApplicationSettings,
  ClusterSettings,
  GroupSettings,
  HostedClusterSettings,
  StackSettings,
} from './schema';
import { stackSchema } from './schema';
import { applicationOfWrongImage } from './schema/applications';
import { shapeProblems } from './shapeProblems';
import { hasPath } from './shapes';

type Key = keyof StackSettings;

/** Lists of which the entries are read one by one. */
const lists = ['clusters', 'applications', 'groups', 'hostedClusters'] as const;
type List = (typeof lists)[number];

/**
 * Fields that say what an entry is and where: if one of them is wrong, its entry is left out. Without any other field, an
 * entry is read as if the field were not there.
 */
const decisive = [
  ...['name', 'mode', 'existing', 'placement', 'labels'],
  ...['clusters', 'identity', 'namespace', 'serviceAccount', 'serviceAccounts'],
  ...['managementCluster', 'authentication'],
];

/** An entry of a list of the stack file, with its path there. */
export type Placed<T> = T & { readonly path: Path };

/** An application, and the names of its fields that are wrong in themselves: they may be left out, or have their defaults. */
export type PlacedApplication = Placed<ApplicationSettings> & { readonly wrong: ReadonlySet<string> };

/** The part of a configuration that can be read, and the problems of the rest. */
export interface ParseResult {
  /** A list has the entries that can be read; any other key that cannot be has its default, or nothing without one. */
  readonly found: Partial<StackSettings> & Pick<StackSettings, List>;
  /** The same entries of the lists. */
  readonly clusters: Placed<ClusterSettings>[];
  readonly applications: PlacedApplication[];
  readonly groups: Placed<GroupSettings>[];
  readonly hostedClusters: Placed<HostedClusterSettings>[];
  /** The keys without a problem, and the lists that are complete. */
  readonly valid: ReadonlySet<Key>;
  /** The whole configuration, if there is no problem. */
  readonly settings?: StackSettings;
  readonly problems: readonly Problem[];
}

/** Checks the shape of a configuration: keys, types, and single values. */
export function parseSettings(input: Readonly<Record<string, unknown>>): ParseResult {
  const problems = shapeProblems(stackSchema, input);
  const { shape } = stackSchema;
  const keys = Object.keys(shape) as Key[];
  const valid = new Set(keys.filter((key) => problems.every(({ path }) => path[0] !== key)));
  // The value of a misspelt key is not read, so the key that it stands for is not known.
  const missing = keys.filter((key) => !Object.hasOwn(input, key));
  for (const key of Object.keys(input).filter((one) => !Object.hasOwn(shape, one)))
    valid.delete(nearest(key, missing) as Key);
  const readable = withoutWrongFields(input, problems);
  const found: Record<string, unknown> = {};
  for (const key of keys) {
    const { success, data } = shape[key].safeParse(readable[key]);
    found[key] = success ? data : shape[key].safeParse(undefined).data;
  }
  const wrongFields = wrongFieldsOf(problems);
  const placed: Record<string, object[]> = {};
  for (const key of lists) {
    const given: unknown[] = Array.isArray(readable[key]) ? readable[key] : [];
    const entries = given.flatMap((entry, index) => {
      const wrong = wrongFields.get(`${key}/${index}`) ?? new Set();
      const withoutImage = wrong.has('image') ? applicationOfWrongImage.safeParse(entry).data : undefined;
      const one = shape[key].safeParse([entry]).data?.[0] ?? withoutImage;
      // What an application or a hosted cluster runs is not known until its release file is read; a wrong file is reported
      // there.
      return one === undefined || 'release' in one ? [] : [{ one, path: [key, index], wrong }];
    });
    found[key] = entries.map(({ one }) => one);
    placed[key] = entries.map(({ one, path, wrong }) => ({ ...one, path, wrong }));
    const isComplete = entries.length === given.length && !entries.some(({ wrong }) => hidesSecrets(wrong));
    if (!isComplete) valid.delete(key);
    else if (Array.isArray(input[key])) valid.add(key);
  }
  const settings = found as unknown as StackSettings;
  const isWhole = problems.length === 0 && valid.size === keys.length;
  const read = { found: settings, ...placed, valid, problems } as unknown as ParseResult;
  return { ...read, ...(isWhole && { settings }) };
}

/** Names of the fields that have problems, or have them inside, by entry: `<list>/<index>`. */
function wrongFieldsOf(problems: readonly Problem[]): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>();
  for (const { path } of problems) {
    const [list = '', index = '', field = ''] = path;
    const entry = `${list}/${index}`;
    fields.set(entry, (fields.get(entry) ?? new Set()).add(String(field)));
  }
  return fields;
}

/** Whether the application may read secrets that are not known: its `secrets`, or a key that may be meant for them, are wrong. */
function hidesSecrets(wrong: ReadonlySet<string>): boolean {
  return [...wrong].some((field) => nearest(field, ['secrets', 'accessWindows']) !== undefined);
}

function withoutWrongFields(input: Readonly<Record<string, unknown>>, problems: readonly Problem[]) {
  const readable = structuredClone(input);
  for (const { path: at } of problems) {
    const path = at[2] === 'dependencies' ? at.slice(0, 3) : at;
    // A list goes as a whole: its other entries would change their places.
    const last = path.findLastIndex((step) => typeof step === 'string');
    const around = valueAt(readable, path.slice(0, last));
    if (last > 0 && isRecord(around) && !isDecisive(path)) Reflect.deleteProperty(around, String(path[last]));
  }
  return readable;
}

/** Whether the path leads through a decisive field, or through an unknown one that may be meant for one. */
function isDecisive(path: Path): boolean {
  const fields = path.slice(1).map(String);
  const meant = hasPath(stackSchema, path) ? undefined : nearest(fields.at(-1) ?? '', decisive);
  return meant !== undefined || fields.some((field) => decisive.includes(field));
}
