import { isRecord } from '../../components/resource/fields';
import type { Path, Problem } from './problem';
import { encryptedOnly, valueAt } from './problem';
import { stackSchema } from './schema';
import { shapeProblems } from './shapeProblems';

/** A whole value of this form stands for the value of a variable, as in Azure Pipelines. Kubernetes and charts have it too. */
const reference = /^\$\(([A-Za-z_][\w.]*)\)$/;

/** A configuration in which the values of variables stand for their names. */
export interface FilledConfiguration {
  readonly input: Readonly<Record<string, unknown>>;
  /** The name of the variable at a place; undefined if the value there is of no variable. */
  readonly variableAt: (path: Path) => string | undefined;
  /** Variables that are not set. */
  readonly problems: readonly Problem[];
}

/**
 * Takes values from variables: `$(NAME)` in the stack file is the value of the variable NAME of the pipeline's variable group, or
 * of the shell. Where the schema wants a flag or a number, the text is read as one. Values that must be encrypted are not taken
 * from variables, and no key is.
 */
export function fillFromVariables(
  environment: string,
  given: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): FilledConfiguration {
  const names = new Map<string, string>();
  const problems: Problem[] = [];
  const fill = (value: unknown, path: Path): unknown => {
    if (isOfPods(path)) return value;
    if (Array.isArray(value)) return value.map((one: unknown, index) => fill(one, [...path, index]));
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, [...path, key])]));
    const [, name] = typeof value === 'string' ? (reference.exec(value) ?? []) : [];
    if (name === undefined) return value;
    names.set(JSON.stringify(path), name);
    const found = valueOf(name, env);
    if (found === undefined) problems.push(notSet(env.AKS_WI_ENVIRONMENT ?? environment, path, name));
    return found ?? value;
  };
  const input = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      encryptedOnly.includes(key) ? value : fill(value, [key]),
    ]),
  );
  const variableAt = (path: Path) => names.get(JSON.stringify(path));
  if (names.size > 0) readAsWanted(input, variableAt);
  return { input, variableAt, problems };
}

/** Azure Pipelines gives scripts its variables in upper case, with underscores for dots. An empty one is not set. */
function valueOf(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const value = env[name] ?? env[name.toUpperCase().replaceAll('.', '_')];
  // It leaves the reference where no variable has the name.
  return value === undefined || value === '' || reference.test(value) ? undefined : value;
}

/** What goes to pods as it is: variables of the environment, and values of a chart. */
function isOfPods([list, ...rest]: Path): boolean {
  return list === 'applications' && ['env', 'values'].includes(String(rest.at(-1)));
}

function notSet(environment: string, path: Path, name: string): Problem {
  return {
    path,
    value: `"$(${name})"`,
    what: 'names a variable that is not set',
    allowed: 'a value, or the name of a variable that has one',
    hint: `Set ${name}: in Azure Pipelines in the variable group aks-workload-identity-${environment}, in GitHub Actions in the environment (and under \`env\` of the job), on a workstation by \`export ${name}=…\`.`,
  };
}

/** Texts of flags and numbers, where the schema takes no text. */
function readAsWanted(
  input: Readonly<Record<string, unknown>>,
  variableAt: FilledConfiguration['variableAt'],
): void {
  for (const { path } of shapeProblems(stackSchema, input)) {
    const text = valueAt(input, path);
    const around = valueAt(input, path.slice(0, -1));
    if (variableAt(path) === undefined || typeof text !== 'string' || typeof around !== 'object') continue;
    if (!/^(true|false|-?\d+)$/.test(text)) continue;
    const set = (value: unknown) => Reflect.set(around ?? {}, path.at(-1) ?? '', value);
    set(/^[tf]/.test(text) ? text === 'true' : Number(text));
    // A text that is wrong as a text stays one.
    const at = JSON.stringify(path);
    if (shapeProblems(stackSchema, input).some((other) => JSON.stringify(other.path) === at)) set(text);
  }
}
