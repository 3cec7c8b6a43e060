import { validate } from '../../../../stacks/checks/configuration';
import { checkStackFile, formatPlaced } from '../../../../stacks/checks/stackFile';
import { formatProblem, project } from '../../../../stacks/settings/problem';

// How a row of the table becomes the problems of a stack file.

/** Changes of a valid stack file: values by their paths, `undefined` for what is not there, files of the project by `./`. */
export type Change = Readonly<Record<string, unknown>>;

export interface Circumstances {
  /** Name of the stack. Default: test. */
  readonly stack?: string;
  /** Default: the time of the test. */
  readonly now?: string;
}

/**
 * A title, a change of the valid stack file, and the places of the problems in their order. Default: the paths of the change;
 * `valid`: there is no problem. A text is a whole `Pulumi.test.yaml`, of which the places are lines.
 */
export type Row = readonly [
  title: string,
  change: Change | string,
  places?: readonly string[],
  circumstances?: Circumstances,
];

/** Rows on one thing. */
export interface Subject {
  /** What all rows change. */
  readonly change?: Change;
  readonly rows: readonly Row[];
}

export const valid: readonly string[] = [];

/** A stack file that is valid; keys without the project's name. */
export const base = {
  location: 'westeurope',
  resourceGroup: 'rg-test',
  vault: { name: 'kv-test' },
  clusters: [{ name: 'aks-1' }, { name: 'aks-2' }],
  applications: [{ name: 'orders', image: 'ghcr.io/x/reader:1' }],
};

const stackFile = 'Pulumi.test.yaml';
const isFile = (path: string) => path.startsWith('./');

/** The value with another one at the path; lists and objects on the way are made. */
function withValue(value: unknown, [step, ...rest]: readonly string[], changed: unknown): unknown {
  if (step === undefined) return changed;
  if (/^\d+$/.test(step)) {
    const list = Array.isArray(value) ? (value as unknown[]) : [];
    const index = Number(step);
    return Object.assign([...list], { [index]: withValue(list[index], rest, changed) });
  }
  const fields = (typeof value === 'object' ? value : {}) as Record<string, unknown>;
  const { [step]: before, ...others } = fields;
  if (rest.length === 0 && changed === undefined) return others;
  return { ...fields, [step]: withValue(before, rest, changed) };
}

/** The stack file with the changes, as the program gets it. */
export function changed(...changes: readonly Change[]): Record<string, unknown> {
  return changes
    .flatMap((change) => Object.entries(change).filter(([path]) => !isFile(path)))
    .reduce<unknown>(
      (input, [path, value]) => withValue(input, path.split(/[.[\]]+/).filter(Boolean), value),
      base,
    ) as Record<string, unknown>;
}

/** Every problem of a row on its line. */
export function problemsOf(subject: Subject, [, given, , { stack = 'test', now } = {}]: Row): string[] {
  const change = typeof given === 'string' ? { [`./${stackFile}`]: given } : given;
  const files = new Map(
    Object.entries({ ...subject.change, ...change }).flatMap(([path, text]): [string, string][] =>
      isFile(path) ? [[path.slice(2), String(text)]] : [],
    ),
  );
  const readFile = files.size === 0 ? undefined : (name: string) => files.get(name.replace(/^\.\//, ''));
  const text = files.get(stackFile);
  if (text !== undefined && readFile !== undefined)
    return checkStackFile({ environment: stack, file: stackFile, text }, readFile).problems.map(formatPlaced);
  const input = changed(subject.change ?? {}, change);
  const validation = validate(stack, input, readFile, [], now === undefined ? new Date() : new Date(now));
  return validation.ok ? [] : validation.problems.map(formatProblem);
}

/** The places that a row names, each of which begins the line of its problem. */
export function placesOf([, change, places = Object.keys(change)]: Row): readonly string[] {
  return places;
}

/** How the line of a problem at the place may begin. */
export function starts(place: string): string[] {
  return [`${project}:${place}: `, `${place}: `, `${stackFile}:${place}: `];
}
