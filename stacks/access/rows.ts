import { firstFew } from '../../components/resource/firstFew';
import type { Access, IdentityAccess, Reached, Reader } from './reach';
import { readable } from './readable';
import { describeTimes } from './reach';
import { labelledPods } from './reading';

/** What one application, or somebody else, can use for one reason. */
export interface AccessRow {
  /** Empty of what is on no cluster. */
  readonly cluster: string;
  /** Name of the application; of what is none, who it is. */
  readonly reader: string;
  /** `<namespace>/<service account>`, or who else signs in. */
  readonly subjects: readonly string[];
  readonly identity: string;
  /** `<vault>/<secret>` or `<role> on <scope>`; of many that it does not name, the first. */
  readonly what: readonly string[];
  readonly because: string;
  /** When, where it is not at all times. */
  readonly atTimes?: string | undefined;
  /** It does not name them, and can use them all the same: so many. */
  readonly overreach: number;
}

/** So many are listed of what an application does not name. */
const mostListed = 20;

/** Who can use what, a row for each reader, identity and reason. */
export function rowsOf({ identities, readers }: Access): AccessRow[] {
  const bySubject = new Map(
    readers.flatMap((reader) =>
      subjectsOf(reader).map((subject) => [`${reader.cluster}/${subject}`, reader] as const),
    ),
  );
  return identities.flatMap((identity) => rowsOfIdentity(identity, bySubject)).sort(inOrder);
}

const inOrder = (one: AccessRow, other: AccessRow): number => {
  const [first = '', second = ''] = [one, other].map(({ cluster, reader, because }) =>
    [cluster, reader, because].join('\n'),
  );
  return first < second ? -1 : 1;
};

function rowsOfIdentity(identity: IdentityAccess, bySubject: ReadonlyMap<string, Reader>): AccessRow[] {
  const sharing = new Map<
    string,
    { cluster: string; reader?: Reader | undefined; name: string; subjects: string[] }
  >();
  for (const { cluster = '', text } of identity.subjects) {
    const reader = bySubject.get(`${cluster}/${text}`);
    const key = reader === undefined ? `${cluster}\n${text}` : `${reader.cluster}/${reader.application}`;
    const known = sharing.get(key) ?? {
      cluster: reader?.cluster ?? cluster,
      reader,
      name: reader?.application ?? text.replace(/^([^/ ]+)\/.*$/, '$1'),
      subjects: [],
    };
    known.subjects.push(text);
    sharing.set(key, known);
  }
  const applications = [...new Set([...sharing.values()].flatMap(({ reader }) => reader?.application ?? []))];
  return [...sharing.values()].flatMap(({ cluster, reader, name, subjects }): AccessRow[] => {
    const whoever = { cluster, reader: name, subjects, identity: identity.name };
    const named = new Set(reader?.named ?? []);
    const others = applications.filter((one) => one !== name);
    // Only secrets and roles are named. A role is one's own where nobody shares the identity.
    const isNamed = ({ key, text }: Reached) =>
      reader === undefined ||
      (isSecret.test(key) ? named.has(text.toLowerCase()) : others.length === 0 || named.has(key));
    const own = identity.targets.filter(isNamed);
    return [...byReason(own, whoever), ...beyond(identity, own, others, whoever)];
  });
}

/** Its service accounts, and pods with its label in their namespaces. */
const subjectsOf = ({ application, accounts }: Reader): string[] => [
  ...accounts,
  ...accounts.map((one) => labelledPods(one.split('/')[0] ?? '', application)),
];

type Whoever = Pick<AccessRow, 'cluster' | 'reader' | 'subjects' | 'identity'>;

function byReason(targets: readonly Reached[], whoever: Whoever): AccessRow[] {
  const rows = new Map<string, { atTimes: string | undefined; what: string[] }>();
  for (const { text, because, times } of targets) {
    const row = rows.get(because) ?? { atTimes: times && describeTimes(times), what: [] };
    row.what.push(readable(text));
    rows.set(because, row);
  }
  return [...rows].map(([because, { atTimes, what }]) => ({
    ...whoever,
    what,
    because,
    atTimes,
    overreach: 0,
  }));
}

function beyond(
  { name, targets }: IdentityAccess,
  own: readonly Reached[],
  others: readonly string[],
  whoever: Whoever,
): AccessRow[] {
  const held = new Set(own);
  const rows = new Map<string, { what: string[]; count: number }>();
  for (const one of targets) {
    if (held.has(one)) continue;
    const because =
      one.because.startsWith('granted') || others.length > 0
        ? `identity ${name} is shared with ${firstFew(others)}`
        : one.because;
    const row = rows.get(because) ?? { what: [], count: 0 };
    row.count += 1;
    if (row.what.length < mostListed) row.what.push(readable(one.text));
    rows.set(because, row);
  }
  return [...rows].map(([because, { what, count }]) => ({ ...whoever, what, because, overreach: count }));
}

/** Key of a single secret. */
const isSecret = /\/vaults\/[^/]+\/secrets\/[^/*]+$/;
