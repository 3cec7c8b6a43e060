import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { locateInstance, LOCAL_STACK, type Instance } from '../daemon/instance';
import { cloudCommand } from './cloudCommand';
import { requireServing } from './cloud';
import { openInstanceToolchain, ownCommand, pulumiContext } from './context';
import { clean, down } from './down';
import { runUserPulumi } from './pulumiCommand';
import { stackOf } from './stackArgument';
import { toolchainCommand } from './toolchainCommand';
import { up } from './up';

/** Adds the local cloud's commands to the product's program. */
export function addLocalCloudCommands(program: Command, options: { projectRoot: string }): void {
  const instance = locateInstance(options.projectRoot);
  // So that `pulumi up --yes` after our own `pulumi` keeps its flags.
  program.enablePositionalOptions();
  program
    .command('up')
    .description('local cloud, pulumi up of stack local, verification: the whole on this machine')
    .action(() => up(instance));
  program
    .command('down')
    .description('stop everything; the state stays')
    .action(async () => {
      process.stdout.write((await down(instance)) ? 'Everything is stopped.\n' : 'Nothing was running.\n');
    });
  program
    .command('clean')
    .description('stop everything and remove the state')
    .action(async () => {
      await clean(instance);
      process.stdout.write('Everything is stopped and the state removed.\n');
    });
  program
    .command('pulumi')
    .description('pulumi on stack local: its arguments follow')
    .argument('[args...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args: string[]) => {
      process.exitCode = await runUserPulumi(instance, args);
    });
  program.addCommand(cloudCommand(instance));
  program.addCommand(toolchainCommand(instance));
}

/**
 * For a product command on stack `local`: runs it again with the local cloud's environment, because Node
 * reads NODE_EXTRA_CA_CERTS only when it starts. Resolves with its exit code; undefined when this process
 * may run the command itself.
 */
export async function runInLocalEnvironment(
  args: string[],
  options: { projectRoot: string },
): Promise<number | undefined> {
  if (args[0] !== 'verify' || stackOf(args) !== LOCAL_STACK || args.includes('--help')) return undefined;
  const instance: Instance = locateInstance(options.projectRoot);
  const run = requireServing(instance);
  const { env } = await pulumiContext(instance, run, openInstanceToolchain(instance));
  const given = Object.entries(env).every(([name, value]) => process.env[name] === value);
  if (given) return undefined;
  return new Promise<number>((resolve, reject) => {
    const child = spawn(process.execPath, ownCommand(instance, ...args), {
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGTERM', forward);
    process.on('SIGINT', () => undefined);
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
