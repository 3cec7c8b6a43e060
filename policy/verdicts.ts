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

type Judged = Pick<Rule | StackRule, 'name' | 'level'>;
type Judging = Pick<PolicyStack, 'settings' | 'environment'>;

/** The level of findings without an exception. */
const levelOf = ({ level = 'mandatory' }: Judged, { settings, environment }: Judging): EnforcementLevel =>
  settings.level ?? (typeof level === 'function' ? level(environment) : level);

/** Whether a finding of the rule may have the level: otherwise nothing needs to be looked for. */
export function mayHave(level: EnforcementLevel, rule: Judged, stack: Judging): boolean {
  const isExcepted = stack.settings.exceptions.some(({ policy }) => policy === rule.name);
  return level === levelOf(rule, stack) || (level === 'advisory' && isExcepted);
}

/** The level and the message of a finding: an exception that holds is only reported, with its reason. */
export function verdictOn(
  rule: Judged,
  { name: resource }: Pick<Declared, 'name'>,
  what: string,
  stack: Judging,
  now: Date,
): Verdict {
  const exception = stack.settings.exceptions.find(
    (one) => one.policy === rule.name && one.resource === resource && !isOver(one, now),
  );
  return exception === undefined
    ? { level: levelOf(rule, stack), message: what }
    : { level: 'advisory', message: `Excepted until ${exception.until} (${exception.reason}): ${what}` };
}
