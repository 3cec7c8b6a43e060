import { firstFew } from '../../components/resource/firstFew';
import type { Subject, Unread } from './facts';
import type { Access, IdentityAccess, Reached } from './reach';
import { isWider } from './reach';
import { describeTimes, isWithinTimes } from './times';
import { lesser, restrictions } from './understood';

/** Effects of a change on access, in the order of their importance to a reviewer. */
const changeKinds = ['gained', 'not judged', 'widened', 'replaced', 'narrowed', 'lost'] as const;
type ChangeKind = (typeof changeKinds)[number];

/** One effect of a change. */
export interface AccessChange {
  readonly kind: ChangeKind;
  /** `<cluster>/<namespace>/<service account>` or another subject; all are affected in the same way. */
  readonly who: readonly string[];
  /** Names of their identities after the change, or before it for lost access. */
  readonly identities: readonly string[];
  /** `<vault>/<secret>`, `<role> on <scope>`, or the path of an input. */
  readonly what: readonly string[];
  /** The reason of the access, with the earlier and the later value of what changed. */
  readonly why: string;
}

/** Differences of access before and after a change. */
export interface AccessDifference {
  readonly before: string;
  readonly after: string;
  readonly changes: readonly AccessChange[];
  /** Numbers of what was compared. */
  readonly counts: { readonly before: Access['counts']; readonly after: Access['counts'] };
}

/** Compares who can use what before and after a change. */
export function accessDifference(before: Access, after: Access): AccessDifference {
  const changes = [
    ...groupsOf(before, after).flatMap(changesOfGroup),
    ...unreadChanges(before.unread, after.unread),
    ...(before.fileInputs && after.fileInputs ? unreadChanges(before.fileInputs, after.fileInputs) : []),
    ...placeChanges(before, after),
  ];
  return {
    ...{ before: before.environment, after: after.environment },
    changes: inOrder(merged(changes)),
    counts: { before: before.counts, after: after.counts },
  };
}

/** Subjects that sign in as the same identities, both before and after the change. */
interface Group {
  readonly subjects: Subject[];
  readonly was: readonly IdentityAccess[];
  readonly is: readonly IdentityAccess[];
  /** Change of the trusted tokens, as the end of a sentence. */
  readonly trust: string;
}

// Grouped, since an identity shared by 2,000 applications has 2,000 subjects and 2,000 secrets.
function groupsOf(before: Access, after: Access): Group[] {
  const was = identitiesBySubject(before);
  const is = identitiesBySubject(after);
  const subjects = new Map([...was, ...is].map(([key, { subject }]) => [key, subject]));
  const groups = new Map<string, Group>();
  // A service account with other trusted tokens has another key.
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
    const id = JSON.stringify([[held, holds].map((identities) => identities.map((each) => each.key)), trust]);
    const group = groups.get(id) ?? { subjects: [], was: held, is: holds, trust };
    group.subjects.push(subject);
    groups.set(id, group);
  }
  return [...groups.values()];
}

/** Describes the change of the trusted tokens; the audience only if it changed. */
function trustChange(was: string, is: string): string {
  const [before, after] = [was, is].map((text) => text.slice(text.lastIndexOf(' for ')));
  return before === after
    ? `${was.slice(0, was.lastIndexOf(' for '))} → ${is.slice(0, is.lastIndexOf(' for '))}`
    : `${was} → ${is}`;
}

function identitiesBySubject({ identities }: Access) {
  const bySubject = new Map<string, { readonly subject: Subject; readonly identities: IdentityAccess[] }>();
  for (const identity of identities)
    for (const subject of identity.subjects) {
      const entry = bySubject.get(subject.key) ?? { subject, identities: [] };
      entry.identities.push(identity);
      bySubject.set(subject.key, entry);
    }
  return bySubject;
}

function changesOfGroup({ subjects, was, is, trust }: Group): AccessChange[] {
  const [held, holds] = [targetsOf(was), targetsOf(is)];
  const names = (identities: readonly IdentityAccess[]) => identities.map(({ name }) => name);
  const [known, unknown] = [false, true].map((isUnknown) =>
    subjects.filter((subject) => (subject.notJudged !== undefined) === isUnknown).map(whoOf),
  );
  const rows = new Map<string, { readonly change: Omit<AccessChange, 'what'>; readonly what: string[] }>();
  const add = (kind: ChangeKind, target: Reached, why: string, identities = names(is)): void => {
    const isMore = kind === 'gained' || kind === 'widened';
    const addRow = (who: readonly string[] = [], unclear?: string) => {
      if (who.length === 0) return;
      const rowKind = isMore && unclear !== undefined ? 'not judged' : kind;
      const because = rowKind === kind ? why : `${why}; not known: ${unclear ?? ''}`;
      const key = `${rowKind}\n${because}\n${who[0] ?? ''}`;
      const row = rows.get(key) ?? { change: { kind: rowKind, who, identities, why: because }, what: [] };
      row.what.push(target.text);
      rows.set(key, row);
    };
    addRow(known, target.notJudged);
    // If both the target and the subjects are unclear, one row is enough.
    if (target.notJudged === undefined || known?.length === 0) addRow(unknown, 'who that is');
  };
  for (const [key, target] of holds) {
    const earlier = covering(held, key);
    if (earlier === undefined && isPart(holds, key)) continue;
    if (earlier === undefined) add('gained', target, `${becauseOf(target)}${trust}`);
    else {
      const change = compareLimits(earlier, target);
      if (change !== undefined) add(change.kind, target, change.why);
    }
  }
  for (const [key, target] of held)
    if (covering(holds, key) === undefined && !isPart(held, key))
      add('lost', target, becauseOf(target), names(was));
  const changes = [...rows.values()].map(({ change, what }) => ({ ...change, what }));
  const isSame = was.length === is.length && was.every(({ key }, index) => key === is[index]?.key);
  const kept = [...holds].filter(([key]) => held.has(key)).map(([, target]) => target.text);
  if (!isSame && kept.length > 0)
    changes.push({
      ...{ kind: 'replaced', who: subjects.map(whoOf), identities: names(is), what: kept },
      why: `identity ${identityChange(was, is)}`,
    });
  return changes;
}

/** Describes the change of identities by their names, or by their ids if the names are the same. */
function identityChange(was: readonly IdentityAccess[], is: readonly IdentityAccess[]): string {
  const [from, to] = [was, is].map((identities) => identities.map(({ name }) => name).join(', '));
  if (from !== to) return `${from ?? ''} → ${to ?? ''}`;
  return [was, is].map((identities) => identities.map(({ key }) => key).join(', ')).join(' → ');
}

/** Key of a subject whatever tokens it uses. The issuer counts only if it is that of a cluster in the stack. */
const pairKey = ({ cluster, text }: Subject): string =>
  cluster === undefined || cluster.includes('://') ? text : `${cluster}/${text}`;

/** `<cluster>/<namespace>/<service account>`, or the text of another subject. */
const whoOf = ({ cluster, text }: Subject): string => (cluster === undefined ? text : `${cluster}/${text}`);

/** Returns what any of the identities may use, each with its widest grant. */
function targetsOf(identities: readonly IdentityAccess[]): Map<string, Reached> {
  const widest = new Map<string, Reached>();
  for (const { targets } of identities)
    for (const target of targets) {
      const known = widest.get(target.key);
      if (known === undefined || isWider(target, known)) widest.set(target.key, target);
    }
  return widest;
}

/** Returns the key of all secrets in the vault of a secret. */
const wholeVault = (key: string): string => key.replace(/(\/vaults\/[^/]+\/secrets\/)[^/]+$/, '$1*');

type Targets = ReadonlyMap<string, Reached>;

/** Finds the target, or all secrets of its vault. */
const covering = (targets: Targets, key: string): Reached | undefined =>
  targets.get(key) ?? targets.get(wholeVault(key));

/** Tells whether the target is a secret of a vault that is reported as a whole. */
const isPart = (targets: Targets, key: string): boolean =>
  key !== wholeVault(key) && targets.has(wholeVault(key));

const becauseOf = ({ because, condition }: Reached): string =>
  condition === undefined ? because : `${because}, under the condition ${shortened(condition)}`;

const longest = 120;
const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** Shows an earlier and a later value; if they are long, only around their first difference. */
function change(from: string, to: string): string {
  let first = 0;
  while (first < from.length && from[first] === to[first]) first += 1;
  const start = Math.max(0, first - 30);
  const around = (text: string) =>
    text.length > longest && start > 0 ? `…${shortened(text.slice(start))}` : shortened(text);
  return `${around(from)} → ${around(to)}`;
}

/** Compares the times and the conditions of the same grant. */
function compareLimits(was: Reached, is: Reached): { kind: ChangeKind; why: string } | undefined {
  const differences = [compareTimes(was, is), compareConditions(was, is)].filter(
    (difference) => difference !== undefined,
  );
  const kinds = differences.map((difference) => difference.kind);
  const kind = (['widened', 'not judged', 'narrowed'] as const).find((candidate) =>
    kinds.includes(candidate),
  );
  return kind && { kind, why: differences.map(({ why }) => why).join('; ') };
}

function compareTimes({ times: was }: Reached, { times: is }: Reached) {
  if (isWithinTimes(is, was) && isWithinTimes(was, is)) return undefined;
  const [before, after] = [was, is].map((times) => (times === undefined ? 'always' : describeTimes(times)));
  const kind = isWithinTimes(is, was) ? ('narrowed' as const) : ('widened' as const);
  return { kind, why: `${before ?? ''} → ${after ?? ''}` };
}

/** Only Azure can judge what a changed condition allows. */
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

/** The most inputs that are shown of a new resource. */
const mostInputs = 12;

/** Differences in inputs that are not understood as facts. */
function unreadChanges(before: readonly Unread[], after: readonly Unread[]): AccessChange[] {
  const [was, is] = [byResource(before), byResource(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((resource): AccessChange[] => {
    const [held, holds] = [was.get(resource), is.get(resource)];
    const changeOf = (what: string, why: string): AccessChange => ({
      ...{ kind: 'not judged', who: [resource], identities: [], what: [what], why },
    });
    if (held === undefined) {
      // New inputs that only restrict access are not reported.
      const added = [...(holds ?? [])].filter(([path, { value }]) => !isLesser(path, 'not there', value));
      const [path, first] = added.find(([name]) => name === 'chart') ?? added[0] ?? [];
      if (path === undefined || first?.silent === 'both') return [];
      const inputs = added.map(([name, { value }]) => (name === '' ? '' : `${name}: `) + shortened(value));
      const summary = path === 'chart' ? (first?.value ?? '') : firstFew(inputs, mostInputs);
      return [changeOf(path, `not there → ${summary}`)];
    }
    if (holds === undefined) {
      const [path, first] = [...held][0] ?? [];
      return path === undefined || first?.silent !== undefined
        ? []
        : [changeOf(path, change(first?.value ?? '', 'not there'))];
    }
    return [...new Set([...held.keys(), ...holds.keys()])].flatMap((path) => {
      const [from, to] = [held, holds].map((inputs) => inputs.get(path)?.value ?? 'not there');
      return from === undefined || to === undefined || from === to || isLess(path, from, to, held, holds)
        ? []
        : [changeOf(path, change(from, to))];
    });
  });
}

/** Tells whether a change only reduces access: by the table, or as a shorter time in days. */
function isLesser(path: string, from: string, to: string): boolean {
  const [before = '', after = ''] = [from, to].map((text) => /^\d+(?= days$)/.exec(text)?.[0]);
  return (
    (before !== '' && after !== '' && Number(after) <= Number(before)) ||
    lesser.some((row) => row.path.test(path) && row.to.test(to) && (row.from?.test(from) ?? true))
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
  const restriction = restrictions.find((prefix) => path.startsWith(prefix));
  if (restriction === undefined) return false;
  const has = (inputs: ReadonlyMap<string, Unread>) =>
    [...inputs.keys()].some((name) => name.startsWith(restriction));
  return has(holds) && ((to === 'not there' && restriction.endsWith('[')) || !has(held));
}

function byResource(unread: readonly Unread[]): Map<string, Map<string, Unread>> {
  const resources = new Map<string, Map<string, Unread>>();
  for (const input of unread) {
    const inputs = resources.get(input.resource) ?? new Map<string, Unread>();
    resources.set(input.resource, inputs.set(input.path, input));
  }
  return resources;
}

/** In another subscription, the same names are different resources. */
function placeChanges(before: Access, after: Access): AccessChange[] {
  const [was = 'unknown', is = 'unknown'] = [before.subscriptionId, after.subscriptionId];
  if (was.toLowerCase() === is.toLowerCase()) return [];
  const why = `${was} → ${is}: all resources in it are different ones with the same names`;
  return [{ kind: 'not judged', who: ['the subscription'], identities: [], what: [''], why }];
}

/** Merges the changes that are the same for several subjects. */
function merged(changes: readonly AccessChange[]): AccessChange[] {
  const byKey = new Map<string, AccessChange>();
  for (const change of changes) {
    const key = JSON.stringify([change.kind, change.what, change.why]);
    const known = byKey.get(key);
    byKey.set(
      key,
      known === undefined
        ? change
        : {
            ...known,
            who: [...known.who, ...change.who],
            identities: [...new Set([...known.identities, ...change.identities])],
          },
    );
  }
  return [...byKey.values()];
}

function inOrder(changes: AccessChange[]): AccessChange[] {
  const text = ({ who, what }: AccessChange) => `${who[0] ?? ''}\n${what[0] ?? ''}`;
  return changes.sort(
    (one, other) =>
      changeKinds.indexOf(one.kind) - changeKinds.indexOf(other.kind) || (text(one) < text(other) ? -1 : 1),
  );
}

/** Counts the changes by kind: `2 gained, 1 not judged`. Empty without changes. */
export function countChanges({ changes }: AccessDifference): string {
  return changeKinds
    .map((kind) => ({ kind, count: changes.filter((change) => change.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`)
    .join(', ');
}

/** Describes what was compared. */
export function describeCompared({ counts: { before, after } }: AccessDifference): string {
  const parts = (['trusts', 'grants', 'groups', 'readers'] as const).map((key) =>
    before[key] === after[key] ? `${after[key]} ${key}` : `${before[key]} → ${after[key]} ${key}`,
  );
  return `Compared: ${parts.join(', ')}.`;
}
