import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { fieldsOf } from '../../components/resource/fields';
import type { OfCell } from '../../stacks/configuration';
import type { CellPlan, Configuration } from '../../stacks/plan';
import { project as namespace } from '../../stacks/settings/problem';
import { environmentIn } from '../../stacks/cells';
import { projectFiles } from '../../stacks/settings/projectFiles';
import { isEncrypted } from '../../stacks/checks/secrecy';
import { checkStackFile, formatPlaced } from '../../stacks/stackFile';
import { capture } from '../capture';
import { ownCommand } from '../ownCommand';
import { listStacks, readStack } from '../project';
import { pulumiError, runPulumi } from '../pulumi';
import { ownVariables } from '../../stacks/settings/ownVariables';
import { UserError } from '../userError';

/** An environment, and the part of it that a cell deploys. */
interface Environment {
  readonly configuration: Configuration;
  readonly ofCell: OfCell;
}

/** Returns the cells in the stack file of an environment. @throws UserError as `fleetIn` */
export function cellsOf(project: string, stack: string): readonly CellPlan[] {
  return fleetIn(project, stack).configuration.cells;
}

/**
 * Returns the environment of a stack file that has cells.
 * @throws UserError if it is not valid, or has no cells
 */
export function fleetIn(project: string, stack: string): Environment {
  const environment = checkedEnvironment(project, stack);
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
  return checkedEnvironment(project, stack).configuration;
}

function checkedEnvironment(project: string, stack: string): Environment {
  const { file, text } = readStack(project, stack);
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
  for (const cell of configuration.cells) refuseOther(project, stack, cell.stack);
  return { configuration, ofCell };
}

/** Refuses a stack that has the name of a cell and is not one, such as another environment. */
function refuseOther(project: string, environment: string, stack: string): void {
  const file = listStacks(project).get(stack);
  if (file === undefined || environmentIn(readStack(project, stack).text) === environment) return;
  throw new UserError(
    `${stack} is the name of a cell of ${environment}, but ${file} is not the stack file of that cell.`,
    `Rename the cell, or write \`${namespace}:cellOf: ${environment}\` in ${file}.`,
  );
}

/** Returns the names of the stacks that the backend has. */
export async function existingStacks(cwd: string, stack: string): Promise<string[]> {
  const stdout = await runPulumi({ name: stack, cwd }, ['stack', 'ls', '--json']);
  return z
    .array(z.looseObject({ name: z.string() }))
    .parse(JSON.parse(stdout))
    .map(({ name }) => path.posix.basename(name));
}

/** Creates the stack of a cell, and its stack file unless there is one. */
export async function createStack(project: string, environment: string, { stack }: CellPlan): Promise<void> {
  const file = path.join(project, `Pulumi.${stack}.yaml`);
  const own: unknown = parse(readStack(project, environment).text);
  if (!existsSync(file)) writeFileSync(file, stackFileOfCell(environment, own));
  // The local cloud keeps the encryption of its stacks outside of their stack files.
  if (process.env[ownVariables.pulumi] !== undefined) return prepareLocally(project, stack);
  const { secretsprovider } = fieldsOf(own);
  const options = typeof secretsprovider === 'string' ? ['--secrets-provider', secretsprovider] : [];
  await runPulumi({ name: stack, cwd: project }, ['stack', 'init', '--no-select', ...options]);
}

/** Creates a stack of the local cloud, as its command does before it reads the configuration. */
async function prepareLocally(cwd: string, stack: string): Promise<void> {
  const args = ownCommand('pulumi', '--stack', stack, 'config', '--json');
  const result = await capture(process.execPath, args, { cwd });
  if (result.code !== 0) throw pulumiError({ name: stack, cwd }, args.slice(1), result);
}

/**
 * Returns the stack file of a cell: its environment, and the settings of providers, which the engine reads for each stack. Encrypted
 * ones are left out: each stack has a key of its own.
 */
function stackFileOfCell(environment: string, environmentFile: unknown): string {
  const config = Object.entries(fieldsOf(fieldsOf(environmentFile).config)).filter(
    ([key, value]) => key.includes(':') && !key.startsWith(`${namespace}:`) && !isEncrypted(value),
  );
  return `# A cell of ${environment}, whose settings are in Pulumi.${environment}.yaml.\n${stringify({
    config: { [`${namespace}:cellOf`]: environment, ...Object.fromEntries(config) },
  })}`;
}

/** Replaces the state of a stack. It is passed on standard input, because it contains secrets. */
export async function importState(project: string, stack: string, state: unknown): Promise<void> {
  await runPulumi({ name: stack, cwd: project }, ['stack', 'import'], { input: JSON.stringify(state) });
}
