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
  const one = { type, name: 'one', isCustom: true, within: [], properties, ...more };
  expect(isAbout(rule, one)).toBe(true);
  return rule.check(one, { ...usual, ...environment });
}
