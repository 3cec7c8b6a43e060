import { fieldsOf, textOf, textsOf } from '../../components/resource/fields';
import { describeWindow } from '../../components/access/calendar';
import type { Times } from '../plan/accessWindows';
import type { Facts, Subject, Target, Unread } from './facts';
import type { Principal } from './names';
import { ownSubscription } from './names';
import { factsOf } from './reading';
import type { RegisteredStack } from './registered';

/** Something that an identity may use, and why. */
export interface Reached extends Target {
  /** `granted`, `member of group …`, or by what else. */
  readonly because: string;
  readonly condition?: string | undefined;
  readonly times?: Times | undefined;
}

/** An identity: whoever can sign in as it can use everything that it may. */
export interface IdentityAccess {
  readonly key: string;
  /** Name in Azure or in Entra. */
  readonly name: string;
  readonly subjects: readonly Subject[];
  readonly targets: readonly Reached[];
}

/** An application, and what its settings name. */
export interface Reader {
  readonly cluster: string;
  readonly application: string;
  /** `<namespace>/<service account>` of its service accounts. */
  readonly accounts: readonly string[];
  /** What it names, in lower case: `<vault>/<secret>`, or `<GUID of the role> on <scope>`. */
  readonly named: readonly string[];
}

/** Who can use what in one environment. */
export interface Access {
  readonly environment: string;
  /** Undefined if it is known only to whoever deploys. */
  readonly subscriptionId?: string | undefined;
  readonly identities: readonly IdentityAccess[];
  readonly readers: readonly Reader[];
  readonly unread: readonly Unread[];
  /** What only a stack file says: settings of policies and providers, charts of the project; undefined of what is deployed. */
  readonly given?: readonly Unread[] | undefined;
  readonly counts: Counts;
}

/** What was looked at. */
export type Counts = Readonly<Record<'trusts' | 'grants' | 'groups' | 'readers', number>>;

/**
 * Who can use what, by what a stack registers.
 * @param subscriptionId that is deployed to, empty if it is not known. Default: the one that the stack tells
 */
export function accessOf(
  stack: RegisteredStack,
  environment: string,
  subscriptionId = textOf(stack.outputs.subscriptionId),
): Access {
  const facts = factsOf(stack, subscriptionId);
  const readers = readersOf(stack.outputs, subscriptionId);
  return {
    environment,
    ...(subscriptionId !== '' && { subscriptionId }),
    identities: reachOf(facts),
    readers,
    unread: facts.unread,
    counts: {
      trusts: facts.trusts.length,
      grants: facts.grants.length,
      groups: new Set(facts.memberships.map(({ group }) => group.key)).size,
      readers: readers.length,
    },
  };
}

interface Reach {
  readonly principal: Principal;
  readonly subjects: Map<string, Subject>;
  readonly targets: Map<string, Reached>;
}

function reachOf({ trusts, memberships, grants }: Facts): IdentityAccess[] {
  const all = new Map<string, Reach>();
  const of = (principal: Principal): Reach => {
    const known = all.get(principal.key) ?? { principal, subjects: new Map(), targets: new Map() };
    all.set(principal.key, known);
    return known;
  };
  for (const { identity, subject } of trusts) {
    const { subjects, targets } = of(identity);
    subjects.set(subject.key, subject);
    // What others granted an existing identity, nobody knows here.
    const text = `whatever identity ${identity.name} may use`;
    const key = `whatever ${identity.key} may use`;
    if (identity.existing)
      targets.set(key, { key, text, because: 'granted by others', notJudged: 'what that is' });
  }
  const members = new Map<string, Principal[]>();
  for (const { group, member } of memberships)
    members.set(group.key, [...(members.get(group.key) ?? []), member]);
  for (const { principal, target, by, condition, times } of grants) {
    const add = (to: Principal, because: string) => {
      const { targets } = of(to);
      const held = targets.get(target.key);
      const reached = { ...target, because, condition, times };
      if (held === undefined || isWider(reached, held)) targets.set(target.key, reached);
      else if (held.times !== undefined && times !== undefined)
        targets.set(target.key, {
          ...held,
          times: both(held.times, times),
          because: `${held.because}; ${because}`,
        });
    };
    const granted = by ?? (times === undefined ? 'granted' : `granted ${describeTimes(times)}`);
    if (principal.kind !== 'group' || principal.existing) add(principal, granted);
    for (const member of members.get(principal.key) ?? [])
      add(member, `member of group ${principal.name}${by === undefined ? '' : `, by ${by}`}`);
  }
  return [...all.values()]
    .map(({ principal, subjects, targets }) => ({
      ...{ key: principal.key, name: principal.name },
      subjects: [...subjects.values(), ...othersOf(principal)].sort(byText),
      targets: [...targets.values()].sort(secretsFirst),
    }))
    .filter(({ subjects, targets }) => subjects.length > 0 && targets.length > 0)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

const both = (one: Times, other: Times): Times => ({
  windows: [...one.windows, ...other.windows],
  onDemand: one.onDemand ?? other.onDemand,
});

/** At all times, and without a condition, is more. */
export const isWider = (one: Reached, other: Reached): boolean =>
  one.times === undefined &&
  (other.times !== undefined || (one.condition === undefined && other.condition !== undefined));

const byText = (one: { text: string }, other: { text: string }): number => (one.text < other.text ? -1 : 1);

const secretsFirst = (one: Reached, other: Reached): number =>
  Number(isRole(one)) - Number(isRole(other)) || byText(one, other);

const isRole = ({ text }: Reached): boolean => text.includes(' on ');

/** Who may act as what the stack does not make, nobody knows here. */
function othersOf({ kind, key, name, existing }: Principal): Subject[] {
  if (!existing) return [];
  const text = {
    identity: `whoever else signs in as ${name}`,
    group: `members of group ${name} that others added`,
    principal: `principal ${name}`,
  }[kind];
  return [{ key: `others ${key}`, text, notJudged: 'who that is' }];
}

export const describeTimes = ({ windows, onDemand }: Times): string =>
  [
    ...windows.map((one) => `on ${describeWindow(one)}`),
    ...(onDemand === undefined ? [] : [`on demand for up to ${onDemand}`]),
  ].join('; ');

/** The applications, as the stack tells of them. */
function readersOf({ workloads }: RegisteredStack['outputs'], subscriptionId: string): Reader[] {
  if (!Array.isArray(workloads)) return [];
  return workloads.map(fieldsOf).map((one) => {
    const accounts = new Set([textOf(one.serviceAccount), ...textsOf(one.serviceAccounts)]);
    const grants = [one.grants, one.windows].flatMap((all) => (Array.isArray(all) ? all.map(fieldsOf) : []));
    return {
      cluster: textOf(one.cluster),
      application: textOf(one.application),
      accounts: [...accounts].map((account) => `${textOf(one.namespace)}/${account}`),
      named: grants.map(({ vault, secret, role, scope }) =>
        typeof secret === 'string'
          ? `${textOf(vault)}/${secret}`.toLowerCase()
          : `${textOf(role)} on ${withoutOwn(textOf(scope), subscriptionId)}`.toLowerCase(),
      ),
    };
  });
}

/** An id as the facts have it: that of the subscription that is deployed to has a name. */
export function withoutOwn(id: string, subscriptionId: string): string {
  const own = `/subscriptions/${subscriptionId}`;
  return subscriptionId !== '' && id.toLowerCase().startsWith(own.toLowerCase())
    ? `/subscriptions/${ownSubscription}${id.slice(own.length)}`
    : id;
}
