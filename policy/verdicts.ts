import { isOver, type EnforcementLevel, type PolicySettings } from '../stacks/offline';
import type { Declared, Rule, StackRule } from './rules/rule';

/** What is reported of a finding. */
export interface Verdict {
  readonly level: EnforcementLevel;
  readonly message: string;
}

/** The level and the message of a finding: an exception that holds is only reported, with its reason. */
export function verdictOn(
  { name, level = 'mandatory' }: Pick<Rule | StackRule, 'name' | 'level'>,
  { name: resource }: Pick<Declared, 'name'>,
  what: string,
  settings: PolicySettings,
  now: Date,
): Verdict {
  const exception = settings.exceptions.find(
    (one) => one.policy === name && one.resource === resource && !isOver(one, now),
  );
  return exception === undefined
    ? { level: settings.level ?? level, message: what }
    : { level: 'advisory', message: `Excepted until ${exception.until} (${exception.reason}): ${what}` };
}
