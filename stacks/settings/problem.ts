import { visibleText } from '../../components/resource/visibleText';

/** The namespace of the configuration's keys in the stack file: the project's name. */
export const project = 'aks-workload-identity';

/** Keys whose values must all be encrypted in the stack file; no other value may be encrypted. */
export const encryptedOnly: readonly string[] = ['secretValues', 'kubeconfigs'];

/** The keys and indexes that lead to a value. */
export type Path = readonly (string | number)[];

/** A problem of the configuration. */
export interface Problem {
  /** Path in the stack file, or in `file`. */
  readonly path: Path;
  /** Namespace of the path's first key. Default: the project's. */
  readonly namespace?: string;
  /** The file, relative to the project, if it is not the stack file. */
  readonly file?: string | undefined;
  /** The value, if there is one and it may be shown. Default in a check: the scalar at the path. */
  readonly value?: string | undefined;
  /** The problem, as a clause after the value. */
  readonly what: string;
  readonly allowed?: string | undefined;
  /** Hint how to correct it. */
  readonly hint?: string | undefined;
}

/** Returns the path as in the stack file: `aks-workload-identity:applications[1].identity`. */
export function formatPath(path: Path, namespace = project): string {
  const [first = '', ...rest] = path;
  const name = shorten(String(first));
  const key = /^[\w-]*$/.test(name) ? name : JSON.stringify(name);
  return `${namespace}:${key}${formatSteps(rest)}`;
}

function formatSteps(path: Path): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    const key = shorten(step);
    return /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return steps.join('');
}

/** Returns the path in the syntax of `pulumi config set --path`: `secretValues.orders-db`. */
export function formatConfigPath(path: Path): string {
  return formatSteps(path).replace(/^\./, '');
}

/** Returns `aks-workload-identity:applications[1].image`, or `applications/orders.yaml: releases["1.5.0"].image`. */
function formatPlace({ file, path, namespace }: Pick<Problem, 'file' | 'path' | 'namespace'>): string {
  if (file === undefined) return formatPath(path, namespace);
  return path.length === 0 ? file : `${file}: ${formatConfigPath(path)}`;
}

/** Returns the problem on one line, with every character visible. */
export function formatProblem({ value, what, allowed, hint, ...place }: Problem): string {
  const clause = what.replace(longWord, shorten);
  const sentences = [
    `${formatPlace(place)}: ${value === undefined ? '' : `${shorten(visibleText(value))} `}${clause}.`,
    ...(allowed === undefined ? [] : [`Allowed: ${allowed.replace(longWord, shorten)}.`]),
    ...(hint === undefined ? [] : [hint]),
  ];
  return visibleText(sentences.join(' '));
}

/** Returns each problem once. */
export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [formatProblem(problem), problem])).values()];
}

/** Number of characters of a value that messages show; enough for the id of a resource. */
const shownLength = 200;
const longWord = new RegExp(`\\S{${shownLength + 1},}`, 'g');

/** Returns the beginning of a string that is longer than any valid value, other strings unchanged. */
export function shorten(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength).replace(/\p{Cs}$/u, '')}…` : text;
}

/** Returns the value at the path as a problem shows it; undefined for a secret, a list, an object or a missing value. */
export function shown(path: Path, value: unknown): string | undefined {
  const isSecret = path.some((step, place) => {
    if (place === 0) return encryptedOnly.includes(String(step));
    // A tag or a label may have one of these names.
    return (step === 'env' || step === 'values') && !['tags', 'labels'].includes(String(path[place - 1]));
  });
  return isSecret || typeof value === 'object' ? undefined : JSON.stringify(value);
}

export function valueAt(input: unknown, path: Path): unknown {
  let current = input;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[step];
  }
  return current;
}
