import { VisibleError } from '../../components/resource/errors';
import { checks } from '.';
import { parseSettings } from '../settings/parse';
import type { Configuration } from '../plan';
import { planEnvironment } from '../plan';
import type { Path, Problem } from '../settings/problem';
import { applyReleases } from '../settings/releases/apply';
import type { ReadFile } from '../settings/projectFiles';
import {
  distinct,
  encryptedOnly,
  formatConfigPath,
  formatProblem,
  project,
  shown,
  valueAt,
} from '../settings/problem';
import type { StackSettings } from '../settings/schema';
import type { Known, Placed } from './context';

/** A valid configuration, or all its problems. */
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
  const { found, settings, valid, places, problems } = parseSettings(input);
  const placed = <T>(list: keyof typeof places, entries: readonly T[]): Placed<T>[] =>
    entries.map((entry, index) => ({ ...entry, path: [list, places[list][index] ?? index] }));
  // Everything else that the plan is made of has a default.
  const canPlan = valid.has('vault') && valid.has('resourceGroup');
  const plan = canPlan ? planEnvironment(environment, found as StackSettings, versions) : undefined;
  const known = {
    ...found,
    environment,
    given: input,
    clusters: placed('clusters', found.clusters),
    applications: placed('applications', found.applications),
    ...(plan && { plan: { ...plan, clusters: placed('clusters', plan.clusters) } }),
  } as Known;
  const usable = new Set<keyof Known>([...valid, ...(plan ? (['plan'] as const) : [])]);
  const across = checks.flatMap((check) =>
    [...check(known, usable)].map((problem) => ({
      value: shown(problem.path, valueAt(input, problem.path)),
      ...problem,
    })),
  );
  const all = distinct([...problems.map(locate), ...released.problems, ...across.map(locate)]);
  if (all.length > 0 || settings === undefined || plan === undefined) return { ok: false, problems: all };
  return { ok: true, configuration: { environment, settings, plan } };
}

/**
 * Reads the stack's configuration as Pulumi passes it to a program: every value a text, objects and lists as JSON.
 * Values of other namespaces (`azure-native:location`) are left out.
 */
export function fromPulumiConfig(all: Readonly<Record<string, string>>): Record<string, unknown> {
  const prefix = `${project}:`;
  return Object.fromEntries(
    Object.entries(all)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, text]) => [key.slice(prefix.length), parseValue(text)]),
  );
}

/**
 * Reads the configuration of a stack, or throws one error with all its problems.
 * `encrypted` are the keys that the stack file holds encrypted, with their namespace; `readFile` reads release files.
 */
export function readConfiguration(
  environment: string,
  all: Readonly<Record<string, string>>,
  encrypted: readonly string[],
  readFile?: ReadFile,
): Configuration {
  const given = fromPulumiConfig(all);
  const validation = validate(environment, given, readFile);
  const problems = [...(validation.ok ? [] : validation.problems), ...secrecy(given, encrypted)];
  if (validation.ok && problems.length === 0) return validation.configuration;
  throw new InvalidConfigurationError(environment, problems);
}

/** The problems of the keys that the stack file holds in plain text and of those that it holds encrypted. */
function secrecy(given: Readonly<Record<string, unknown>>, encrypted: readonly string[]): Problem[] {
  const isEncrypted = (name: string) => encrypted.includes(`${project}:${name}`);
  const names = Object.keys(given).filter((name) => JSON.stringify(given[name]) !== '{}');
  const plain = names.filter((name) => encryptedOnly.includes(name) && !isEncrypted(name));
  return secrecyProblems(
    plain.map((name) => [name]),
    names.filter(isEncrypted).map((name) => [name]),
  );
}

/**
 * Problems of secrets in plain text, which every reader of the stack file sees; and of encrypted values of other keys,
 * which the program writes in plain text into the state and into what it deploys. No value is read. A path leads to one
 * value, or to the key with all of them.
 */
export function secrecyProblems(plain: readonly Path[], encrypted: readonly Path[]): Problem[] {
  const shown = encrypted.filter(([key]) => !encryptedOnly.includes(String(key)));
  return [
    ...plain.map((path) => ({
      path,
      what: 'is in plain text in the stack file',
      allowed: 'encrypted values',
      remedy: `Remove it, change the secret where it is used, and set it with \`pulumi config set --secret --path '${formatConfigPath(path)}${path.length === 1 ? '.<name>' : ''}'${path[0] === 'kubeconfigs' ? ' < <file>' : ''}\`.`,
    })),
    ...shown.map((path) => ({
      path,
      what: 'is or has an encrypted value, which would be shown where it is used',
      allowed: 'values in plain text; what is secret is in a vault and named in `secrets`',
      remedy: 'Remove it, and set it in plain text with `pulumi config set` if it is no secret.',
    })),
  ];
}

/** All problems of a stack's configuration. */
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

/** The engine passes objects, lists and flags as JSON; everything else at the top is a text, such as a group `1234`. */
export function parseValue(text: string): unknown {
  if (!/^[[{]|^(true|false)$/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
