import { matchesAction } from '../actions';
import type { Attribute, Comparison, Expression, Match, Source } from './parse';
import { parseCondition } from './parse';

/**
 * The known attributes of what a request reads, writes or deletes, by where they are. `RoleDefinitionId` is a GUID only, not a
 * resource id.
 */
export type Attributes = Partial<Record<Source, Partial<Record<Attribute, string>>>>;

/** In a pattern of `Like`, `*` stands for any characters and `?` for one; a backslash before either takes that meaning away. */
const like = (value: string, pattern: string): boolean => {
  const parts = pattern.match(/\\[*?]|[^]/g) ?? [];
  const expression = parts.map((part) => WILDCARDS[part] ?? part.slice(-1).replace(/[^\w\s]/, '\\$&'));
  return new RegExp(`^${expression.join('')}$`).test(value);
};
const WILDCARDS: Record<string, string> = { '*': '[^]*', '?': '[^]' };

const MATCHES: Record<Match, (actual: string, value: string) => boolean> = {
  Equals: (actual, value) => actual === value,
  StartsWith: (actual, value) => actual.startsWith(value),
  EndsWith: (actual, value) => actual.endsWith(value),
  Contains: (actual, value) => actual.includes(value),
  Like: like,
};

function compare(
  { source, attribute, match, matches, matchesAll, ignoresCase, values }: Comparison,
  known: Attributes,
): boolean | undefined {
  const actual = known[source]?.[attribute];
  if (actual === undefined) return undefined;
  const compared = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  const holds = (value: string): boolean => MATCHES[match](compared(actual), compared(value)) === matches;
  return matchesAll ? values.every(holds) : values.some(holds);
}

/** Evaluates an expression; undefined if it depends on an attribute that is missing. */
function evaluate(expression: Expression, action: string, known: Attributes): boolean | undefined {
  switch (expression.kind) {
    case 'action':
      return matchesAction(expression.pattern, action);
    case 'comparison':
      return compare(expression, known);
    case 'not': {
      const operand = evaluate(expression.operand, action, known);
      return operand === undefined ? undefined : !operand;
    }
    default: {
      const decisive = expression.kind === 'or';
      const results = expression.operands.map((operand) => evaluate(operand, action, known));
      if (results.includes(decisive)) return decisive;
      return results.includes(undefined) ? undefined : !decisive;
    }
  }
}

/**
 * Tells whether a request meets a condition. A condition that depends on a missing attribute is not met: Azure evaluates the request
 * as it was sent, without what Azure adds to it (hashicorp/terraform-provider-azurerm #24271, for a missing principal type).
 */
export const isMet = (condition: string, action: string, known: Attributes): boolean =>
  evaluate(parseCondition(condition), action, known) === true;
