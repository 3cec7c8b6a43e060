import { semanticError, notSupported } from './errors';
import type { Aggregate, Condition, Literal, Query, Scalar, Step } from './kqlParser';
import type { ColumnType, Row } from './tables';

/** A table with its columns in order. */
export interface Result {
  columns: { name: string; type: ColumnType | 'long' }[];
  rows: Row[];
}

/** Runs the steps of a query over the rows of its table. */
export function runQuery({ steps }: Query, table: Result): Result {
  return steps.reduce(run, table);
}

function run(input: Result, step: Step): Result {
  switch (step.kind) {
    case 'where': {
      for (const condition of step.conditions) checkCondition(input, condition);
      const rows = input.rows.filter((row) => step.conditions.every((condition) => holds(row, condition)));
      return { ...input, rows };
    }
    case 'project':
      return {
        columns: step.columns.map(({ name, scalar }) => ({ name, type: typeOf(input, scalar, 'project') })),
        rows: input.rows.map((row) =>
          Object.fromEntries(step.columns.map(({ name, scalar }) => [name, valueOf(row, scalar)])),
        ),
      };
    case 'order': {
      typeOfColumn(input, step.column, 'order');
      const sign = step.descending ? -1 : 1;
      const rows = [...input.rows].sort((a, b) => sign * compare(a[step.column], b[step.column]));
      return { ...input, rows };
    }
    case 'take':
      return { ...input, rows: input.rows.slice(0, step.count) };
    case 'summarize':
      return summarize(input, step);
  }
}

function summarize(input: Result, { aggregates, by }: Extract<Step, { kind: 'summarize' }>): Result {
  const groups = new Map<string, Row[]>();
  for (const row of input.rows) {
    const key = JSON.stringify(by.map(({ scalar }) => valueOf(row, scalar)));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const keys = by.map(({ name, scalar }) => ({ name, type: typeOf(input, scalar, 'summarize') }));
  if (keys.some(({ type }) => type === 'dynamic')) {
    throw semanticError("Summarize group key is of a 'dynamic' type. Please use an explicit cast.");
  }
  return {
    columns: [...keys, ...aggregates.flatMap((aggregate) => columnsOf(input, aggregate))],
    rows: [...groups.values()].map((rows) =>
      Object.fromEntries([
        ...by.map(({ name, scalar }) => [name, valueOf(rows[0] ?? {}, scalar)] as const),
        ...aggregates.flatMap((aggregate) => aggregated(aggregate, rows)),
      ]),
    ),
  };
}

function columnsOf(input: Result, { name = '', call, columns }: Aggregate): Result['columns'] {
  if (call === 'count') return [{ name, type: 'long' }];
  const typed = columns.map((column) => ({
    name: column,
    type: typeOfColumn(input, column, 'summarize'),
  }));
  return call === 'arg_max' ? typed : typed.map(({ type }) => ({ name, type }));
}

function aggregated({ name = '', call, columns }: Aggregate, rows: Row[]): (readonly [string, unknown])[] {
  if (call === 'count') return [[name, rows.length]];
  const [column = ''] = columns;
  const sorted = [...rows].sort((a, b) => compare(a[column], b[column]));
  const end = (call === 'min' ? sorted[0] : sorted.at(-1)) ?? {};
  return call === 'arg_max' ? columns.map((each) => [each, end[each]]) : [[name, end[column]]];
}

function typeOfColumn(input: Result, column: string, operator: string): Result['columns'][number]['type'] {
  const match = input.columns.find(({ name }) => name === column);
  if (match !== undefined) return match.type;
  throw semanticError(`'${operator}' operator: Failed to resolve scalar expression named '${column}'`);
}

function typeOf(input: Result, { column, members, tostring }: Scalar, operator: string) {
  const type = typeOfColumn(input, column, operator);
  if (members.length > 0 && type !== 'dynamic') {
    throw semanticError(
      `'${operator}' operator: '${column}' is not dynamic and has no member '${members.join('.')}'`,
    );
  }
  return tostring ? 'string' : type;
}

/** Checks the types in a condition. A dynamic value must be converted to a string before it is compared, as Kusto advises. */
function checkCondition(input: Result, { scalar, values }: Condition): void {
  const type = typeOf(input, scalar, 'where');
  if (type === 'dynamic') throw notSupported('a comparison of a dynamic value', 'tostring(…) of it');
  const expected = { string: 'string', bool: 'boolean', datetime: 'object' }[type as string] ?? 'number';
  if (values.every((value) => typeof value === expected)) return;
  throw semanticError(
    `'where' operator: '${scalar.column}' is of type '${type}' and cannot be compared with this value`,
  );
}

function valueOf(row: Row, { column, members, tostring }: Scalar): unknown {
  const value = members.reduce<unknown>(
    (current, member) =>
      typeof current === 'object' && current !== null
        ? (current as Record<string, unknown>)[member]
        : undefined,
    row[column],
  );
  if (!tostring) return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Compares two values. Times are RFC 3339 strings in UTC, so the order of the strings is that of the times. */
const compare = (first: unknown, second: unknown): number => {
  const [a, b] = [first, second].map((value) => value ?? '') as [string | number, string | number];
  return a < b ? -1 : Number(a > b);
};

const plain = (value: Literal): string | number | boolean =>
  value instanceof Date ? value.toISOString() : value;

function holds(row: Row, { scalar, operator, values }: Condition): boolean {
  const value = valueOf(row, scalar) as string | number | boolean | undefined;
  const [operand = ''] = values.map(plain);
  const lower = (text: string | number | boolean = ''): string => String(text).toLowerCase();
  switch (operator) {
    case '==':
      return value === operand;
    case '!=':
      return value !== operand;
    case '=~':
      return lower(value) === lower(operand);
    case 'in':
      return values.some((literal) => plain(literal) === value);
    case 'in~':
      return values.some((literal) => lower(plain(literal)) === lower(value));
    case 'startswith':
      return lower(value).startsWith(lower(operand));
    case 'contains':
      return lower(value).includes(lower(operand));
    default: {
      if (value === undefined) return false;
      const order = compare(value, operand);
      return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[operator] ?? false;
    }
  }
}
