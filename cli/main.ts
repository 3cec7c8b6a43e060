import { Command } from 'commander';
import { confirmed } from './change';
import { loadCommands } from './commands';
import { reportError } from './userError';

export { confirmed, reportError };

/**
 * Creates the project's command. The launcher adds the local cloud's commands.
 *
 * @param args command line, to load only the commands that it names; without it, all commands are loaded
 */
export async function createProgram(args?: readonly string[]): Promise<Command> {
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
      '\nExit codes: 0 success; 1 an error or a failed check; 2 drift, or a change that access --fail-on names;\n3 the local cloud is not running (cloud status); 130 interrupted.',
    );
  for (const command of await loadCommands(args)) program.addCommand(command);
  return program;
}

/** Runs a command line. Errors are reported as one message with a hint. */
export async function runProgram(program: Command, args: string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportError(error, (text) => process.stderr.write(text));
  }
}
