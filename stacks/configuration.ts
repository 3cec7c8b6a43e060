import { checks } from './checks';
import type { CellPlan, Configuration } from './plan';
import { planCells, planEnvironment, settingsOfCell } from './plan';
import type { FilledConfiguration } from './settings/fromVariables';
import { fillFromVariables } from './settings/fromVariables';
import { readHyperShiftManifests } from './settings/hyperShiftManifests';
import { parseSettings } from './settings/parse';
import type { Problem } from './settings/problem';
import { distinct, shown, valueAt } from './settings/problem';
import type { ReadFile } from './settings/projectFiles';
import { applyReleases } from './settings/releases/apply';
import type { StackSettings } from './settings/schema';
import type { CheckInput } from './checks/context';
import { placed, placedLists } from './checks/context';

/** @param kubeconfigs kubeconfigs of the cell's clusters of mode external */
export type OfCell = (cell: CellPlan, kubeconfigs: StackSettings['kubeconfigs']) => Configuration;

/** A valid configuration, or its problems. */
export type Validation =
  | {
      readonly ok: true;
      readonly configuration: Configuration;
      /** Returns the part of the configuration that a cell deploys. Absent for a cell. */
      readonly ofCell?: OfCell;
    }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** True if the settings were compared with each other, which requires that each is individually valid. */
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
  const cells = planCells(environment, settings);
  return {
    ok: true,
    configuration: { environment, settings, plan, cells },
    ofCell(cell, kubeconfigs) {
      const here = settingsOfCell(settings, cell, kubeconfigs);
      const ofCell = planEnvironment(environment, here, versions, now, manifests);
      return { environment, settings: here, plan: { ...ofCell, unnamedSecrets: [] }, cells, cell };
    },
  };
}

/** Shows the name of the variable that a wrong value comes from. */
function withVariable(problem: Problem, { variableAt }: FilledConfiguration): Problem {
  const name = problem.file === undefined ? variableAt(problem.path) : undefined;
  if (name === undefined || problem.value === undefined) return problem;
  // The value is not shown: it may be secret on somebody's workstation.
  return { ...problem, value: `the value of the variable ${name}` };
}
