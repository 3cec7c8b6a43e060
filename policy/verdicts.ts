import { isOver, type EnforcementLevel } from '../stacks/settings/schema/policies';
import type { Declared, Rule, StackRule } from './rules/rule';
import type { PolicyStack } from './stack';

/** The level and message of a reported finding. */
export interface Verdict {
  readonly level: EnforcementLevel;
  readonly message: string;
}

/** Messages on exceptions for resources that the stack does not have; none if they can name those of other stacks. */
export function unusedExceptions(
  { settings, isPart }: Pick<PolicyStack, 'settings' | 'isPart'>,
  resources: readonly string[],
): string[] {
  if (isPart) return [];
  return settings.exceptions
    .filter(({ resource }) => !resources.includes(resource))
    .map(
      ({ policy, resource }) =>
        `The policy ${policy} has an exception for ${resource}, which is not in the stack. Correct the name, or remove the exception.`,
    );
}

type Judged = Pick<Rule | StackRule, 'name' | 'level'>;
type Judging = Pick<PolicyStack, 'settings' | 'environment'>;

/** Returns the level of findings that have no exception. */
const levelOf = ({ level = 'mandatory' }: Judged, { settings, environment }: Judging): EnforcementLevel =>
  settings.level ?? (typeof level === 'function' ? level(environment) : level);

/** Tells whether findings of the rule can have the level; if not, the check is skipped. */
export function mayHave(level: EnforcementLevel, rule: Judged, stack: Judging): boolean {
  const isExcepted = stack.settings.exceptions.some(({ policy }) => policy === rule.name);
  return level === levelOf(rule, stack) || (level === 'advisory' && isExcepted);
}

/** Returns the verdict on a finding. A finding with a current exception is only advisory, and contains the exception's reason. */
export function verdictOn(
  rule: Judged,
  { name: resource }: Pick<Declared, 'name'>,
  problem: string,
  stack: Judging,
  now: Date,
): Verdict {
  const exception = stack.settings.exceptions.find(
    (candidate) =>
      candidate.policy === rule.name && candidate.resource === resource && !isOver(candidate, now),
  );
  return exception === undefined
    ? { level: levelOf(rule, stack), message: problem }
    : { level: 'advisory', message: `Excepted until ${exception.until} (${exception.reason}): ${problem}` };
}
