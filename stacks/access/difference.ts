import type { Subject, Times, Unread } from './facts';
import type { Access, Counts, IdentityAccess, Reached } from './reach';
import { describeTimes } from './reach';
import { isWithin } from './within';

/** What a change does to access; in the order in which a reviewer wants to know. */
export const changeKinds = ['gained', 'not judged', 'widened', 'replaced', 'narrowed', 'lost'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** One thing that a change does. */
export interface AccessChange {
  readonly kind: ChangeKind;
  /** `<cluster>/<namespace>/<service account>` or who else, all alike. */
  readonly who: readonly string[];
  /** Names of their identities after the change; of what is lost, before it. */
  readonly identities: readonly string[];
  /** `<vault>/<secret>`, `<role> on <scope>`, or the path of an input. */
  readonly what: readonly string[];
  /** Why it can be used, with the earlier and the later value of what is different. */
  readonly why: string;
}

/** What differs in who can use what. */
export interface AccessDifference {
  readonly before: string;
  readonly after: string;
  readonly changes: readonly AccessChange[];
  /** What was compared. */
  readonly counts: { readonly before: Counts; readonly after: Counts };
}

/** Compares who can use what before and after a change. */
export function accessDifference(before: Access, after: Access): AccessDifference {
  const changes = [
    ...groupsOf(before, after).flatMap(changesOfGroup),
    ...unreadChanges(before, after),
    ...placeChanges(before, after),
  ];
  return {
    ...{ before: before.environment, after: after.environment },
    changes: inOrder(merged(changes)),
    counts: { before: before.counts, after: after.counts },
  };
}

/** Subjects that signed in as the same identities before, and sign in as the same ones after. */
interface Group {
  readonly subjects: Subject[];
  readonly was: readonly IdentityAccess[];
  readonly is: readonly IdentityAccess[];
}

// By groups and not one by one, since an identity that 2,000 applications share has 2,000 subjects and 2,000 secrets.
function groupsOf(before: Access, after: Access): Group[] {
  const was = identitiesBySubject(before);
  const is = identitiesBySubject(after);
  const subjects = new Map([...was, ...is].map(([key, { subject }]) => [key, subject]));
  const groups = new Map<string, Group>();
  for (const [key, subject] of subjects) {
    const [held, holds] = [was.get(key)?.identities ?? [], is.get(key)?.identities ?? []];
    const id = JSON.stringify([held, holds].map((all) => all.map((one) => one.key)));
    const group = groups.get(id) ?? { subjects: [], was: held, is: holds };
    group.subjects.push(subject);
    groups.set(id, group);
  }
  return [...groups.values()];
}

function identitiesBySubject({ identities }: Access) {
  const all = new Map<string, { readonly subject: Subject; readonly identities: IdentityAccess[] }>();
  for (const identity of identities)
    for (const subject of identity.subjects) {
      const known = all.get(subject.key) ?? { subject, identities: [] };
      known.identities.push(identity);
      all.set(subject.key, known);
    }
  return all;
}

function changesOfGroup({ subjects, was, is }: Group): AccessChange[] {
  const [held, holds] = [targetsOf(was), targetsOf(is)];
  const names = (all: readonly IdentityAccess[]) => all.map(({ name }) => name);
  const [known, unknown] = [false, true].map((not) =>
    subjects.filter((one) => (one.notJudged !== undefined) === not).map(whoOf),
  );
  const whats = new Map<string, { readonly change: Omit<AccessChange, 'what'>; readonly what: string[] }>();
  const add = (kind: ChangeKind, one: Reached, why: string, identities = names(is)): void => {
    const isMore = kind === 'gained' || kind === 'widened';
    const tell = (who: readonly string[] = [], unclear?: string) => {
      if (who.length === 0) return;
      const as = isMore && unclear !== undefined ? 'not judged' : kind;
      const because = as === kind ? why : `${why}; not known: ${unclear ?? ''}`;
      const key = `${as}\n${because}\n${who[0] ?? ''}`;
      const row = whats.get(key) ?? { change: { kind: as, who, identities, why: because }, what: [] };
      row.what.push(one.text);
      whats.set(key, row);
    };
    tell(known, one.notJudged);
    tell(unknown, 'who that is');
  };
  for (const [key, one] of holds) {
    const earlier = held.get(key);
    if (earlier === undefined) add('gained', one, becauseOf(one));
    else {
      const change = compareTimes(earlier, one);
      if (change !== undefined) add(change.kind, one, change.why);
    }
  }
  for (const [key, one] of held) if (!holds.has(key)) add('lost', one, becauseOf(one), names(was));
  const changes = [...whats.values()].map(({ change, what }) => ({ ...change, what }));
  const isSame = was.length === is.length && was.every(({ key }, index) => key === is[index]?.key);
  const kept = [...holds].filter(([key]) => held.has(key)).map(([, one]) => one.text);
  if (!isSame && kept.length > 0)
    changes.push({
      ...{ kind: 'replaced', who: subjects.map(whoOf), identities: names(is), what: kept },
      why: `identity ${names(was).join(', ')} → ${names(is).join(', ')}`,
    });
  return changes;
}

const whoOf = ({ cluster, text }: Subject): string => (cluster === undefined ? text : `${cluster}/${text}`);

/** What any of the identities may use, by the widest way. */
function targetsOf(identities: readonly IdentityAccess[]): Map<string, Reached> {
  const all = new Map<string, Reached>();
  for (const { targets } of identities)
    for (const one of targets) {
      const known = all.get(one.key);
      if (known === undefined || (known.times !== undefined && one.times === undefined))
        all.set(one.key, one);
    }
  return all;
}

const becauseOf = ({ because, condition }: Reached): string =>
  condition === undefined ? because : `${because}, under the condition ${shortened(condition)}`;

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text);

function compareTimes(was: Reached, is: Reached): { kind: ChangeKind; why: string } | undefined {
  const [before, after] = [was, is].map(({ times }) =>
    times === undefined ? 'always' : describeTimes(times),
  );
  if (before !== after) {
    const kind = isWithinTimes(is.times, was.times) ? 'narrowed' : 'widened';
    return { kind, why: `${before ?? ''} → ${after ?? ''}` };
  }
  if (was.condition === is.condition) return undefined;
  // What a condition allows, only Azure judges.
  const kind =
    is.condition === undefined ? 'widened' : was.condition === undefined ? 'narrowed' : 'not judged';
  return {
    kind,
    why: `condition ${shortened(was.condition ?? 'none')} → ${shortened(is.condition ?? 'none')}`,
  };
}

function isWithinTimes(inner: Times | undefined, outer: Times | undefined): boolean {
  if (outer === undefined) return true;
  if (inner === undefined) return false;
  const onDemand = inner.onDemand === undefined || inner.onDemand === outer.onDemand;
  return onDemand && isWithin(inner.windows, outer.windows);
}

/** What no fact is made of and is different. */
function unreadChanges(before: Access, after: Access): AccessChange[] {
  const keyOf = ({ resource, path }: Unread) => `${resource}\n${path}`;
  const was = new Map(before.unread.map((one) => [keyOf(one), one]));
  const is = new Map(after.unread.map((one) => [keyOf(one), one]));
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key): AccessChange[] => {
    const [held, holds] = [was.get(key), is.get(key)];
    const { resource, path } = holds ?? held ?? { resource: '', path: '' };
    if (held?.value === holds?.value) return [];
    const values = [held, holds].map((one) => (one === undefined ? 'not there' : shortened(one.value)));
    return [{ kind: 'not judged', who: [resource], identities: [], what: [path], why: values.join(' → ') }];
  });
}

/** The same names elsewhere are other things. */
function placeChanges(before: Access, after: Access): AccessChange[] {
  const [was, is] = [before.subscriptionId, after.subscriptionId];
  if (was === undefined || is === undefined || was.toLowerCase() === is.toLowerCase()) return [];
  const why = `${was} → ${is}: everything in it is another one, with the same name`;
  return [{ kind: 'not judged', who: ['the subscription'], identities: [], what: [''], why }];
}

/** Who is changed in the same way, in one. */
function merged(changes: readonly AccessChange[]): AccessChange[] {
  const all = new Map<string, AccessChange>();
  for (const one of changes) {
    const key = JSON.stringify([one.kind, one.what, one.why]);
    const known = all.get(key);
    all.set(
      key,
      known === undefined
        ? one
        : {
            ...known,
            who: [...known.who, ...one.who],
            identities: [...new Set([...known.identities, ...one.identities])],
          },
    );
  }
  return [...all.values()];
}

function inOrder(changes: AccessChange[]): AccessChange[] {
  const text = ({ who, what }: AccessChange) => `${who[0] ?? ''}\n${what[0] ?? ''}`;
  return changes.sort(
    (one, other) =>
      changeKinds.indexOf(one.kind) - changeKinds.indexOf(other.kind) || (text(one) < text(other) ? -1 : 1),
  );
}

/** `2 gained, 1 not judged`; empty without a change. */
export function countChanges({ changes }: AccessDifference): string {
  return changeKinds
    .map((kind) => ({ kind, count: changes.filter((one) => one.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`)
    .join(', ');
}

/** What was compared, in words. */
export function describeCompared({ counts: { before, after } }: AccessDifference): string {
  const parts = (['trusts', 'grants', 'groups', 'readers'] as const).map((key) =>
    before[key] === after[key] ? `${after[key]} ${key}` : `${before[key]} → ${after[key]} ${key}`,
  );
  return `Compared: ${parts.join(', ')}.`;
}
