import { firstFew } from '../../components/resource/firstFew';
import type { Access, IdentityAccess, Reached, Reader } from './reach';
import { readable } from './readable';
import { labelledPods } from './reading';

/** Access of an application or another reader for one reason. */
export interface AccessRow {
  /** Empty for a reader outside clusters. */
  readonly cluster: string;
  /** Name of the application, or the subject if it is not an application. */
  readonly reader: string;
  /** `<namespace>/<service account>`, or another subject. */
  readonly subjects: readonly string[];
  readonly identity: string;
  /** `<vault>/<secret>` or `<role> on <scope>`; of overreach, only the first ones. */
  readonly what: readonly string[];
  readonly because: string;
  /** Number of secrets and roles that it can use without naming them. */
  readonly overreach: number;
}

/** The most targets that are listed of an overreach. */
const mostListed = 20;

/** Lists who can use what, with one row per reader, identity and reason. */
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
    const entry = sharing.get(key) ?? {
      cluster: reader?.cluster ?? cluster,
      reader,
      name: reader?.application ?? text.replace(/^([^/ ]+)\/.*$/, '$1'),
      subjects: [],
    };
    entry.subjects.push(text);
    sharing.set(key, entry);
  }
  const applications = [...new Set([...sharing.values()].flatMap(({ reader }) => reader?.application ?? []))];
  return [...sharing.values()].flatMap(({ cluster, reader, name, subjects }): AccessRow[] => {
    const subject = { cluster, reader: name, subjects, identity: identity.name };
    const named = new Set(reader?.named ?? []);
    const others = applications.filter((application) => application !== name);
    // Roles count as named if no other application shares the identity.
    const isNamed = ({ key, text }: Reached) =>
      reader === undefined ||
      (isSecret.test(key) ? named.has(text.toLowerCase()) : others.length === 0 || named.has(key));
    const own = identity.targets.filter(isNamed);
    return [...byReason(own, subject), ...beyond(identity, own, others, subject)];
  });
}

/** Returns the application's service accounts, and the pods with its label in their namespaces. */
const subjectsOf = ({ application, accounts }: Reader): string[] => [
  ...accounts,
  ...accounts.map((account) => labelledPods(account.split('/')[0] ?? '', application)),
];

type RowSubject = Pick<AccessRow, 'cluster' | 'reader' | 'subjects' | 'identity'>;

function byReason(targets: readonly Reached[], subject: RowSubject): AccessRow[] {
  const rows = new Map<string, string[]>();
  for (const { text, because } of targets) rows.set(because, [...(rows.get(because) ?? []), readable(text)]);
  return [...rows].map(([because, what]) => ({ ...subject, what, because, overreach: 0 }));
}

function beyond(
  { name, targets }: IdentityAccess,
  own: readonly Reached[],
  others: readonly string[],
  subject: RowSubject,
): AccessRow[] {
  const named = new Set(own);
  const rows = new Map<string, { what: string[]; count: number }>();
  for (const target of targets) {
    if (named.has(target)) continue;
    const because =
      target.because.startsWith('granted') || others.length > 0
        ? `identity ${name} is shared with ${firstFew(others)}`
        : target.because;
    const row = rows.get(because) ?? { what: [], count: 0 };
    row.count += 1;
    if (row.what.length < mostListed) row.what.push(readable(target.text));
    rows.set(because, row);
  }
  return [...rows].map(([because, { what, count }]) => ({ ...subject, what, because, overreach: count }));
}

/** Matches the key of a single secret. */
const isSecret = /\/vaults\/[^/]+\/secrets\/[^/*]+$/;
