import * as z from 'zod';
import { fieldsOf, textOf, textsOf } from '../../components/resource/fields';
import { subject, target, unread, type Facts, type Subject } from './facts';
import type { Principal } from './names';
import { ownSubscription } from './names';
import { factsOf } from './reading';
import type { RegisteredStack } from './registered';
import { strictTimes } from '../outputs/accessWindows';
import { describeTimes, eitherTimes } from './times';

/** A target that an identity may use, and why. */
const reached = target.extend({
  /** `granted`, `member of group …`, or another source of the grant. */
  because: z.string(),
  condition: z.string().optional(),
  times: strictTimes.optional(),
});
export type Reached = z.output<typeof reached>;

/** The access of an identity: each subject can use each target. */
const identityAccess = z.strictObject({
  key: z.string(),
  /** Name in Azure or in Entra. */
  name: z.string(),
  subjects: z.array(subject),
  targets: z.array(reached),
});
export type IdentityAccess = z.output<typeof identityAccess>;

/** An application with the secrets and roles that its settings name. */
const reader = z.strictObject({
  cluster: z.string(),
  application: z.string(),
  /** `<namespace>/<service account>` of its service accounts. */
  accounts: z.array(z.string()),
  /** The named secrets and roles in lower case: `<vault>/<secret>`, or `<GUID of the role> on <scope>`. */
  named: z.array(z.string()),
});
export type Reader = z.output<typeof reader>;

/** Access in one environment: the identities, those who sign in as them, and the targets that they reach. */
export const accessDocument = z.strictObject({
  environment: z.string(),
  /** Undefined if only the deploying account knows it. */
  subscriptionId: z.string().optional(),
  identities: z.array(identityAccess),
  readers: z.array(reader),
  unread: z.array(unread),
  /** Inputs from the stack file only: settings of policies and providers, charts of the project. Undefined for a deployed stack. */
  fileInputs: z.array(unread).optional(),
  /** Numbers of facts. */
  counts: z.strictObject({
    ...{ trusts: z.number(), grants: z.number(), groups: z.number(), readers: z.number() },
  }),
});
export type Access = z.output<typeof accessDocument>;

/**
 * Computes who can use what from the registered resources.
 * @param subscriptionId subscription that is deployed to; empty if unknown. Default: the one in the outputs
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
  const reaches = new Map<string, Reach>();
  const reachFor = (principal: Principal): Reach => {
    const reach = reaches.get(principal.key) ?? { principal, subjects: new Map(), targets: new Map() };
    reaches.set(principal.key, reach);
    return reach;
  };
  for (const { identity, subject } of trusts) {
    const { subjects, targets } = reachFor(identity);
    subjects.set(subject.key, subject);
    // The grants that others gave an existing identity are unknown here.
    const text = `whatever identity ${identity.name} may use`;
    const key = `whatever ${identity.key} may use`;
    if (identity.existing)
      targets.set(key, { key, text, because: 'granted by others', notJudged: 'what that is' });
  }
  const members = new Map<string, Principal[]>();
  for (const { group, member } of memberships)
    members.set(group.key, [...(members.get(group.key) ?? []), member]);
  for (const { principal, target, by, condition, times } of grants) {
    const add = (holder: Principal, because: string) => {
      const { targets } = reachFor(holder);
      const known = targets.get(target.key);
      const reached = { ...target, because, condition, times };
      if (known === undefined || isWider(reached, known)) targets.set(target.key, reached);
      else if (known.times !== undefined && times !== undefined)
        targets.set(target.key, {
          ...known,
          times: eitherTimes(known.times, times),
          because: `${known.because}; ${because}`,
        });
    };
    const granted = by ?? (times === undefined ? 'granted' : `granted ${describeTimes(times)}`);
    if (principal.kind !== 'group' || principal.existing) add(principal, granted);
    for (const member of members.get(principal.key) ?? [])
      add(member, `member of group ${principal.name}${by === undefined ? '' : `, by ${by}`}`);
  }
  return [...reaches.values()]
    .map(({ principal, subjects, targets }) => ({
      ...{ key: principal.key, name: principal.name },
      subjects: [...subjects.values(), ...othersOf(principal)].sort(byText),
      targets: [...targets.values()].sort(secretsFirst),
    }))
    .filter(({ subjects, targets }) => subjects.length > 0 && targets.length > 0)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

/** Tells whether the first grant is wider: open at all times, or without a condition. */
export const isWider = (one: Reached, other: Reached): boolean =>
  one.times === undefined &&
  (other.times !== undefined || (one.condition === undefined && other.condition !== undefined));

const byText = (one: { text: string }, other: { text: string }): number => (one.text < other.text ? -1 : 1);

const secretsFirst = (one: Reached, other: Reached): number =>
  Number(isRole(one)) - Number(isRole(other)) || byText(one, other);

const isRole = ({ text }: Reached): boolean => text.includes(' on ');

/** The unknown subjects of a principal that the stack did not create. */
function othersOf({ kind, key, name, existing }: Principal): Subject[] {
  if (!existing) return [];
  const text = {
    identity: `others that sign in as ${name}`,
    group: `members of group ${name} that others added`,
    principal: `principal ${name}`,
  }[kind];
  return [{ key: `others ${key}`, text, notJudged: 'who that is' }];
}

/** Reads the applications from the stack's outputs. */
function readersOf({ workloads }: RegisteredStack['outputs'], subscriptionId: string): Reader[] {
  if (!Array.isArray(workloads)) return [];
  return workloads.map(fieldsOf).map((workload) => {
    const accounts = new Set([textOf(workload.serviceAccount), ...textsOf(workload.serviceAccounts)]);
    const grants = [workload.grants, workload.windows].flatMap((list) =>
      Array.isArray(list) ? list.map(fieldsOf) : [],
    );
    return {
      cluster: textOf(workload.cluster),
      application: textOf(workload.application),
      accounts: [...accounts].map((account) => `${textOf(workload.namespace)}/${account}`),
      named: grants.map(({ vault, secret, role, scope }) =>
        typeof secret === 'string'
          ? `${textOf(vault)}/${secret}`.toLowerCase()
          : `${textOf(role)} on ${withoutOwn(textOf(scope), subscriptionId)}`.toLowerCase(),
      ),
    };
  });
}

/** Returns an id in the form of the facts, in which the stack's own subscription has a name. */
export function withoutOwn(id: string, subscriptionId: string): string {
  const own = `/subscriptions/${subscriptionId}`;
  return subscriptionId !== '' && id.toLowerCase().startsWith(own.toLowerCase())
    ? `/subscriptions/${ownSubscription}${id.slice(own.length)}`
    : id;
}
