import { checks } from './checks';
import type { Configuration } from './plan';
import { planEnvironment } from './plan';
import type { FilledConfiguration } from './settings/fromVariables';
import { fillFromVariables } from './settings/fromVariables';
import { readHyperShiftManifests } from './settings/hyperShiftManifests';
import { parseSettings } from './settings/parse';
import type { Problem } from './settings/problem';
import { distinct, project, shown, valueAt } from './settings/problem';
import type { ReadFile } from './settings/projectFiles';
import { fromPulumiConfig } from './settings/pulumiConfig';
import { applyReleases } from './settings/releases/apply';
import { unreadKeys } from './settings/unknownKey';
import type { CheckInput } from './checks/context';
import { placed, placedLists } from './checks/context';
import { InvalidConfigurationError } from './invalidConfiguration';
import { secrecyProblems } from './checks/secrecy';

/** A valid configuration, or its problems. */
export type Validation =
  | { readonly ok: true; readonly configuration: Configuration }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** Whether the settings were compared with each other, which requires that each is individually valid. */
      readonly compared: boolean;
    };

/** Note beside problems of single settings. */
export const notCompared = 'Rules that span several settings are checked once these are corrected.';

/**
 * Checks a configuration as in the stack file: keys without the project's name, values as in YAML. Settings are compared with
 * each other only if all are individually valid.
 * @param readFile reads the release files, charts and manifests that it names; without it, no release file exists, and charts
 * and manifests are not checked
 * @param unread keys that are left out although they have values
 * @param now determines which certificates exist and what has expired
 * @param variables variables that replace `$(NAME)`
 */
export function validate(
  environment: string,
  config: Readonly<Record<string, unknown>>,
  readFile?: ReadFile,
  unread: readonly string[] = [],
  now = new Date(),
  variables: NodeJS.ProcessEnv = process.env,
): Validation {
  const filled = fillFromVariables(environment, config, variables);
  const released = applyReleases(environment, filled.input, readFile ?? (() => undefined));
  const { input, versions, locate } = released;
  const { settings, problems } = parseSettings(input);
  const refused = (found: readonly Problem[], compared = false): Validation => ({
    ok: false,
    compared,
    problems: [...filled.problems, ...distinct(found).map((problem) => withVariable(problem, filled))],
  });
  if (settings === undefined) {
    const missing = new Set(filled.problems.map(({ path }) => JSON.stringify(path)));
    // Problems of a missing variable's value are already reported.
    const shape = problems.filter(({ path }) => !missing.has(JSON.stringify(path)));
    return refused([...shape.map(locate), ...released.problems]);
  }
  if (filled.problems.length > 0 || released.problems.length > 0) return refused(released.problems);
  const manifests = readHyperShiftManifests(settings.clusters, readFile);
  const plan = planEnvironment(environment, settings, versions, now, manifests);
  const known: CheckInput = {
    ...placedLists(settings),
    ...{ environment, raw: input, unread, readFile, manifests, now },
    plan: { ...plan, clusters: placed(plan.clusters, ['clusters']) },
  };
  const across = checks.flatMap((check) =>
    [...check(known)].map((problem) => ({
      value: shown(problem.path, valueAt(input, problem.path)),
      ...problem,
    })),
  );
  if (across.length > 0) return refused(across.map(locate), true);
  return { ok: true, configuration: { environment, settings, plan } };
}

/** Shows the name of the variable that a wrong value comes from. */
function withVariable(problem: Problem, { variableAt }: FilledConfiguration): Problem {
  const name = problem.file === undefined ? variableAt(problem.path) : undefined;
  if (name === undefined || problem.value === undefined) return problem;
  // The value is not shown: it may be secret on somebody's workstation.
  return { ...problem, value: `the value of the variable ${name}` };
}

/**
 * Reads the configuration of a stack.
 * @param encrypted keys that the stack file holds encrypted, with their namespace
 * @param readFile reads the files that the configuration names
 * @param now determines which certificates exist and what has expired
 * @throws InvalidConfigurationError with all its problems
 */
export function readConfiguration(
  environment: string,
  all: Readonly<Record<string, string>>,
  encrypted: readonly string[],
  readFile?: ReadFile,
  now = new Date(),
): Configuration {
  const config = fromPulumiConfig(all);
  const validation = validate(environment, config, readFile, [], now);
  const isEncrypted = (key: string) => encrypted.includes(`${project}:${key}`);
  const secrecy = secrecyProblems(
    config,
    Object.keys(config)
      .filter(isEncrypted)
      .map((key) => [key]),
  );
  const unread = unreadKeys(Object.keys(all));
  const problems = [...unread, ...(validation.ok ? [] : validation.problems), ...secrecy];
  if (validation.ok && problems.length === 0) return validation.configuration;
  throw new InvalidConfigurationError(
    environment,
    problems,
    validation.ok || validation.compared ? undefined : notCompared,
  );
}
