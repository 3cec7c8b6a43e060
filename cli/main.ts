import { Command } from 'commander';
import { confirmed } from './change';
import { exitCodes } from './exitCodes';
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
      `\nExit codes: 0 success; 1 an error or a failed check; ${exitCodes.drift.found} drift, or a change that access --fail-on names;\n3 the local cloud is not running (cloud status); 130 interrupted. azure-run and pipeline cell have more of their own.`,
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

/**
 * Adds the nearest option to the error for a missing one, since commander looks for it only if none is missing, and `--stack` to the
 * error for a stack that is named without it.
 */
function suggestOptions(command: Command, args: readonly string[]): void {
  command.configureOutput({
    outputError(text, write) {
      write(instead(text, command, args) ?? text);
    },
  });
  for (const subcommand of command.commands) suggestOptions(subcommand, args);
}

/** Returns an error with a suggestion, which replaces one of commander; undefined if there is no suggestion. */
function instead(text: string, command: Command, args: readonly string[]): string | undefined {
  const names = command.options.flatMap(({ short, long }) => [short, long].flatMap((name) => name ?? []));
  const isMissing = text.startsWith('error: required option');
  const unknown = args.find((arg) => /^--\w/.test(arg) && !names.includes(arg.split('=')[0] ?? ''));
  const near = unknown === undefined ? undefined : nearest(unknown, names);
  if (isMissing && near !== undefined) return `error: unknown option '${unknown}'\n(Did you mean ${near}?)\n`;
  const [excess] = command.registeredArguments.length > 0 ? [] : command.args;
  const isStack = excess !== undefined && !excess.startsWith('-') && names.includes('--stack');
  return isStack && (isMissing || text.startsWith('error: too many arguments'))
    ? `error: unexpected argument '${excess}'\n(Did you mean --stack ${excess}?)\n`
    : undefined;
}

/** Adds `--quiet` to a command, or to those of a group. The steps of pipelines do not have it: their notes are the log. */
function addQuiet(command: Command): void {
  if (command.commands.length === 0) command.option('--quiet', 'print only the result, problems and errors');
  for (const subcommand of command.commands) addQuiet(subcommand);
}

/** Runs a command line. Errors are reported as one message with a hint. */
export async function runProgram(program: Command, args: string[]): Promise<void> {
  // Commander's `help` shows only the help of the first command that it names.
  const isNested = args[0] === 'help' && args.length > 2;
  try {
    await program.parseAsync(isNested ? [...args.slice(1), '--help'] : args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportError(error, (text) => process.stderr.write(text));
  }
}
