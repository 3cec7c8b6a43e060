import { Command } from 'commander';
import { accessCommand } from './access/command';
import { confirmed } from './change';
import { auditCommand } from './audit/command';
import { driftCommand } from './drift/command';
import { grantCommand } from './grant/command';
import { hostedClustersCommand } from './hostedClusters/command';
import { importCommand } from './import/command';
import { orphansCommand } from './orphans/command';
import { migrateCommand } from './migrate/command';
import { pipelineCommand } from './pipeline/command';
import { promoteCommand } from './promote/command';
import { revokeCommand } from './revoke/command';
import { validateCommand } from './validate/command';
import { verifyCommand } from './verify/command';
import { reportError } from './userError';

export { confirmed, reportError };

/** Creates the project's command. The launcher adds the local cloud's commands. */
export function createProgram(): Command {
  return new Command('aks-wi')
    .description(
      'Azure identities for applications on AKS: check a configuration, verify a deployment, promote it to the next environment, and run it locally without a cloud account.',
    )
    .showHelpAfterError('(run with --help for the commands and options)')
    .showSuggestionAfterError(true)
    .addHelpText(
      'after',
      '\nExit codes: 0 success; 1 an error or a failed check; 2 drift, or a change that access --fail-on names;\n3 the local cloud is not running (cloud status); 130 interrupted.',
    )
    .addCommand(validateCommand())
    .addCommand(verifyCommand())
    .addCommand(accessCommand())
    .addCommand(importCommand())
    .addCommand(orphansCommand())
    .addCommand(revokeCommand())
    .addCommand(grantCommand())
    .addCommand(promoteCommand())
    .addCommand(migrateCommand())
    .addCommand(hostedClustersCommand())
    .addCommand(auditCommand())
    .addCommand(driftCommand())
    .addCommand(pipelineCommand());
}

/** Runs a command line. Errors are reported as one message with a hint. */
export async function runProgram(program: Command, args: string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportError(error, (text) => process.stderr.write(text));
  }
}
