import { durationOf } from '../../components/access/onDemand';
import { firstFew } from '../../components/resource/firstFew';
import type { Times } from '../plan/accessWindows';
import type { Subject, Unread } from './facts';
import type { Access, Counts, IdentityAccess, Reached } from './reach';
import { describeTimes, isWider } from './reach';
import { lesser, restrictions } from './understood';
import { isWithin } from './within';

/** What a change does to access; in the order in which a reviewer wants to know. */
const changeKinds = ['gained', 'not judged', 'widened', 'replaced', 'narrowed', 'lost'] as const;
type ChangeKind = (typeof changeKinds)[number];

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
    ...unreadChanges(before.unread, after.unread),
    ...(before.given && after.given ? unreadChanges(before.given, after.given) : []),
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
  /** By which other tokens than before, as the end of a sentence. */
  readonly trust: string;
}

// By groups and not one by one, since an identity that 2,000 applications share has 2,000 subjects and 2,000 secrets.
function groupsOf(before: Access, after: Access): Group[] {
  const was = identitiesBySubject(before);
  const is = identitiesBySubject(after);
  const subjects = new Map([...was, ...is].map(([key, { subject }]) => [key, subject]));
  const groups = new Map<string, Group>();
  // The same service account by other tokens is another subject.
  const earlier = new Map(
    [...was].flatMap(([key, { subject }]) => (is.has(key) ? [] : [[pairKey(subject), subject]])),
  );
  for (const [key, subject] of subjects) {
    const [held, holds] = [was.get(key)?.identities ?? [], is.get(key)?.identities ?? []];
    const other = was.has(key) ? undefined : earlier.get(pairKey(subject));
    const trust =
      other === undefined
        ? ''
        : `; ${trustChange(other.trusted ?? other.key, subject.trusted ?? subject.key)}`;
    const id = JSON.stringify([[held, holds].map((all) => all.map((one) => one.key)), trust]);
    const group = groups.get(id) ?? { subjects: [], was: held, is: holds, trust };
    group.subjects.push(subject);
    groups.set(id, group);
  }
  return [...groups.values()];
}

/** What is different in the tokens: the audience is said where it is another. */
function trustChange(was: string, is: string): string {
  const [before, after] = [was, is].map((text) => text.slice(text.lastIndexOf(' for ')));
  return before === after
    ? `${was.slice(0, was.lastIndexOf(' for '))} → ${is.slice(0, is.lastIndexOf(' for '))}`
    : `${was} → ${is}`;
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

function changesOfGroup({ subjects, was, is, trust }: Group): AccessChange[] {
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
    // One row is enough of what is not known on both sides.
    if (one.notJudged === undefined || known?.length === 0) tell(unknown, 'who that is');
  };
  for (const [key, one] of holds) {
    const earlier = covering(held, key);
    if (earlier === undefined && isPart(holds, key)) continue;
    if (earlier === undefined) add('gained', one, `${becauseOf(one)}${trust}`);
    else {
      const change = compareLimits(earlier, one);
      if (change !== undefined) add(change.kind, one, change.why);
    }
  }
  for (const [key, one] of held)
    if (covering(holds, key) === undefined && !isPart(held, key))
      add('lost', one, becauseOf(one), names(was));
  const changes = [...whats.values()].map(({ change, what }) => ({ ...change, what }));
  const isSame = was.length === is.length && was.every(({ key }, index) => key === is[index]?.key);
  const kept = [...holds].filter(([key]) => held.has(key)).map(([, one]) => one.text);
  if (!isSame && kept.length > 0)
    changes.push({
      ...{ kind: 'replaced', who: subjects.map(whoOf), identities: names(is), what: kept },
      why: `identity ${identityChange(was, is)}`,
    });
  return changes;
}

/** By their names; by their ids, where the names are the same. */
function identityChange(was: readonly IdentityAccess[], is: readonly IdentityAccess[]): string {
  const [from, to] = [was, is].map((all) => all.map(({ name }) => name).join(', '));
  if (from !== to) return `${from ?? ''} → ${to ?? ''}`;
  return [was, is].map((all) => all.map(({ key }) => key).join(', ')).join(' → ');
}

/** Of what signs in by tokens of an issuer that is no cluster's, the issuer may be another. */
const pairKey = ({ cluster, text }: Subject): string =>
  cluster === undefined || cluster.includes('://') ? text : `${cluster}/${text}`;

/** `<cluster>/<namespace>/<service account>`, or who else it is. */
const whoOf = ({ cluster, text }: Subject): string => (cluster === undefined ? text : `${cluster}/${text}`);

/** What any of the identities may use, by the widest way. */
function targetsOf(identities: readonly IdentityAccess[]): Map<string, Reached> {
  const all = new Map<string, Reached>();
  for (const { targets } of identities)
    for (const one of targets) {
      const known = all.get(one.key);
      if (known === undefined || isWider(one, known)) all.set(one.key, one);
    }
  return all;
}

/** Key of all secrets of the vault of one: who can read all of them gains nothing by one. */
const wholeVault = (key: string): string => key.replace(/(\/vaults\/[^/]+\/secrets\/)[^/]+$/, '$1*');

type Targets = ReadonlyMap<string, Reached>;

/** It, or all secrets of its vault. */
const covering = (all: Targets, key: string): Reached | undefined => all.get(key) ?? all.get(wholeVault(key));

/** Whether it is one of the secrets of a vault that is told as a whole. */
const isPart = (all: Targets, key: string): boolean => key !== wholeVault(key) && all.has(wholeVault(key));

const becauseOf = ({ because, condition }: Reached): string =>
  condition === undefined ? because : `${because}, under the condition ${shortened(condition)}`;

const longest = 120;
const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** An earlier and a later value; of long ones what is around their first difference. */
function change(from: string, to: string): string {
  let first = 0;
  while (first < from.length && from[first] === to[first]) first += 1;
  const start = Math.max(0, first - 30);
  const around = (text: string) =>
    text.length > longest && start > 0 ? `…${shortened(text.slice(start))}` : shortened(text);
  return `${around(from)} → ${around(to)}`;
}

/** How the same grant is limited in another way: by its times, by its condition, or by both. */
function compareLimits(was: Reached, is: Reached): { kind: ChangeKind; why: string } | undefined {
  const all = [compareTimes(was, is), compareConditions(was, is)].filter((one) => one !== undefined);
  const kinds = all.map(({ kind }) => kind);
  const kind = (['widened', 'not judged', 'narrowed'] as const).find((one) => kinds.includes(one));
  return kind && { kind, why: all.map(({ why }) => why).join('; ') };
}

function compareTimes({ times: was }: Reached, { times: is }: Reached) {
  if (isWithinTimes(is, was) && isWithinTimes(was, is)) return undefined;
  const [before, after] = [was, is].map((times) => (times === undefined ? 'always' : describeTimes(times)));
  const kind = isWithinTimes(is, was) ? ('narrowed' as const) : ('widened' as const);
  return { kind, why: `${before ?? ''} → ${after ?? ''}` };
}

/** What a condition allows, only Azure judges. */
function compareConditions({ condition: was }: Reached, { condition: is }: Reached) {
  if (was === is) return undefined;
  const kind =
    is === undefined
      ? ('widened' as const)
      : was === undefined
        ? ('narrowed' as const)
        : ('not judged' as const);
  return { kind, why: `condition ${change(was ?? 'none', is ?? 'none')}` };
}

function isWithinTimes(inner: Times | undefined, outer: Times | undefined): boolean {
  if (outer === undefined) return true;
  if (inner === undefined) return false;
  const [inside = 0, outside = 0] = [inner, outer].map((one) => durationOf(one.onDemand ?? ''));
  return inside <= outside && isWithin(inner.windows, outer.windows);
}

/** So many inputs are shown of a new resource. */
const mostInputs = 12;

/** What no fact is made of and is different. */
function unreadChanges(before: readonly Unread[], after: readonly Unread[]): AccessChange[] {
  const [was, is] = [byResource(before), byResource(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((resource): AccessChange[] => {
    const [held, holds] = [was.get(resource), is.get(resource)];
    const tell = (what: string, why: string): AccessChange => ({
      ...{ kind: 'not judged', who: [resource], identities: [], what: [what], why },
    });
    if (held === undefined) {
      // What is new and restricts is less than nothing.
      const all = [...(holds ?? [])].filter(([path, { value }]) => !isLesser(path, 'not there', value));
      const [path, first] = all.find(([one]) => one === 'chart') ?? all[0] ?? [];
      if (path === undefined || first?.silent === 'both') return [];
      const inputs = all.map(([one, { value }]) => (one === '' ? '' : `${one}: `) + shortened(value));
      const said = path === 'chart' ? (first?.value ?? '') : firstFew(inputs, mostInputs);
      return [tell(path, `not there → ${said}`)];
    }
    if (holds === undefined) {
      const [path, first] = [...held][0] ?? [];
      return path === undefined || first?.silent !== undefined
        ? []
        : [tell(path, change(first?.value ?? '', 'not there'))];
    }
    return [...new Set([...held.keys(), ...holds.keys()])].flatMap((path) => {
      const [from, to] = [held, holds].map((one) => one.get(path)?.value ?? 'not there');
      return from === undefined || to === undefined || from === to || isLess(path, from, to, held, holds)
        ? []
        : [tell(path, change(from, to))];
    });
  });
}

/** By the table of what makes access less, or a shorter time in days. */
function isLesser(path: string, from: string, to: string): boolean {
  const [before = '', after = ''] = [from, to].map((one) => /^\d+(?= days$)/.exec(one)?.[0]);
  return (
    (before !== '' && after !== '' && Number(after) <= Number(before)) ||
    lesser.some((one) => one.path.test(path) && one.to.test(to) && (one.from?.test(from) ?? true))
  );
}

function isLess(
  path: string,
  from: string,
  to: string,
  held: ReadonlyMap<string, Unread>,
  holds: ReadonlyMap<string, Unread>,
): boolean {
  if (isLesser(path, from, to)) return true;
  const restriction = restrictions.find((one) => path.startsWith(one));
  if (restriction === undefined) return false;
  const has = (all: ReadonlyMap<string, Unread>) =>
    [...all.keys()].some((one) => one.startsWith(restriction));
  return has(holds) && ((to === 'not there' && restriction.endsWith('[')) || !has(held));
}

function byResource(unread: readonly Unread[]): Map<string, Map<string, Unread>> {
  const all = new Map<string, Map<string, Unread>>();
  for (const one of unread) {
    const known = all.get(one.resource) ?? new Map<string, Unread>();
    all.set(one.resource, known.set(one.path, one));
  }
  return all;
}

/** The same names elsewhere are other things. */
function placeChanges(before: Access, after: Access): AccessChange[] {
  const [was = 'not said', is = 'not said'] = [before.subscriptionId, after.subscriptionId];
  if (was.toLowerCase() === is.toLowerCase()) return [];
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
