import { rules } from '../../../policy/rules';
import type { Declared, Environment } from '../../../policy/rules/rule';

/** What a stack has that settings say nothing about. */
export const usual: Environment = {
  production: false,
  requiredTags: [],
  acceptedPasswords: [],
  acceptedRoles: [],
  issuers: [],
  overreach: new Map(),
};

/** What a rule finds in a resource. */
export function found(
  name: string,
  type: string,
  properties: Record<string, unknown>,
  environment: Partial<Environment> = {},
  more: Partial<Declared> = {},
): string[] {
  const rule = rules.find((one) => one.name === name);
  if (rule === undefined) throw new Error(`there is no rule ${name}`);
  expect(rule.types).toContain(type);
  return rule.check({ type, name: 'one', within: [], properties, ...more }, { ...usual, ...environment });
}
