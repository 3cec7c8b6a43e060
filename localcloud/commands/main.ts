import { Command } from 'commander';
import { locateInstance } from '../daemon/instance';
import { PROGRAM } from '../project';
import type { LocalOptions } from './change';
import { addCleanCommand } from './cleanCommand';
import { cloudCommand } from './cloudCommand';
import { down } from './down';
import { addLocalOptions } from './localEnvironment';
import { DEFAULT_STACK } from './localStack';
import { runUserPulumi } from './pulumiCommand';
import { toolchainCommand } from './toolchainCommand';
import { up, type UpRequest } from './up';

export { runInLocalEnvironment } from './localEnvironment';

/** Returns a program with the local cloud's commands; undefined if `args` starts with anything else, such as `--help`. */
export function localCloudProgram(args: string[], options: LocalOptions): Command | undefined {
  const program = new Command(PROGRAM).showHelpAfterError('(run with --help for the commands and options)');
  addLocalCloudCommands(program, options);
  return program.commands.some((command) => command.name() === args[0]) ? program : undefined;
}

/** Adds the local cloud's commands to the product's command. */
export function addLocalCloudCommands(program: Command, options: LocalOptions): void {
  const instance = locateInstance(options.projectRoot);
  addLocalOptions(program);
  // Leaves options after `pulumi`, such as those of `pulumi up --yes`, to pulumi.
  program.enablePositionalOptions();
  program
    .command('up')
    .description('start the local cloud, deploy a stack to it, and verify it')
    .option('--stack <name>', 'stack to deploy to the local cloud', DEFAULT_STACK)
    .option(
      '--stack-file <file>',
      'configuration of the stack (default: the file used last, else Pulumi.<stack>.yaml)',
    )
    .option('--event-log <file>', "write the engine's events as JSON lines, for scripts")
    .option('--skip-preview', 'update without a preview; a policy violation then stops the update half-way')
    .option('--no-verify', 'deploy without verifying who can read which secret')
    .action((request: UpRequest) => up(instance, request));
  program
    .command('down')
    .description('stop everything; the state stays')
    .action(async () => {
      process.stdout.write((await down(instance)) ? 'Everything is stopped.\n' : 'Nothing was running.\n');
    });
  addCleanCommand(program, instance, options.confirmed);
  program
    .command('pulumi')
    .description(
      "run pulumi on a stack of the local cloud: [--stack NAME] [--stack-file FILE], then pulumi's arguments",
    )
    .argument('[args...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args: string[]) => {
      process.exitCode = await runUserPulumi(instance, args);
    });
  program.addCommand(cloudCommand(instance, options.confirmed));
  program.addCommand(toolchainCommand(instance));
}
