import { Command } from 'commander';
import { locateInstance } from '../daemon/instance';
import { PROGRAM } from '../project';
import { withChangeFlags, type ChangeFlags } from './change';
import { example } from './example';
import { addLocalOptions } from './localEnvironment';
import { DEFAULT_STACK } from './localStack';
import type { LocalOptions } from './product';
import type { UpRequest } from './up';

export { runInLocalEnvironment } from './localEnvironment';

/** Returns a program with the local cloud's commands; undefined if `args` starts with anything else, such as `--help`. */
export async function localCloudProgram(args: string[], options: LocalOptions): Promise<Command | undefined> {
  const program = new Command(PROGRAM).showHelpAfterError('(run with --help for the commands and options)');
  await addLocalCloudCommands(program, options, args);
  return program.commands.some((command) => command.name() === args[0]) ? program : undefined;
}

/**
 * Adds the local cloud's commands to the product's command.
 *
 * @param args command line: what its commands need is loaded when one runs, and groups of commands when they are named; without
 *   it, all are loaded
 */
export async function addLocalCloudCommands(
  program: Command,
  options: LocalOptions,
  args?: string[],
): Promise<void> {
  const instance = locateInstance(options.projectRoot);
  addLocalOptions(program, options.product);
  // Leaves options after `pulumi`, such as those of `pulumi up --yes`, to pulumi.
  program.enablePositionalOptions();
  const upCommand = program.command('up');
  upCommand
    .configureOutput({
      outputError(text, write) {
        const suggested = `error: unexpected argument '${upCommand.args[0]}'\n(Did you mean --stack ${upCommand.args[0]}?)\n`;
        write(text.startsWith('error: too many arguments') ? suggested : text);
      },
    })
    .description('start the local cloud, deploy a stack to it, and verify it')
    .option('--stack <name>', 'name of the stack', DEFAULT_STACK)
    .option(
      '--stack-file, --file <file>',
      'stack file (default: the file used last, else Pulumi.<stack>.yaml)',
    )
    .option('--event-log <file>', "write the engine's events as JSON lines, for scripts")
    .option('--skip-preview', 'update without a preview; a policy violation then stops the update half-way')
    .option('--no-verify', 'deploy without verifying who can read which secret')
    .addHelpText('after', example('up --stack dev'))
    .action(async ({ file, ...request }: UpRequest & { file?: string }) =>
      (await import('./up.ts')).up(instance, { ...request, stackFile: file }, options.product),
    );
  program
    .command('down')
    .description('stop everything; the state stays')
    .addHelpText('after', example('down'))
    .action(async () => {
      const { down } = await import('./down.ts');
      process.stdout.write((await down(instance)) ? 'Everything is stopped.\n' : 'Nothing was running.\n');
    });
  withChangeFlags(program.command('clean'))
    .description('stop everything and delete the state; saves stay')
    .addHelpText('after', example('clean --dry-run'))
    .option(
      '--json',
      'print JSON: {"stacks":[…],"saves":[…]}: the stacks that are deleted, and the saves that stay',
      false,
    )
    .action(async (flags: ChangeFlags & { json: boolean }) =>
      (await import('./cleanCommand.ts')).runClean(instance, flags, options.confirmed),
    );
  program
    .command('pulumi')
    .description(
      "run pulumi on a stack of the local cloud: [--stack NAME] [--file FILE], then pulumi's arguments",
    )
    .argument('[args...]')
    .addHelpText('after', example('pulumi preview --diff'))
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (pulumiArguments: string[]) => {
      const { runUserPulumi } = await import('./pulumiCommand.ts');
      process.exitCode = await runUserPulumi(instance, pulumiArguments, options.product);
    });
  const isNamed = (name: string) => args === undefined || args.includes(name);
  const cloud = isNamed('cloud')
    ? (await import('./cloudCommand.ts')).cloudCommand(instance, options.confirmed)
    : new Command('cloud');
  program.addCommand(cloud.description('control the local Azure and its clusters'));
  const toolchain = isNamed('toolchain')
    ? (await import('./toolchainCommand.ts')).toolchainCommand(instance)
    : new Command('toolchain');
  program.addCommand(
    toolchain.description('show the programs of the local cloud, with their source, version and size'),
  );
}
