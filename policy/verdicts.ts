import { isOver, type EnforcementLevel, type PolicySettings } from '../stacks/offline';
import type { Declared, Rule, StackRule } from './rules/rule';
import type { PolicyStack } from './stack';

/** What is reported of a finding. */
export interface Verdict {
  readonly level: EnforcementLevel;
  readonly message: string;
}

/** Exceptions for resources that a stack does not have. */
export function unusedExceptions(settings: PolicySettings, resources: readonly string[]): string[] {
  return settings.exceptions
    .filter(({ resource }) => !resources.includes(resource))
    .map(
      ({ policy, resource }) =>
        `There is an exception for ${resource} from the policy ${policy}, and the stack has no such resource. Correct its name, or remove the exception.`,
    );
}

/** The level and the message of a finding: an exception that holds is only reported, with its reason. */
export function verdictOn(
  { name, level = 'mandatory' }: Pick<Rule | StackRule, 'name' | 'level'>,
  { name: resource }: Pick<Declared, 'name'>,
  what: string,
  { settings, environment }: Pick<PolicyStack, 'settings' | 'environment'>,
  now: Date,
): Verdict {
  const exception = settings.exceptions.find(
    (one) => one.policy === name && one.resource === resource && !isOver(one, now),
  );
  return exception === undefined
    ? {
        level: settings.level ?? (typeof level === 'function' ? level(environment) : level),
        message: what,
      }
    : { level: 'advisory', message: `Excepted until ${exception.until} (${exception.reason}): ${what}` };
}
