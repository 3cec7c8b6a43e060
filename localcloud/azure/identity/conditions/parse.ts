// Parser of role assignment conditions that limit which role assignments may be written and deleted. All other conditions are
// refused by name. Source: MicrosoftDocs/azure-docs `articles/role-based-access-control/conditions-format.md`,
// `conditions-authorization-actions-attributes.md` and `delegate-role-assignments-examples.md`.

import { tokenize } from '../../tokenize';

/** Where an attribute is: in the request that writes a role assignment, or on the role assignment that is deleted. */
export type Source = 'Request' | 'Resource';

/** The attributes of a role assignment, and the type of their values. */
const ATTRIBUTES = { RoleDefinitionId: 'Guid', PrincipalId: 'Guid', PrincipalType: 'String' } as const;

export type Attribute = keyof typeof ATTRIBUTES;

export interface Comparison {
  kind: 'comparison';
  source: Source;
  attribute: Attribute;
  /** Whether the attribute must equal a value; otherwise it must differ from it. */
  equals: boolean;
  /** Whether that must hold for all of the values; otherwise one is enough. */
  matchesAll: boolean;
  /** In lower case. */
  values: string[];
}

export type Expression =
  | { kind: 'not'; operand: Expression }
  | { kind: 'and' | 'or'; operands: Expression[] }
  | { kind: 'action'; pattern: string }
  | Comparison;

/** A condition that is not valid, or that the local cloud does not evaluate. */
export class ConditionError extends Error {
  constructor(
    readonly reason: 'invalid' | 'notEvaluated',
    message: string,
  ) {
    super(message);
  }
}

const invalid = (message: string): ConditionError => new ConditionError('invalid', message);
const notEvaluated = (element: string): ConditionError =>
  new ConditionError('notEvaluated', `The local cloud does not evaluate ${element}.`);

const TOKEN = /\s*('[^']*'|@\w+\[[^\]]*\]|&&|\|\||[(){},!]|[\w.:-]+)/y;
const ATTRIBUTE = /^@(\w+)\[(.*)\]$/;
const OF_ASSIGNMENTS = 'Microsoft.Authorization/roleAssignments:';
/** An attribute has one value, so `ForAny…` and `ForAll…` mean the same. */
const OPERATOR =
  /^(?:ForA(?:ny|ll)Of(Any|All)Values:)?(?:(Guid)(Not)?Equals|(String)(Not)?EqualsIgnoreCase)$/;
const GUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const MAX_DEPTH = 100;
const TEXT = /^'(.*)'$/s;

class Parser {
  private position = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly string[]) {}

  whole(): Expression {
    const expression = this.operation();
    const rest = this.tokens[this.position];
    if (rest !== undefined) throw invalid(`'${rest}' is not expected.`);
    return expression;
  }

  /** Parses operands with the same operator between them. Different operators are refused, because their order is ambiguous. */
  private operation(): Expression {
    const operands = [this.operand()];
    let kind: 'and' | 'or' | undefined;
    for (;;) {
      const next = this.accept('AND', '&&') ? 'and' : this.accept('OR', '||') ? 'or' : undefined;
      if (next === undefined) break;
      if (kind !== undefined && next !== kind) {
        throw invalid('AND and OR stand side by side; parentheses have to say which comes first.');
      }
      kind = next;
      operands.push(this.operand());
    }
    const [only] = operands;
    return kind === undefined && only !== undefined ? only : { kind: kind ?? 'and', operands };
  }

  private operand(): Expression {
    this.depth += 1;
    if (this.depth > MAX_DEPTH)
      throw notEvaluated(`more than ${MAX_DEPTH} levels of parentheses and negations`);
    const operand = this.innermost();
    this.depth -= 1;
    return operand;
  }

  private innermost(): Expression {
    if (this.accept('!', 'NOT')) return { kind: 'not', operand: this.operand() };
    if (this.accept('(')) {
      const inner = this.operation();
      this.expect(')');
      return inner;
    }
    const token = this.next();
    if (token === 'ActionMatches') return this.action();
    const [, source, path] = ATTRIBUTE.exec(token) ?? [];
    if (source !== undefined) return this.comparison(source, path ?? '');
    if (/^\w+$/.test(token)) throw notEvaluated(`'${token}'`);
    throw invalid(`'${token}' is not expected.`);
  }

  private action(): Expression {
    this.expect('{');
    const token = this.next();
    const pattern = TEXT.exec(token)?.[1];
    if (pattern === undefined) throw invalid(`ActionMatches has '${token}'; an action in quotes is needed.`);
    this.expect('}');
    return { kind: 'action', pattern };
  }

  private comparison(source: string, path: string): Comparison {
    const attribute = (Object.keys(ATTRIBUTES) as Attribute[]).find((name) => OF_ASSIGNMENTS + name === path);
    if ((source !== 'Request' && source !== 'Resource') || attribute === undefined) {
      throw notEvaluated(`the attribute '@${source}[${path}]'`);
    }
    const operator = this.next();
    const [match, quantity, guid, guidNot, text, textNot] = OPERATOR.exec(operator) ?? [];
    const type = ATTRIBUTES[attribute];
    if (match === undefined || (guid ?? text) !== type) {
      throw notEvaluated(`the operator '${operator}' for ${attribute}`);
    }
    return {
      kind: 'comparison',
      source,
      attribute,
      equals: (guidNot ?? textNot) === undefined,
      matchesAll: quantity === 'All',
      values: quantity === undefined ? [this.value(type)] : this.values(type),
    };
  }

  private values(type: 'Guid' | 'String'): string[] {
    this.expect('{');
    const values = [this.value(type)];
    while (this.accept(',')) values.push(this.value(type));
    this.expect('}');
    return values;
  }

  private value(type: 'Guid' | 'String'): string {
    const token = this.next();
    if (ATTRIBUTE.test(token)) throw notEvaluated(`'${token}' as a value`);
    const value = type === 'String' ? TEXT.exec(token)?.[1] : GUID.exec(token)?.[0];
    const needed = type === 'String' ? 'a text in quotes' : 'a GUID without quotes';
    if (value === undefined) throw invalid(`'${token}' is not a value; ${needed} is needed.`);
    return value.toLowerCase();
  }

  private accept(...tokens: string[]): boolean {
    const isAccepted = tokens.includes(this.tokens[this.position] ?? '');
    if (isAccepted) this.position += 1;
    return isAccepted;
  }

  private expect(expected: string): void {
    const token = this.next();
    if (token !== expected) throw invalid(`'${token}' is not expected; '${expected}' is needed.`);
  }

  private next(): string {
    const token = this.tokens[this.position];
    if (token === undefined) throw invalid('The condition ends too early.');
    this.position += 1;
    return token;
  }
}

/** Parses a condition; throws a ConditionError. */
export const parseCondition = (text: string): Expression =>
  new Parser(tokenize(text, TOKEN, invalid)).whole();
