import { isRecord } from '../../components/resource/fields';
import { ownVariables } from './ownVariables';
import type { Path, Problem } from './problem';
import { encryptedOnly, valueAt } from './problem';
import { stackSchema } from './schema';
import { shapeProblems } from './shapeProblems';

/**
 * A value that consists of such a reference stands for the value of a variable, as in Azure Pipelines. Kubernetes and charts
 * have the same syntax.
 */
const reference = /^\$\(([A-Za-z_][\w.]*)\)$/;

/** A configuration with references to variables replaced by their values. */
export interface FilledConfiguration {
  readonly input: Readonly<Record<string, unknown>>;
  /** The name of the variable whose value is at the path; undefined if the value does not come from a variable. */
  readonly variableAt: (path: Path) => string | undefined;
  /** Problems of variables that are not set. */
  readonly problems: readonly Problem[];
}

/**
 * Takes values from variables: `$(NAME)` in the stack file is the value of the variable NAME of the pipeline's variable group
 * or of the shell. If the schema requires a boolean or a number, the string is converted. Values that must be encrypted are
 * never taken from variables, and neither are keys.
 */
export function fillFromVariables(
  environment: string,
  config: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): FilledConfiguration {
  const names = new Map<string, string>();
  const problems: Problem[] = [];
  const fill = (value: unknown, path: Path): unknown => {
    if (isOfPods(path)) return value;
    if (Array.isArray(value)) return value.map((item: unknown, index) => fill(item, [...path, index]));
    if (isRecord(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, field]) => [key, fill(field, [...path, key])]),
      );
    const [, name] = typeof value === 'string' ? (reference.exec(value) ?? []) : [];
    if (name === undefined) return value;
    names.set(JSON.stringify(path), name);
    const found = valueOf(name, env);
    if (found === undefined) problems.push(notSet(env[ownVariables.environment] ?? environment, path, name));
    return found ?? value;
  };
  const input = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      encryptedOnly.includes(key) ? value : fill(value, [key]),
    ]),
  );
  const variableAt = (path: Path) => names.get(JSON.stringify(path));
  if (names.size > 0) readAsWanted(input, variableAt);
  return { input, variableAt, problems };
}

/**
 * Returns the value of a variable; an empty one counts as not set. Azure Pipelines gives scripts its variables in upper case,
 * with underscores for dots.
 */
function valueOf(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const value = env[name] ?? env[name.toUpperCase().replaceAll('.', '_')];
  // Azure Pipelines leaves the reference as it is if no variable has the name.
  return value === undefined || value === '' || reference.test(value) ? undefined : value;
}

/** Tells whether the path leads to values that go to pods unchanged: environment variables, and values of a chart. */
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

/** Converts strings from variables to booleans and numbers where the schema does not allow the string. */
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
    // If the converted value is not allowed either, the string stays.
    const at = JSON.stringify(path);
    if (shapeProblems(stackSchema, input).some((other) => JSON.stringify(other.path) === at)) set(text);
  }
}
