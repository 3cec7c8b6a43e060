import { checks } from '.';
import type { Configuration } from '../plan';
import { planEnvironment } from '../plan';
import type { FilledConfiguration } from '../settings/fromVariables';
import { fillFromVariables } from '../settings/fromVariables';
import { readManifests } from '../settings/manifests';
import { parseSettings } from '../settings/parse';
import type { Problem } from '../settings/problem';
import { distinct, project, shown, valueAt } from '../settings/problem';
import type { ReadFile } from '../settings/projectFiles';
import { fromPulumiConfig } from '../settings/pulumiConfig';
import { applyReleases } from '../settings/releases/apply';
import type { StackSettings } from '../settings/schema';
import { unreadKeys } from '../settings/unknownKey';
import type { Known } from './context';
import { InvalidConfigurationError } from './invalidConfiguration';
import { secrecyProblems } from './secrecy';

/** A valid configuration, or all its problems. */
export type Validation =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Checks a configuration as the stack file has it: keys without the project's name, values as in YAML. `readFile` reads
 * the release files, charts and manifests that it names; without it, there are none, and they are not looked for.
 * @param unknown keys that are left out although they have values: no rule looks at them
 * @param now decides which certificates there are, and what has expired
 * @param variables what `$(NAME)` in it is taken from
 */
export function validate(
  environment: string,
  given: Readonly<Record<string, unknown>>,
  readFile?: ReadFile,
  unknown: readonly string[] = [],
  now = new Date(),
  variables: NodeJS.ProcessEnv = process.env,
): Validation {
  const filled = fillFromVariables(environment, given, variables);
  const { input, versions, locate, ...released } = applyReleases(
    environment,
    filled.input,
    readFile ?? (() => undefined),
  );
  const { found, clusters, applications, groups, hostedClusters, settings, valid, problems } =
    parseSettings(input);
  // Everything else that the plan is made of has a default.
  const canPlan = found.vault !== undefined && found.resourceGroup !== undefined;
  const manifests = readManifests(clusters, readFile);
  const plan = canPlan
    ? planEnvironment(environment, found as StackSettings, versions, now, manifests)
    : undefined;
  const known = {
    ...found,
    environment,
    given: input,
    readFile,
    manifests,
    now,
    clusters,
    applications,
    groups,
    hostedClusters,
    ...(plan && {
      plan: {
        ...plan,
        clusters: plan.clusters.map((one, index) => ({ ...one, path: clusters[index]?.path ?? [] })),
      },
    }),
  } as Known;
  const usable = new Set<keyof Known>([...valid, ...(plan ? (['plan'] as const) : [])]);
  for (const key of unknown) usable.delete(key as keyof Known);
  const across = checks.flatMap((check) =>
    [...check(known, usable)].map((problem) => ({
      value: shown(problem.path, valueAt(input, problem.path)),
      ...problem,
    })),
  );
  const ofVariables = filled.problems.map(({ path }) => JSON.stringify(path));
  const judged = distinct([...problems.map(locate), ...released.problems, ...across.map(locate)])
    // What is wrong with a value that is not there has been said.
    .filter(({ path, file }) => file !== undefined || !ofVariables.includes(JSON.stringify(path)))
    .map((problem) => withVariable(problem, filled));
  const all = [...filled.problems, ...judged];
  if (all.length > 0 || settings === undefined || plan === undefined) return { ok: false, problems: all };
  return { ok: true, configuration: { environment, settings, plan } };
}

/** Names the variable that a wrong value is of. */
function withVariable(problem: Problem, { variableAt }: FilledConfiguration): Problem {
  const name = problem.file === undefined ? variableAt(problem.path) : undefined;
  if (name === undefined || problem.value === undefined) return problem;
  // Not the value, which may be secret on somebody's workstation.
  return { ...problem, value: `the value of the variable ${name}` };
}

/**
 * Reads the configuration of a stack, or throws one error with all its problems.
 * `encrypted` are the keys that the stack file holds encrypted, with their namespace; `readFile` reads release files; `now`
 * decides which certificates there are, and what has expired.
 */
export function readConfiguration(
  environment: string,
  all: Readonly<Record<string, string>>,
  encrypted: readonly string[],
  readFile?: ReadFile,
  now = new Date(),
): Configuration {
  const given = fromPulumiConfig(all);
  const validation = validate(environment, given, readFile, [], now);
  const isEncrypted = (key: string) => encrypted.includes(`${project}:${key}`);
  const secrecy = secrecyProblems(
    given,
    Object.keys(given)
      .filter(isEncrypted)
      .map((key) => [key]),
  );
  const unread = unreadKeys(Object.keys(all));
  const problems = [...unread, ...(validation.ok ? [] : validation.problems), ...secrecy];
  if (validation.ok && problems.length === 0) return validation.configuration;
  throw new InvalidConfigurationError(environment, problems);
}
