/** The namespace of the configuration's keys in the stack file: the project's name. */
export const project = 'aks-workload-identity';

/** Steps to a value: keys and indexes. */
export type Path = readonly (string | number)[];

/** One thing that is wrong in the configuration. */
export interface Problem {
  /** Where in the stack file. */
  readonly path: Path;
  /** The value, if it is there and may be shown. */
  readonly value?: string;
  /** What is wrong, as a clause after the value. */
  readonly what: string;
  readonly allowed?: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** The path as the stack file has it: `aks-workload-identity:applications[1].identity`. */
export function formatPath(path: Path): string {
  const [first, ...rest] = path;
  const steps = rest.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return `${project}:${first ?? ''}${steps.join('')}`;
}

/** The problem on one line. */
export function formatProblem({ path, value, what, allowed, remedy }: Problem): string {
  const sentences = [
    `${formatPath(path)}: ${value === undefined ? '' : `${value} `}${what}.`,
    ...(allowed === undefined ? [] : [`Allowed: ${allowed}.`]),
    ...(remedy === undefined ? [] : [remedy]),
  ];
  return sentences.join(' ');
}

const shownLength = 60;

/** A value for a message: short, on one line. Its callers have made sure that it is no secret. */
export function show(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
