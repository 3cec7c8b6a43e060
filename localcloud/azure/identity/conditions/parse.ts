// Parser of role assignment conditions that limit which role assignments may be written and deleted, or which secrets of which
// vaults may be used. All other conditions are refused by name. Sources: MicrosoftDocs/azure-docs
// `articles/role-based-access-control/conditions-format.md`, `conditions-authorization-actions-attributes.md` and
// `delegate-role-assignments-examples.md`; MicrosoftDocs/azure-security-docs `articles/key-vault/general/rbac-abac.md` (preview).

import { tokenize } from '../../tokenize';

/** Where an attribute is: in the request that writes, or on the resource that is read or deleted. */
export type Source = 'Request' | 'Resource';

/** The type of an attribute's values. `Name` is a string whose case counts. */
type Type = 'Guid' | 'String' | 'Name';

/** The attributes of a role assignment, of a vault and of its secrets. */
const ATTRIBUTES = {
  RoleDefinitionId: { path: 'Microsoft.Authorization/roleAssignments:RoleDefinitionId', type: 'Guid' },
  PrincipalId: { path: 'Microsoft.Authorization/roleAssignments:PrincipalId', type: 'Guid' },
  PrincipalType: { path: 'Microsoft.Authorization/roleAssignments:PrincipalType', type: 'String' },
  VaultName: { path: 'Microsoft.KeyVault/vaults:name', type: 'Name' },
  SecretName: { path: 'Microsoft.KeyVault/vaults/secrets:name', type: 'Name' },
} as const satisfies Record<string, { path: string; type: Type }>;

export type Attribute = keyof typeof ATTRIBUTES;

/** How a comparison matches an attribute with a value. */
export type Match = 'Equals' | 'StartsWith' | 'EndsWith' | 'Contains' | 'Like';

export interface Comparison {
  kind: 'comparison';
  source: Source;
  attribute: Attribute;
  match: Match;
  /** True if the attribute must match a value; otherwise it must not. */
  matches: boolean;
  /** True if that must hold for all of the values; otherwise one is enough. */
  matchesAll: boolean;
  ignoresCase: boolean;
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
/** An attribute has one value, so `ForAny…` and `ForAll…` mean the same. */
const CROSS = '(?:ForA(?:ny|ll)Of(?<quantity>Any|All)Values:)?';
/** The operators of each type. Those of names take one value. */
const OPERATORS: Record<Type, RegExp> = {
  Guid: new RegExp(`^${CROSS}Guid(?<not>Not)?(?<match>Equals)$`),
  String: new RegExp(`^${CROSS}String(?<not>Not)?(?<match>Equals)IgnoreCase$`),
  Name: /^String(?<not>Not)?(?<match>Equals|StartsWith|EndsWith|Contains|Like)$/,
};
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
    const attribute = (Object.keys(ATTRIBUTES) as Attribute[]).find((name) => ATTRIBUTES[name].path === path);
    if ((source !== 'Request' && source !== 'Resource') || attribute === undefined) {
      throw notEvaluated(`the attribute '@${source}[${path}]'`);
    }
    const operator = this.next();
    const { type } = ATTRIBUTES[attribute];
    const groups = OPERATORS[type].exec(operator)?.groups;
    if (groups === undefined) throw notEvaluated(`the operator '${operator}' for ${attribute}`);
    const { match, not, quantity } = groups;
    return {
      kind: 'comparison',
      source,
      attribute,
      match: match as Match,
      matches: not === undefined,
      matchesAll: quantity === 'All',
      ignoresCase: type !== 'Name',
      values: quantity === undefined ? [this.value(type)] : this.values(type),
    };
  }

  private values(type: Type): string[] {
    this.expect('{');
    const values = [this.value(type)];
    while (this.accept(',')) values.push(this.value(type));
    this.expect('}');
    return values;
  }

  private value(type: Type): string {
    const token = this.next();
    if (ATTRIBUTE.test(token)) throw notEvaluated(`'${token}' as a value`);
    const value = type === 'Guid' ? GUID.exec(token)?.[0] : TEXT.exec(token)?.[1];
    const needed = type === 'Guid' ? 'a GUID without quotes' : 'a text in quotes';
    if (value === undefined) throw invalid(`'${token}' is not a value; ${needed} is needed.`);
    return value;
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
