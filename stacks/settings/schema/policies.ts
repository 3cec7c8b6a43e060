import type { z } from 'zod';
import { choice, flag, line, list, nameInStack, object, pattern, tagName } from './fields';

/** The policies of `policy/`, by the names that reports and exceptions have. */
export const policyNames = [
  'trusted-issuer',
  'pipeline-trust',
  'issuer-form',
  'trusted-audience',
  'exact-claims',
  'no-password',
  'grant-on-secret',
  'no-powerful-role',
  'custom-role',
  'no-wildcard-role',
  'wide-role',
  'overreach',
  'access-mode',
  'least-permissions',
  'no-inline-policies',
  'kept-in-production',
  'vault-firewall',
  'no-public-vault',
  'tags',
  'not-judged',
] as const;
export type PolicyName = (typeof policyNames)[number];

const enforcementLevels = ['mandatory', 'advisory'] as const;
export type EnforcementLevel = (typeof enforcementLevels)[number];

const exception = object('What a policy does not refuse, for a time.', {
  policy: choice(policyNames, 'Name of the policy.'),
  resource: nameInStack('Name of the resource in the stack, as the report of the policy has it.'),
  reason: line(500, 'Why, and who decided it. It is shown at each update.'),
  until: pattern(
    /^\d{4}-\d\d-\d\d$/,
    'The last day (UTC) on which it holds, at most a year ahead; from the next day on, the configuration is refused.',
    "a date in quotes, such as '2027-01-31'",
  ),
});

/** What the policy pack requires of the stack. */
export const policies = object('What the policy pack requires of the stack.', {
  level: choice(
    enforcementLevels,
    'mandatory: what a policy refuses is not made; advisory: it is only reported. Default: the level of each policy.',
  ).optional(),
  production: flag(
    'Data of the stack is to be kept and closed to the internet. Required where the name of the stack begins with prod. Default: false.',
  ).optional(),
  requiredTags: list(
    tagName,
    'Names of tags that every resource must have beside the one of its stack.',
    'a list of names of tags',
  ).default([]),
  exceptions: list(exception, 'What policies do not refuse, for a time.', 'a list of exceptions').default([]),
}).optional();

export type PolicySettings = NonNullable<z.output<typeof policies>>;

/** Reads the settings by themselves, for what has to do with them although others are wrong or not known. */
export function readPolicySettings(given: unknown): PolicySettings {
  return policies.safeParse(given).data ?? { requiredTags: [], exceptions: [] };
}

/**
 * The variable with the settings of the policies, as JSON, where they are not those of the stack file: for a pull request, those
 * of the branch that it goes into.
 */
export const policiesVariable = 'AKS_WI_POLICIES';

/** Whether an exception holds no more. */
export function isOver({ until }: { readonly until: string }, now: Date): boolean {
  return now.toISOString().slice(0, 10) > until;
}
