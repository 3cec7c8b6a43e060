import { Command } from 'commander';
import { git, headCommit } from '../pipeline/run';
import { print, printNote } from '../print';
import { findProject } from '../project';
import { UserError } from '../userError';
import { writeOut } from '../writeOut';
import { azurePipeline } from './azurePipelines';
import type { EngineRollout } from './engines';
import { gitHubWorkflow } from './gitHub';
import { usualParallel } from './plan';
import { operatorStacks } from './pulumiOperator';
import { wavesOf } from './rollout';
import { cellsOf } from './stacks';
import { wholeNumber } from './wholeNumber';

interface RenderFlags {
  stack: string;
  out?: string;
}

export function renderCommand(): Command {
  const render = new Command('render').description(
    'write a rollout of all cells, wave by wave, for an engine that runs it',
  );
  const engine = (name: string, description: string) =>
    render
      .command(name)
      .description(description)
      .requiredOption('--stack <name>', 'stack of the environment')
      .option('--out <file>', 'file to write (default: standard output)');
  const pipeline = (name: string, description: string) =>
    engine(name, description).option(
      '--parallel <n>',
      'number of cells that are deployed at the same time',
      wholeNumber(1),
      usualParallel,
    );

  pipeline('github', 'a workflow of GitHub Actions').action((flags: RenderFlags & { parallel: number }) => {
    write(flags, gitHubWorkflow(rolloutOf(flags)));
  });
  pipeline('azure', 'a pipeline of Azure DevOps').action((flags: RenderFlags & { parallel: number }) => {
    write(flags, azurePipeline(rolloutOf(flags)));
  });
  engine('pko', 'Stack resources of the Pulumi Kubernetes Operator, which deploys without verifying')
    .option('--commit <sha>', 'commit to roll out (default: the one that is checked out)')
    .option('--repository <url>', "the project's repository (default: the remote `origin`)")
    .option('--namespace <name>', 'namespace of the resources', 'fleet')
    .option('--service-account <name>', 'service account that signs in to Azure', 'fleet')
    .option('--backend <url>', 'URL of the state, such as azblob://state (default: Pulumi Cloud)')
    .action(renderStacks);
  return render;
}

interface OperatorFlags extends RenderFlags {
  commit?: string;
  repository?: string;
  namespace: string;
  serviceAccount: string;
  backend?: string;
}

async function renderStacks(flags: OperatorFlags): Promise<void> {
  const project = findProject(process.cwd());
  const rollout = rolloutOf({ ...flags, parallel: 1 });
  const { namespace, serviceAccount, backend } = flags;
  const commit = flags.commit ?? (await headCommit(project));
  if (!/^[0-9a-f]{40}$/.test(commit))
    throw new UserError(
      `${commit} is not a commit that the operator can pin.`,
      'Name all 40 hexadecimal digits: `git rev-parse <name>` prints them.',
    );
  const repository = flags.repository ?? (await git(project, 'remote', 'get-url', 'origin'));
  write(flags, operatorStacks(rollout, { repository, commit, namespace, serviceAccount, backend }));
}

function rolloutOf({ stack, parallel }: { stack: string; parallel: number }): EngineRollout {
  return { environment: stack, waves: wavesOf(cellsOf(findProject(process.cwd()), stack)), parallel };
}

function write({ out }: RenderFlags, text: string): void {
  if (out === undefined) {
    print(text);
    return;
  }
  writeOut(out, text);
  printNote(`${out} is written.\n`);
}
