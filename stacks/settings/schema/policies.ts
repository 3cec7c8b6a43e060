import type * as z from 'zod';
import { boolean, choice, line, list, nameInStack, object, pattern, tagName } from './fields';

/** The policies of `policy/`, by their names in reports and exceptions. */
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

const exception = object('A temporary exception from a policy.', {
  policy: choice(policyNames, 'Name of the policy.'),
  resource: nameInStack("Name of the resource in the stack, as in the policy's report."),
  reason: line(500, 'Reason, and who decided it. Each update shows it.'),
  until: pattern(
    /^\d{4}-\d\d-\d\d$/,
    'The last day (UTC) of the exception, at most a year ahead. The configuration is refused from the next day on.',
    "a date in quotes, such as '2027-01-31'",
  ),
});

/** Settings of the policy pack for this stack. */
export const policies = object('Settings of the policy pack for this stack.', {
  level: choice(
    enforcementLevels,
    'mandatory: resources that a policy refuses are not created. advisory: it is only reported. Default: the level of each policy.',
  ).optional(),
  production: boolean(
    "Whether the stack's data must be kept and closed to the internet. Required if the name of the stack begins with prod. Default: false.",
  ).optional(),
  requiredTags: list(
    tagName,
    "Names of tags that every resource must have, in addition to the stack's tag.",
    'a list of names of tags',
  ).default([]),
  exceptions: list(exception, 'Temporary exceptions from policies.', 'a list of exceptions').default([]),
}).optional();

export type PolicySettings = NonNullable<z.output<typeof policies>>;

/** Reads these settings alone, for code that needs them even if other settings are invalid or unknown. */
export function readPolicySettings(settings: unknown): PolicySettings {
  return policies.safeParse(settings).data ?? { requiredTags: [], exceptions: [] };
}

/** Tells whether an exception has expired. */
export function isOver({ until }: { readonly until: string }, now: Date): boolean {
  return now.toISOString().slice(0, 10) > until;
}
