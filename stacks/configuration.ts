import { VisibleError } from '../components/errors';
import { checks } from './checks';
import { parseSettings } from './parse';
import type { EnvironmentPlan } from './plan';
import { planEnvironment } from './plan';
import type { Problem } from './problem';
import { formatProblem, project } from './problem';
import { salvage } from './salvage';
import type { StackSettings } from './schema';
import { stackSchema } from './schema';

/** A configuration that can be deployed. */
export interface Configuration {
  /** Name of the stack, which is the name of the environment. */
  readonly environment: string;
  readonly settings: StackSettings;
  readonly plan: EnvironmentPlan;
}

/** A configuration, or everything that is wrong with it. */
export type Validation =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Checks a configuration as the stack file has it: keys without the project's name, values as in YAML. */
export function validate(environment: string, input: Readonly<Record<string, unknown>>): Validation {
  const parsed = parseSettings(input);
  const salvaged = salvage(input, parsed);
  const plan = salvaged && planEnvironment(environment, salvaged.settings);
  const across = plan ? checks.flatMap((check) => check({ environment, plan, ...salvaged })) : [];
  const problems = [...parsed.problems, ...across];
  if (problems.length > 0 || parsed.settings === undefined || plan === undefined)
    return { ok: false, problems };
  return { ok: true, configuration: { environment, settings: parsed.settings, plan } };
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
        return [name, isText(name) ? text : parseJson(text)];
      }),
  );
}

/**
 * Reads the configuration of a stack, or throws one error that tells everything that is wrong with it.
 * `encrypted` are the keys that the stack file holds encrypted, with their namespace.
 */
export function readConfiguration(
  environment: string,
  all: Readonly<Record<string, string>>,
  encrypted: readonly string[],
): Configuration {
  const validation = validate(environment, fromPulumiConfig(all));
  const problems = [...(validation.ok ? [] : validation.problems), ...plainSecrets(all, encrypted)];
  if (validation.ok && problems.length === 0) return validation.configuration;
  throw new InvalidConfigurationError(environment, problems);
}

/** Values of secrets that the stack file shows to everybody who can read it. The values are not looked at. */
function plainSecrets(all: Readonly<Record<string, string>>, encrypted: readonly string[]): Problem[] {
  const key = `${project}:secretValues`;
  if (!(key in all) || all[key] === '{}' || encrypted.includes(key)) return [];
  return [
    {
      path: ['secretValues'],
      what: 'is in plain text in the stack file',
      allowed: 'encrypted values',
      remedy:
        "Remove it, change these secrets where they are used, and set each with `pulumi config set --secret --path 'secretValues.<name>'`.",
    },
  ];
}

/** Everything that is wrong with a stack's configuration. */
export class InvalidConfigurationError extends VisibleError {
  constructor(
    environment: string,
    readonly problems: readonly Problem[],
  ) {
    const count = problems.length === 1 ? '1 error' : `${problems.length} errors`;
    const lines = problems.map((problem) => `  ${formatProblem(problem)}`);
    super(`Pulumi.${environment}.yaml has ${count}; nothing was changed.\n\n${lines.join('\n')}\n`);
  }
}

/** Keys whose values are plain texts: `1234` is a text there, and not a number. */
function isText(key: string): boolean {
  return ['location', 'resourceGroup', 'identity', 'vaults'].includes(key) || !(key in stackSchema.shape);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
