import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { fieldsOf } from '../../components/resource/fields';
import type { CellPlan } from '../../stacks/plan';
import { project as namespace } from '../../stacks/settings/problem';
import { isEncrypted } from '../../stacks/checks/secrecy';
import { capture } from '../capture';
import { ownCommand } from '../ownCommand';
import { readStack } from '../project';
import { pulumiError, runPulumi } from '../pulumi';
import { ownVariables } from '../../stacks/settings/ownVariables';

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
