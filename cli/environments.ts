import type { OfCell } from '../stacks/configuration';
import type { CellPlan, Configuration } from '../stacks/plan';
import { settingIn } from '../stacks/settings/settingIn';
import { projectFiles } from '../stacks/settings/projectFiles';
import { checkStackFile, formatPlaced } from '../stacks/stackFile';
import { listStacks, readStack, type StackFile } from './project';
import { UserError } from './userError';

// Environments as their stack files describe them.

/** An environment, and the part of it that a cell deploys. */
interface Environment {
  readonly configuration: Configuration;
  readonly ofCell: OfCell;
}

/** Returns the cells in the stack file of an environment. @throws UserError as `fleetIn` */
export function cellsOf(project: string, stack: string): readonly CellPlan[] {
  return fleetIn(project, readStack(project, stack)).configuration.cells;
}

/**
 * Returns the cells of an environment.
 * @throws UserError as `fleetIn`, and if the project has no stack file of a cell
 */
export function cellsWithFiles(project: string, stack: string): readonly CellPlan[] {
  const cells = cellsOf(project, stack);
  const missing = missingIn(listStacks(project), cells);
  if (missing.length === 0) return cells;
  throw new UserError(
    `There is no stack file of ${missing.join(', ')}.`,
    `Get it back from version control, or create stacks and files with \`npx aks-wi fleet move --stack ${stack}\`.`,
  );
}

/**
 * Checks that each cell has a stack.
 * @param existing the stacks that the backend has
 * @throws UserError if one is missing
 */
export function requireStacks(stack: string, cells: readonly CellPlan[], existing: readonly string[]): void {
  const missing = missingIn(new Set(existing), cells);
  if (missing.length === 0) return;
  throw new UserError(
    `There is no stack ${missing.join(', ')}.`,
    `Create it with \`npx aks-wi fleet move --stack ${stack}\`.`,
  );
}

const missingIn = (names: { has(name: string): boolean }, cells: readonly CellPlan[]): string[] =>
  cells.map(({ stack }) => stack).filter((stack) => !names.has(stack));

/** Tells whether a stack file is that of an environment with cells. */
export function hasCells(text: string): boolean {
  const cells = settingIn(text, 'cells');
  return Array.isArray(cells) && cells.length > 0;
}

/**
 * Returns the environment of a stack file that has cells.
 * @throws UserError if it is not valid, or has no cells
 */
export function fleetIn(project: string, stackFile: StackFile): Environment {
  const environment = checkedEnvironment(project, stackFile);
  const { stack } = stackFile;
  if (environment.configuration.cells.length > 0) return environment;
  throw new UserError(
    `Stack ${stack} has no cells.`,
    `Add \`cells\` to its stack file, for example with \`npx aks-wi fleet assign --stack ${stack} --size 25\`.`,
  );
}

/**
 * Returns the configuration in the stack file of an environment.
 * @throws UserError if it is not valid, or is that of a cell
 */
export function configurationOf(project: string, stack: string): Configuration {
  return checkedEnvironment(project, readStack(project, stack)).configuration;
}

function checkedEnvironment(project: string, { stack, file, text }: StackFile): Environment {
  const { configuration, ofCell, problems } = checkStackFile(
    { environment: stack, file, text },
    projectFiles(project),
  );
  if (configuration === undefined)
    throw new UserError(
      `${file} is not valid.\n${problems.map(formatPlaced).join('\n')}`,
      'Correct it first.',
    );
  if (ofCell === undefined)
    throw new UserError(
      `Stack ${stack} is a cell of ${configuration.environment}.`,
      `Name its environment: --stack ${configuration.environment}.`,
    );
  return { configuration, ofCell };
}
