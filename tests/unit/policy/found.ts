import type { Access } from '../../../stacks/access/reach';
import { accessOf } from '../../../stacks/access/reach';
import type { Recording } from '../components/support/recorder';
import { rules } from '../../../policy/rules';
import { isAbout, type Declared, type Environment } from '../../../policy/rules/rule';

/** What a stack has that settings say nothing about. */
export const usual: Environment = {
  production: false,
  isBootstrap: false,
  requiredTags: [],
  acceptedPasswords: [],
  acceptedRoles: [],
  issuers: [],
};

/** What a rule finds in a resource. */
export function found(
  name: string,
  type: string,
  properties: Record<string, unknown>,
  environment: Partial<Environment> = {},
  more: Partial<Declared> = {},
): string[] {
  const rule = rules.find((candidate) => candidate.name === name);
  if (rule === undefined) throw new Error(`there is no rule ${name}`);
  const resource = { type, name: 'one', isCustom: true, within: [], properties, ...more };
  expect(isAbout(rule, resource)).toBe(true);
  return rule.check(resource, { ...usual, ...environment });
}

/** Who can use what in a recording of what a program registers. */
export function accessIn(
  { registrations, state }: Pick<Recording<unknown>, 'registrations' | 'state'>,
  workloads: readonly Readonly<Record<string, unknown>>[] = [],
): Access {
  const resources = state.map(({ urn, type, name, id, outputs }) => {
    const { inputs = {}, provider } =
      registrations.find((registration) => registration.type === type && registration.name === name) ?? {};
    return {
      urn,
      id,
      outputs,
      inputs,
      provider: provider && `urn:pulumi:test::aks-workload-identity::${provider}`,
    };
  });
  return accessOf({ resources, outputs: { workloads } }, '');
}

/** Nobody can use anything. */
export const nobody = (): Access => accessIn({ registrations: [], state: [] });
