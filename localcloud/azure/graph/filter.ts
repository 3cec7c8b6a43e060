import type { Entity } from './body';
import { badRequest } from './errors';

/** Type of a member by which lists can be filtered: a string, a boolean, a GUID or a list of strings. */
type Holds = 'text' | 'flag' | 'guid' | 'texts';
/** The members by which Graph can filter a list. */
export type Filterable = Readonly<Record<string, Holds>>;

/** A parsed filter: the test of an entity, and whether it needs Graph's advanced query capabilities. */
export interface Filter {
  test: (entity: Entity) => boolean;
  advanced: boolean;
}

type Test = (entity: Entity) => boolean;

/** Limit that keeps filters from being nested too deeply for the parser. Graph's own limits are lower. */
const MOST_TOKENS = 500;
const TOKEN =
  /\s*(?:'((?:[^']|'')*)'|([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\w-])|([a-z_]\w*)|([(),:/]))/iy;

interface Token {
  text?: string;
  guid?: string;
  word?: string;
  sign?: string;
}

class NotUnderstood extends Error {}

/** Splits a filter into its tokens: strings, GUIDs, words and signs. */
function tokensOf(filter: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; filter.slice(at).trim() !== ''; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(filter);
    if (match === null) throw new NotUnderstood();
    const [, text, guid, word, sign] = match;
    tokens.push({ text: text?.replaceAll("''", "'"), guid, word, sign });
  }
  if (tokens.length > MOST_TOKENS) throw new NotUnderstood();
  return tokens;
}

const lower = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.toLowerCase() : undefined;

/**
 * Parser of filters. A parser of all of OData (`@odata/parser`) would accept what Graph refuses, so each form would be listed
 * here all the same. The grammar, from the weakest operator to the strongest:
 *
 * - or: and { `or` and }
 * - and: factor { `and` factor }
 * - factor: call | operand `eq` value | operand `in (` value { `,` value } `)`
 * - call: `not` call | `(` or `)` | `startswith(` operand `,` string `)` | member `/any(` x `:` or `)`
 *
 * An operand is a member, and within `any` its element x. Operators and functions are known in any case
 * (oasis-tcs/odata-specs #987). As `not` is stronger than `eq`, it needs parentheses before one. The directory compares
 * texts without regard to case, which is why hashicorp/terraform-provider-azuread compares names again
 * (`internal/services/applications/applications.go`).
 */
class Parser {
  advanced = false;
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly members: Filterable,
  ) {}

  whole(): Test {
    const test = this.or(this.members);
    if (this.at < this.tokens.length) throw new NotUnderstood();
    return test;
  }

  private next(): Token {
    return this.tokens[this.at++] ?? {};
  }

  private takes(token: string): boolean {
    const { word, sign } = this.tokens[this.at] ?? {};
    if ((lower(word) ?? sign) !== token) return false;
    this.at += 1;
    return true;
  }

  private expect(sign: string): void {
    if (!this.takes(sign)) throw new NotUnderstood();
  }

  private or(scope: Filterable): Test {
    const tests = [this.and(scope)];
    while (this.takes('or')) tests.push(this.and(scope));
    return (entity) => tests.some((test) => test(entity));
  }

  private and(scope: Filterable): Test {
    const tests = [this.factor(scope)];
    while (this.takes('and')) tests.push(this.factor(scope));
    return (entity) => tests.every((test) => test(entity));
  }

  private factor(scope: Filterable): Test {
    return this.call(scope) ?? this.comparison(scope);
  }

  private call(scope: Filterable): Test | undefined {
    if (this.takes('not')) {
      const test = this.call(scope);
      if (test === undefined) throw new NotUnderstood();
      this.advanced = true;
      return (entity) => !test(entity);
    }
    if (this.takes('(')) {
      const test = this.or(scope);
      this.expect(')');
      return test;
    }
    const [{ word = '' } = {}, { sign } = {}] = this.tokens.slice(this.at, this.at + 2);
    const isStart = word.toLowerCase() === 'startswith' && sign === '(';
    if (!isStart && sign !== '/') return undefined;
    this.at += 2;
    return isStart ? this.startsWith(scope) : this.any(scope, word);
  }

  private startsWith(scope: Filterable): Test {
    const { word = '' } = this.next();
    if (scope[word] !== 'text') throw new NotUnderstood();
    this.expect(',');
    const { text } = this.next();
    if (text === undefined) throw new NotUnderstood();
    this.expect(')');
    return (entity) => lower(entity[word])?.startsWith(text.toLowerCase()) === true;
  }

  private any(scope: Filterable, member: string): Test {
    if (scope[member] !== 'texts' || !this.takes('any')) throw new NotUnderstood();
    this.expect('(');
    const { word: element } = this.next();
    if (element === undefined) throw new NotUnderstood();
    this.expect(':');
    const test = this.or({ [element]: 'text' });
    this.expect(')');
    return (entity) => [entity[member]].flat().some((each) => test({ [element]: each }));
  }

  private comparison(scope: Filterable): Test {
    const { word: member = '' } = this.next();
    const holds = scope[member];
    if (holds === undefined || holds === 'texts') throw new NotUnderstood();
    if (this.takes('eq')) {
      const matches = this.value(holds);
      return (entity) => matches(entity[member]);
    }
    if (!this.takes('in')) throw new NotUnderstood();
    this.expect('(');
    const alternatives = [this.value(holds)];
    while (this.takes(',')) alternatives.push(this.value(holds));
    this.expect(')');
    return (entity) => alternatives.some((each) => each(entity[member]));
  }

  private value(holds: Holds): (value: unknown) => boolean {
    const { text, guid, word } = this.next();
    // No quotes around a GUID: it is a type of its own (microsoftgraph/msgraph-sdk-dotnet #2306).
    if (holds === 'guid' && guid !== undefined) return (value) => lower(value) === guid.toLowerCase();
    if (holds === 'text' && text !== undefined) return (value) => lower(value) === text.toLowerCase();
    if (holds === 'flag' && (word === 'true' || word === 'false')) return (value) => String(value) === word;
    throw new NotUnderstood();
  }
}

/**
 * Parses the `$filter` of a request; throws if it is not understood. Source of code and message:
 * microsoftgraph/microsoft-graph-docs-contrib #4133; of what is advanced: `concepts/aad-advanced-queries.md`.
 */
export function filterOf(filter: string | null, members: Filterable): Filter {
  if (filter === null || filter.trim() === '') return { test: () => true, advanced: false };
  try {
    const parser = new Parser(tokensOf(filter), members);
    return { test: parser.whole(), advanced: parser.advanced };
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    throw badRequest(
      `Invalid filter clause '${filter}'. The local cloud knows eq, in, startswith, any, and, or, not, of ${Object.keys(members).join(', ')}.`,
      'BadRequest',
    );
  }
}
