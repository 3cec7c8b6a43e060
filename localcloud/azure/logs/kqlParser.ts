import { syntaxError, notSupported } from './errors';
import { tokenize } from '../tokenize';

// Parser of a small part of KQL: a table and a pipeline of `where`, `summarize`, `project`, `order by` and `take`. Everything
// else is refused by name. Source: MicrosoftDocs/dataexplorer-docs `data-explorer/kusto/query`.

export type Literal = string | number | boolean | Date;

/** A column, or a member of a dynamic one (`Identity.claim.oid`); `tostring` converts it to a string. */
export interface Scalar {
  column: string;
  members: string[];
  tostring: boolean;
}

export interface Condition {
  scalar: Scalar;
  operator: string;
  values: Literal[];
}

export interface Aggregate {
  /** Name of the resulting column; undefined for arg_max, whose columns keep their names. */
  name?: string;
  call: 'count' | 'min' | 'max' | 'arg_max';
  columns: string[];
}

interface NamedScalar {
  name: string;
  scalar: Scalar;
}

export type Step =
  | { kind: 'where'; conditions: Condition[] }
  | { kind: 'summarize'; aggregates: Aggregate[]; by: NamedScalar[] }
  | { kind: 'project'; columns: NamedScalar[] }
  | { kind: 'order'; column: string; descending: boolean }
  | { kind: 'take'; count: number };

export interface Query {
  table: string;
  steps: Step[];
}

/** Operators that take one literal. */
const COMPARISONS = ['==', '!=', '=~', '<', '<=', '>', '>=', 'startswith', 'contains'];
const LISTS = ['in', 'in~'];
const CALLS = ['count', 'min', 'max', 'arg_max'];
const OPERATORS = ['where', 'summarize', 'project', 'order', 'sort', 'take', 'limit'];

const TOKEN = /\s*("(?:[^"\\\n]|\\.)*"|\d[\w.:-]*|in~|[A-Za-z_]\w*|=~|==|!=|<=|>=|[|(),.=<>])/y;

/** Parses a query; throws a QueryError if it is not KQL or has an unsupported part. */
export function parseQuery(text: string): Query {
  return new Parser(tokenize(text, TOKEN, syntaxError)).query();
}

class Parser {
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  query(): Query {
    const table = this.name();
    const steps: Step[] = [];
    while (this.at < this.tokens.length) {
      if (!this.take('|')) throw notSupported(`'${this.next()}' at this place of a query`, "'|' and 'and'");
      steps.push(this.step());
    }
    return { table, steps };
  }

  private step(): Step {
    const operator = this.name();
    switch (operator) {
      case 'where':
        return { kind: 'where', conditions: this.list(() => this.condition(), 'and') };
      case 'summarize': {
        const aggregates = this.list(() => this.aggregate());
        return { kind: 'summarize', aggregates, by: this.take('by') ? this.list(() => this.named()) : [] };
      }
      case 'project':
        return { kind: 'project', columns: this.list(() => this.named()) };
      case 'order':
      case 'sort': {
        this.expect('by');
        const column = this.name();
        const ascending = this.take('asc');
        if (!ascending) this.take('desc');
        return { kind: 'order', column, descending: !ascending };
      }
      case 'take':
      case 'limit': {
        const count = Number(this.next());
        if (!Number.isInteger(count)) throw syntaxError(`'${operator}' needs a number.`);
        return { kind: 'take', count };
      }
      default:
        throw notSupported(`the operator '${operator}' of KQL`, OPERATORS.join(', '));
    }
  }

  private condition(): Condition {
    const scalar = this.scalar();
    const operator = this.next();
    if (LISTS.includes(operator)) {
      this.expect('(');
      const values = this.list(() => this.literal());
      this.expect(')');
      return { scalar, operator, values };
    }
    if (COMPARISONS.includes(operator)) return { scalar, operator, values: [this.literal()] };
    throw notSupported(`the condition '${operator}' of KQL`, [...COMPARISONS, ...LISTS].join(', '));
  }

  private aggregate(): Aggregate {
    const first = this.name();
    const name = this.take('=') ? first : undefined;
    const call = name === undefined ? first : this.name();
    if (!CALLS.includes(call)) throw notSupported(`the aggregation '${call}' of KQL`, CALLS.join(', '));
    this.expect('(');
    const columns = this.peek() === ')' ? [] : this.list(() => this.name());
    this.expect(')');
    const known = call as Aggregate['call'];
    if (known === 'arg_max') return { call: known, columns };
    const columnName = known === 'count' ? 'count_' : `${known}_${columns[0] ?? ''}`;
    return { name: name ?? columnName, call: known, columns };
  }

  private named(): NamedScalar {
    const renamed = this.tokens[this.at + 1] === '=';
    const name = renamed ? this.name() : undefined;
    if (renamed) this.expect('=');
    const scalar = this.scalar();
    return { name: name ?? [scalar.column, ...scalar.members].join('_'), scalar };
  }

  private scalar(): Scalar {
    const first = this.name();
    const tostring = first === 'tostring' && this.take('(');
    if (!tostring && this.peek() === '(') throw notSupported(`the function '${first}' of KQL`, 'tostring');
    const column = tostring ? this.name() : first;
    const members: string[] = [];
    while (this.take('.')) members.push(this.name());
    if (tostring) this.expect(')');
    return { column, members, tostring };
  }

  private literal(): Literal {
    const token = this.next();
    if (token.startsWith('"')) return JSON.parse(token) as string;
    if (token === 'true' || token === 'false') return token === 'true';
    if (token === 'datetime') {
      this.expect('(');
      const time = new Date(this.next());
      this.expect(')');
      if (Number.isNaN(time.getTime())) throw syntaxError('a datetime is not a time.');
      return time;
    }
    if (/^\d+(\.\d+)?$/.test(token)) return Number(token);
    throw notSupported(`the literal '${token}' of KQL`, '"texts", numbers, true, false and datetime(…)');
  }

  private list<T>(read: () => T, separator = ','): T[] {
    const items = [read()];
    while (this.take(separator)) items.push(read());
    return items;
  }

  private peek(): string | undefined {
    return this.tokens[this.at];
  }

  private next(): string {
    const token = this.peek();
    if (token === undefined) throw syntaxError('the query ends too early.');
    this.at += 1;
    return token;
  }

  private take(token: string): boolean {
    if (this.peek() !== token) return false;
    this.at += 1;
    return true;
  }

  private expect(token: string): void {
    const next = this.next();
    if (next !== token) throw syntaxError(`'${token}' was expected before '${next}'.`);
  }

  private name(): string {
    const token = this.next();
    if (/^[A-Za-z_]\w*$/.test(token)) return token;
    throw syntaxError(`a name was expected, and not '${token}'.`);
  }
}
