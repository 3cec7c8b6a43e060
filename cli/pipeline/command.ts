import { Command } from 'commander';
import { confirmed, type ChangeFlags } from '../change';
import { example } from '../example';
import { assertionFrom } from '../federation';
import { ownCommand } from '../ownCommand';
import { hasCells } from '../environments';
import { findProject, readStack } from '../project';
import { policyPack } from '../pulumi';
import { timeoutOption } from '../verify/command';
import { cellCodes, runCell } from './cell';
import { checkApproval, writeApproval } from './approval';
import { asksNobody, removePlaceholders, stepVariables, systemOf } from './environment';
import { pullRequests } from './hosting';
import { preview } from './preview';
import { promoteByPullRequest, type PromotionRequest } from './promotion';
import { headCommit, streamed } from './run';
import { checkSignIn } from './signIn';
import { stateVariables } from './stateSignIn';
import { inJson } from '../json';
import { print, printNote } from '../print';
import { UserError } from '../userError';

interface DeployFlags extends ChangeFlags {
  stack: string;
  approved?: string;
  validFor: string;
}

/** The steps of a pipeline. On a workstation, they do the same with the signed-in account. */
export function pipelineCommand(): Command {
  const pipeline = new Command('pipeline')
    .enablePositionalOptions()
    .addHelpText('after', example('pipeline preview --stack dev'));
  const step = (name: string, description: string, args = '') =>
    pipeline
      .command(name)
      .description(description)
      .requiredOption('--stack <name>', 'name of the stack')
      .addHelpText('after', example(`pipeline ${name} --stack dev${args}`));

  step('check', 'check that the step has its variables and can sign in')
    .option('--json', 'print JSON: {"stack","system"}', false)
    .action(async ({ stack, json }: { stack: string; json: boolean }) => {
      await ready(stack);
      const system = systemOf(process.env);
      if (json) print(inJson({ stack, system }));
      else
        printNote(
          system === 'workstation'
            ? 'This is not a pipeline: the steps use the signed-in account. Nothing was checked.\n'
            : `The pipeline has what stack ${stack} needs.\n`,
        );
    });
  step(
    'preview',
    'preview a stack, and write a comment on the pull request with its changes and who could read what',
  )
    .option('--record <file>', 'write a record of the preview (commit and time) for its approval')
    .action(async ({ stack, record }: { stack: string; record?: string }) => {
      const project = await ready(stack);
      const previewedAt = new Date().toISOString();
      await preview(stack, project, pullRequests(process.env));
      if (record !== undefined)
        writeApproval(record, { stack, commit: await headCommit(project), previewedAt });
    });
  step('deploy', 'deploy a stack')
    .option('--approved <file>', 'record of the approved preview')
    .option(
      '--valid-for <duration>',
      'how long after its preview an approval is valid, such as 30m or 72h',
      '72h',
    )
    .option('--dry-run', 'only show what would be changed', false)
    .option('--yes', 'do not ask for confirmation (required without a terminal, except in a pipeline)', false)
    .action(async ({ stack, approved, validFor, ...change }: DeployFlags) => {
      const project = await ready(stack);
      // In a rollout, its cells would be refused from then on: they are at another commit.
      if (hasCells(readStack(project, stack).text) && !change.dryRun)
        throw new UserError(
          `The stack ${stack} has cells, which are deployed after it, in waves.`,
          `Deploy all of them with a pipeline of \`npx aks-wi fleet render\`, and take ${stack} out of this one.`,
        );
      if (approved !== undefined)
        checkApproval(approved, { stack, commit: await headCommit(project) }, validFor, new Date());
      const update = async (...args: string[]) => {
        const options = ['--non-interactive', '--suppress-outputs', ...policyPack, '--stack', stack];
        process.exitCode = await streamed('pulumi', [...args, ...options], project);
      };
      const yes = change.yes || asksNobody(process.env);
      if (change.dryRun) await update('preview');
      // The update previews again: a refusal by a policy stops it there, not halfway.
      if (await confirmed({ ...change, yes }, 'deployed', `the stack ${stack} would be updated`))
        await update('up', '--yes');
    });
  pipeline
    .command('cell')
    .description('deploy the stack of a cell and verify it')
    .option('--stack <name>', 'name of the stack (of the cell)')
    .option('--cells <stacks>', 'stacks of the cells of a wave, separated by commas, instead of --stack')
    .option('--index <number>', 'place of the cell in --cells; the first is 0')
    .addHelpText(
      'after',
      `\nExit code: ${cellCodes.done} deployed and verified; ${cellCodes.failed} the update failed; ${cellCodes.notVerified} the verification failed;\n${cellCodes.refused} refused before the update: nothing was changed; ${cellCodes.locked} another update of the stack is running.`,
    )
    .addHelpText('after', example('pipeline cell --stack prod-cell-1'))
    .action(async (flags: CellFlags) => {
      const stack = cellIn(flags);
      const project = await ready(stack);
      process.exitCode = await runCell(stack, project);
    });
  step('run', 'run another aks-wi command on the stack, signed in as the pipeline', ' verify')
    .arguments('<command> [args...]')
    .passThroughOptions()
    .action(async (command: string, args: string[], { stack }: { stack: string }) => {
      const project = await ready(stack);
      process.exitCode = await streamed(
        process.execPath,
        ownCommand(command, '--stack', stack, ...args),
        project,
      );
    });
  pipeline
    .command('promote')
    .description(
      'open a pull request with the releases that a stack runs and that are verified at this commit',
    )
    .requiredOption('--from <stack>', 'stack that runs the releases')
    .requiredOption('--to <stack>', 'stack to promote them to')
    .option('--base <branch>', 'target branch of the pull request', 'main')
    .option('--dry-run', 'only show what would be changed', false)
    .addOption(timeoutOption())
    .addHelpText('after', example('pipeline promote --from dev --to prod'))
    .action(async (flags: PromotionRequest) => {
      const project = await ready(flags.from);
      await promoteByPullRequest(flags, project, pullRequests(process.env));
    });
  return pipeline;
}

interface CellFlags {
  stack?: string;
  cells?: string;
  index?: string;
}

/** Returns the stack that the options name. */
function cellIn({ stack, cells, index }: CellFlags): string {
  const named = stack ?? cells?.split(',')[/^\d+$/.test(index ?? '') ? Number(index) : -1];
  if (named !== undefined && named !== '' && (stack === undefined || cells === undefined)) return named;
  throw new UserError(
    'The step does not say which cell to deploy.',
    'Name it with --stack, or with --cells and --index.',
  );
}

/** Checks everything that the step needs, and signs in. The programs that it starts inherit its variables. */
async function ready(stack: string): Promise<string> {
  const project = findProject(process.cwd());
  removePlaceholders(process.env);
  const encrypted = /^encryptionsalt:/m.test(readStack(project, stack).text);
  Object.assign(process.env, stepVariables(stack, process.env, { encrypted }));
  const assertion = assertionFrom(process.env);
  if (assertion === undefined) return project;
  await checkSignIn(process.env, await assertion());
  if (systemOf(process.env) === 'GitHub Actions')
    Object.assign(process.env, await stateVariables(process.env, assertion));
  return project;
}
