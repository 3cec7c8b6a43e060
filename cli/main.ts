import { Command } from 'commander';
import { confirmed } from './change';
import { showNotes } from './print';
import { nearest } from '../stacks/settings/nearest';
import { loadCommands } from './commands';
import { reportError } from './userError';

export { confirmed, reportError };

/**
 * Creates the project's command. The launcher adds the local cloud's commands.
 *
 * @param args command line: only the commands that it names are loaded, unless `loadAll` is true
 */
export async function createProgram(args: readonly string[] = [], loadAll = false): Promise<Command> {
  const program = new Command('aks-wi')
    .description(
      'Azure identities for applications on AKS: check a configuration, verify a deployment, promote it to the next environment, and run it locally without a cloud account.',
    )
    // Of a command that is not loaded, the options are not known.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showHelpAfterError('(run with --help for the commands and options)')
    .showSuggestionAfterError(true)
    .addHelpText(
      'after',
      '\nExit codes: 0 success; 1 an error or a failed check; 2 drift, or a change that access --fail-on names;\n3 the local cloud is not running (cloud status); 130 interrupted. azure-run and pipeline cell have more of their own.',
    );
  for (const command of await loadCommands(loadAll ? undefined : args)) program.addCommand(command);
  for (const command of program.commands) {
    if (command.name() !== 'pipeline') addQuiet(command);
    suggestOptions(command, args);
  }
  return program.hook('preAction', (_, command) => {
    showNotes(command.opts<{ quiet?: boolean }>().quiet !== true);
  });
}

/** Adds the nearest option to the error for a missing one: commander looks for it only if none is missing. */
function suggestOptions(command: Command, args: readonly string[]): void {
  command.configureOutput({
    outputError(text, write) {
      const names = command.options.flatMap(({ short, long }) => [short, long].flatMap((name) => name ?? []));
      const unknown = args.find((arg) => /^--\w/.test(arg) && !names.includes(arg.split('=')[0] ?? ''));
      const near = unknown === undefined ? undefined : nearest(unknown, names);
      const isMissing = near !== undefined && text.startsWith('error: required option');
      write(isMissing ? `error: unknown option '${unknown}'\n(Did you mean ${near}?)\n` : text);
    },
  });
  for (const subcommand of command.commands) suggestOptions(subcommand, args);
}

/** Adds `--quiet` to a command, or to those of a group. The steps of pipelines do not have it: their notes are the log. */
function addQuiet(command: Command): void {
  if (command.commands.length === 0) command.option('--quiet', 'print only the result, problems and errors');
  for (const subcommand of command.commands) addQuiet(subcommand);
}

/** Runs a command line. Errors are reported as one message with a hint. */
export async function runProgram(program: Command, args: string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportError(error, (text) => process.stderr.write(text));
  }
}
