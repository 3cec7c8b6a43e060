import { VisibleError } from '../../components/resource/errors';
import { checks } from '.';
import type { ParseResult } from '../settings/parse';
import { parseSettings } from '../settings/parse';
import type { Configuration } from '../plan';
import { planEnvironment } from '../plan';
import type { Path, Problem } from '../settings/problem';
import { applyReleases } from '../settings/releases/apply';
import type { ReadFile } from '../settings/releases/file';
import { encryptedOnly, formatConfigPath, formatProblem, project } from '../settings/problem';
import type { StackSettings } from '../settings/schema';
import { stackSchema } from '../settings/schema';
import type { Known } from './context';

/** A configuration, or everything that is wrong with it. */
export type Validation =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Checks a configuration as the stack file has it: keys without the project's name, values as in YAML. `readFile` reads
 * the release files that it names.
 */
export function validate(
  environment: string,
  given: Readonly<Record<string, unknown>>,
  readFile: ReadFile = () => undefined,
): Validation {
  const { input, versions, locate, ...released } = applyReleases(environment, given, readFile);
  const parsed = parseSettings(input);
  const across = acrossProblems(environment, parsed, versions);
  const problems = [...parsed.problems.map(locate), ...released.problems, ...across.map(locate)];
  const { settings } = parsed;
  if (problems.length > 0 || settings === undefined) return { ok: false, problems };
  const plan = planEnvironment(environment, settings, versions);
  return { ok: true, configuration: { environment, settings, plan } };
}

/** What is wrong across the configuration, as far as what is right in itself shows it. */
function acrossProblems(
  environment: string,
  { found, right: keys, places }: ParseResult,
  versions: ReadonlyMap<string, string>,
): Problem[] {
  const settings = found as StackSettings;
  const right = new Set<keyof Known>(keys);
  const known = { ...settings } as Known;
  // All else that is planned with has a default.
  if (right.has('vault') && right.has('resourceGroup')) {
    Object.assign(known, { plan: planEnvironment(environment, settings, versions) });
    right.add('plan');
  }
  const path = (list: keyof typeof places) => (index: number) => [list, places[list][index] ?? index];
  const where = { environment, applicationPath: path('applications'), clusterPath: path('clusters') };
  return checks.flatMap((check) => check(known, right, where));
}

/**
 * The stack's configuration as Pulumi hands it to a program: every value a text, what is structured as JSON.
 * Values of other namespaces (`azure-native:location`) are not ours to judge.
 */
export function fromPulumiConfig(all: Readonly<Record<string, string>>): Record<string, unknown> {
  const prefix = `${project}:`;
  return Object.fromEntries(
    Object.entries(all)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, text]) => {
        const name = key.slice(prefix.length);
        return [name, isText(name, text) ? text : parseJson(text)];
      }),
  );
}

/**
 * Reads the configuration of a stack, or throws one error that tells everything that is wrong with it.
 * `encrypted` are the keys that the stack file holds encrypted, with their namespace; `readFile` reads release files.
 */
export function readConfiguration(
  environment: string,
  all: Readonly<Record<string, string>>,
  encrypted: readonly string[],
  readFile?: ReadFile,
): Configuration {
  const validation = validate(environment, fromPulumiConfig(all), readFile);
  const problems = [...(validation.ok ? [] : validation.problems), ...plainSecrets(all, encrypted)];
  if (validation.ok && problems.length === 0) return validation.configuration;
  throw new InvalidConfigurationError(environment, problems);
}

/**
 * What must be encrypted in the stack file and is not, which everybody who reads it can see; and what is encrypted
 * although the program puts it where it can be read, in what it deploys and in the state. No value is looked at.
 */
function plainSecrets(all: Readonly<Record<string, string>>, encrypted: readonly string[]): Problem[] {
  const plain = encryptedOnly
    .filter((name) => {
      const key = `${project}:${name}`;
      return key in all && all[key] !== '{}' && !encrypted.includes(key);
    })
    .map((name) => plainSecret([name]));
  const prefix = `${project}:`;
  const shown = encrypted
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .filter((name) => !encryptedOnly.includes(name))
    .map((name) => shownSecret([name]));
  return [...plain, ...shown];
}

/** A secret in plain text; `path` leads to it, or to the key with all of them. */
export function plainSecret(path: Path): Problem {
  const [key] = path;
  const name = path[1] === undefined ? `${String(key)}.<name>` : formatConfigPath(path);
  return {
    path,
    what: 'is in plain text in the stack file',
    allowed: 'encrypted values',
    remedy:
      key === 'kubeconfigs'
        ? `Remove it, replace the credential in it, and set it with \`pulumi config set --secret --path '${name}' < <file>\`.`
        : `Remove it, change these secrets where they are used, and set each with \`pulumi config set --secret --path '${name}'\`.`,
  };
}

/** An encrypted value that would not stay secret. */
export function shownSecret(path: Path): Problem {
  return {
    path,
    what: 'is or has an encrypted value, which would be shown where it is used',
    allowed: 'values in plain text; what is secret is in a vault and named in `secrets`',
    remedy: 'Remove it, and set it in plain text with `pulumi config set` if it is no secret.',
  };
}

/** Everything that is wrong with a stack's configuration. */
export class InvalidConfigurationError extends VisibleError {
  constructor(
    environment: string,
    readonly problems: readonly Problem[],
  ) {
    const count = problems.length === 1 ? '1 error' : `${problems.length} errors`;
    const lines = problems.map((problem) => `  ${formatProblem(problem)}`);
    const subject = problems.some(({ file }) => file !== undefined)
      ? `Pulumi.${environment}.yaml, with the files that it names,`
      : `Pulumi.${environment}.yaml`;
    super(`${subject} has ${count}; nothing was changed.\n\n${lines.join('\n')}\n`);
  }
}

/** Keys whose values are texts: `1234` is a text there, and not a number. */
const textKeys: readonly string[] = ['location', 'resourceGroup', 'identity', 'vaults', 'audience'];

function isText(key: string, text: string): boolean {
  if (!(key in stackSchema.shape)) return true;
  return textKeys.includes(key) && !(key === 'resourceGroup' && text.startsWith('{'));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
