import type { Recorded } from './record';

/** A difference between the answers of Azure and of the local cloud to the same operation. */
export interface Difference {
  /** Method, host and path. */
  readonly operation: string;
  readonly what:
    'operation' | 'api-version' | 'answer' | 'header' | 'request member' | 'request type' | 'member' | 'type';
  /** Path of the member, the header, or the status with its error code; empty for a whole operation. */
  readonly name: string;
  /** The value on each side; empty if that side has none. */
  readonly azure: string;
  readonly local: string;
}

type Side = readonly Recorded[];

const operationOf = ({ method, host, path }: Recorded): string => `${method} ${host}${path}`;
const answerOf = ({ status, errorCode }: Recorded): string => `${status} ${errorCode}`.trim();

function grouped(records: Side, key: (record: Recorded) => string): Map<string, Recorded[]> {
  const groups = new Map<string, Recorded[]>();
  for (const record of records) groups.set(key(record), [...(groups.get(key(record)) ?? []), record]);
  return groups;
}

/** Returns the types of each member in all of these shapes. */
function merged(shapes: readonly Recorded['request'][]): Map<string, string> {
  const types = new Map<string, Set<string>>();
  for (const shape of shapes)
    for (const [at, type] of Object.entries(shape))
      types.set(at, new Set([...(types.get(at) ?? []), ...type.split(' | ')]));
  return new Map([...types].map(([at, all]) => [at, [...all].sort().join(' | ')]));
}

/** Compares the members of all bodies on both sides. */
function compareShapes(
  operation: string,
  prefix: string,
  [azure, local]: readonly [Map<string, string>, Map<string, string>],
): Difference[] {
  return [...new Set([...azure.keys(), ...local.keys()])].sort().flatMap((name): Difference[] => {
    const sides = { azure: azure.get(name) ?? '', local: local.get(name) ?? '' };
    if (sides.azure === sides.local) return [];
    const what = sides.azure === '' || sides.local === '' ? 'member' : 'type';
    return [{ operation, what: `${prefix}${what}` as Difference['what'], name: name || '(body)', ...sides }];
  });
}

/** Compares names that one side has and the other has not. */
function compareNames(
  operation: string,
  what: Difference['what'],
  azure: Iterable<string>,
  local: Iterable<string>,
): Difference[] {
  const [left, right] = [new Set(azure), new Set(local)];
  return [...new Set([...left, ...right])]
    .filter((name) => left.has(name) !== right.has(name))
    .sort()
    .map((name) => ({
      ...{ operation, what, name },
      azure: left.has(name) ? 'yes' : '',
      local: right.has(name) ? 'yes' : '',
    }));
}

function compareOperation(operation: string, azure: Side, local: Side): Difference[] {
  const answers = [grouped(azure, answerOf), grouped(local, answerOf)] as const;
  const requests = [
    merged(azure.map((record) => record.request)),
    merged(local.map((record) => record.request)),
  ] as const;
  const same = [...answers[0].keys()].filter((answer) => answers[1].has(answer));
  return [
    ...compareNames(
      operation,
      'api-version',
      azure.map((record) => record.apiVersion),
      local.map((record) => record.apiVersion),
    ),
    ...compareNames(operation, 'answer', answers[0].keys(), answers[1].keys()),
    ...compareShapes(operation, 'request ', requests),
    ...same.flatMap((answer) => {
      const [left, right] = [answers[0].get(answer) ?? [], answers[1].get(answer) ?? []];
      const at = `${operation} → ${answer}`;
      return [
        ...compareNames(
          at,
          'header',
          left.flatMap((record) => record.headers),
          right.flatMap((record) => record.headers),
        ),
        ...compareShapes(at, '', [
          merged(left.map((record) => record.response)),
          merged(right.map((record) => record.response)),
        ]),
      ];
    }),
  ];
}

/**
 * Compares what two clouds answered to the same deployment. The order and number of requests do not count, because they depend on
 * time: all answers to an operation with the same status and error code are compared as one.
 */
export function compareRecords(azure: Side, local: Side): Difference[] {
  const key = (record: Recorded): string => operationOf(record).toLowerCase();
  const [left, right] = [grouped(azure, key), grouped(local, key)];
  return [...new Set([...left.keys(), ...right.keys()])].sort().flatMap((name): Difference[] => {
    const [a, b] = [left.get(name), right.get(name)];
    const [first] = a ?? b ?? [];
    const operation = first === undefined ? name : operationOf(first);
    if (a !== undefined && b !== undefined) return compareOperation(operation, a, b);
    const answers = [...new Set((a ?? b ?? []).map(answerOf))].join(', ');
    return [
      {
        ...{ operation, what: 'operation', name: '' },
        azure: a === undefined ? '' : answers,
        local: b === undefined ? '' : answers,
      },
    ];
  });
}
