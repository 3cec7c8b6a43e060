import { validate } from '../../../../stacks/configuration';
import { checkStackFile, formatPlaced } from '../../../../stacks/stackFile';
import { formatProblem, project } from '../../../../stacks/settings/problem';
import type { Input } from '../settings';

// How a row of the table becomes the problems of a stack file.

/**
 * Changes of a valid stack file: values by their paths, `undefined` for what is not there. A path with `./` is that of a file
 * of the project, and `$stack` and `$now` are the name of the stack and the time.
 */
export type Change = Readonly<Record<string, unknown>>;

/** A change, or a whole `Pulumi.test.yaml`, and the places of the problems in their order: paths, or lines. */
export interface Row {
  readonly change: Change | string;
  readonly places: readonly string[];
}

/** Rows on one thing, by their titles. */
export interface Subject {
  /** What all rows change. */
  readonly change?: Change;
  readonly rows: Readonly<Record<string, Row>>;
}

/** @param places default: the last path of the change */
export const refused = (change: Change | string, ...places: readonly string[]): Row => ({
  change,
  places: places.length > 0 ? places : Object.keys(change).slice(-1),
});

export const valid = (change: Change | string): Row => ({ change, places: [] });

/** A row for each value. */
export const each = <T>(values: readonly T[], row: (value: T) => readonly [title: string, row: Row]) =>
  Object.fromEntries(values.map(row));

/** A stack file that is valid; keys without the project's name. */
const base = {
  location: 'westeurope',
  resourceGroup: 'rg-test',
  vault: { name: 'kv-test' },
  clusters: [{ name: 'aks-1' }, { name: 'aks-2' }],
  applications: [{ name: 'orders', image: 'ghcr.io/x/reader:1' }],
};
const stackFile = 'Pulumi.test.yaml';

/** The value with another one at the path; lists and objects on the way are made. */
function withValue(value: unknown, [step, ...rest]: readonly string[], changed: unknown): unknown {
  if (step === undefined) return changed;
  if (/^\d+$/.test(step)) {
    const list = Array.isArray(value) ? (value as unknown[]) : [];
    return Object.assign([...list], { [step]: withValue(list[Number(step)], rest, changed) });
  }
  const { [step]: before, ...others } = (typeof value === 'object' ? value : {}) as Input;
  if (rest.length === 0 && changed === undefined) return others;
  return { ...(value as object), [step]: withValue(before, rest, changed) };
}

/** The stack file of a row as the program gets it, and what is around it. A whole text has no input. */
export function stackOf(subject: Subject, { change }: Row) {
  const changes = Object.entries({
    ...subject.change,
    ...(typeof change === 'string' ? { [`./${stackFile}`]: change } : change),
  });
  const { $stack = 'test', $now } = Object.fromEntries(changes) as { $stack?: string; $now?: string };
  const files = new Map(
    changes.flatMap(([path, text]) => (path.startsWith('./') ? [[path.slice(2), String(text)]] : [])),
  );
  const input = changes
    .filter(([path]) => !/^(\$|\.\/)/.test(path))
    .reduce<unknown>((all, [path, to]) => withValue(all, path.split(/[.[\]]+/).filter(Boolean), to), base);
  return {
    stack: $stack,
    now: $now === undefined ? new Date() : new Date($now),
    readFile: files.size === 0 ? undefined : (name: string) => files.get(name.replace(/^\.\//, '')),
    text: files.get(stackFile),
    input: input as Input,
  };
}

/** Every problem of a row on its line. */
export function problemsOf(subject: Subject, row: Row): string[] {
  const { stack, now, readFile, text, input } = stackOf(subject, row);
  if (text !== undefined && readFile !== undefined)
    return checkStackFile({ environment: stack, file: stackFile, text }, readFile).problems.map(formatPlaced);
  const validation = validate(stack, input, readFile, [], now);
  return validation.ok ? [] : validation.problems.map(formatProblem);
}

/** How the line of a problem at the place may begin. */
export const starts = (place: string): string[] => [
  `${project}:${place}: `,
  `${place}: `,
  `${stackFile}:${place}: `,
];
