import { Command } from 'commander';
import { git, headCommit } from '../pipeline/run';
import { print, printNote } from '../print';
import { findProject } from '../project';
import { example } from '../example';
import { UserError } from '../userError';
import { writeOut } from '../writeOut';
import { azurePipeline } from './azurePipelines';
import { inYaml, writtenBy, type EngineRollout } from './engines';
import { gitHubWorkflow } from './gitHub';
import { jobSetName, jobSetOf } from './jobset';
import { parallelOption } from './parallelOption';
import { operatorStacks } from './pulumiOperator';
import { wavesOf } from './rollout';
import { cellsWithFiles } from '../environments';

interface RenderFlags {
  stack: string;
  out?: string;
}

export function renderCommand(): Command {
  const render = new Command('render')
    .description('write a rollout of all cells, wave by wave, for an engine that runs it')
    .addHelpText('after', example('fleet render github --stack prod'));
  const engine = (name: string, description: string, args: string) =>
    render
      .command(name)
      .description(description)
      .requiredOption('--stack <name>', 'name of the stack (of the environment)')
      .option('--out <file>', 'file to write (default: standard output)')
      .addHelpText('after', example(`fleet render ${name} --stack prod ${args}`));
  const pipeline = (name: string, description: string, args: string) =>
    engine(name, description, args).addOption(parallelOption());

  pipeline('github', 'a workflow of GitHub Actions', '--out .github/workflows/fleet.yml').action(
    (flags: RenderFlags & { parallel: number }) => {
      write(flags, gitHubWorkflow(rolloutOf(flags)));
    },
  );
  pipeline('azure', 'a pipeline of Azure DevOps', '--out .azure-pipelines/fleet.yml').action(
    (flags: RenderFlags & { parallel: number }) => {
      write(flags, azurePipeline(rolloutOf(flags)));
    },
  );
  const inCluster = (command: Command) =>
    command
      .option('--commit <sha>', 'commit to roll out (default: the one that is checked out)')
      .option('--namespace <name>', 'namespace of the resources', 'fleet')
      .option('--service-account <name>', 'service account that signs in to Azure', 'fleet')
      .option('--backend <url>', 'URL of the state, such as azblob://state (default: Pulumi Cloud)');

  inCluster(
    pipeline(
      'jobset',
      'a JobSet for a Kubernetes cluster, with a Job for each wave',
      '--image REGISTRY/fleet:1 --out fleet.yaml',
    ),
  )
    .requiredOption('--image <image>', 'image that contains the project at the commit, and the engine')
    .option('--env <name=value>', 'environment variable of the pods; can be repeated', addVariable)
    .option(
      '--env-secret <name>',
      'Secret in the namespace whose entries are environment variables of the pods, such as PULUMI_CONFIG_PASSPHRASE',
    )
    .action(renderJobSet);
  inCluster(
    engine(
      'pko',
      'Stack resources of the Pulumi Kubernetes Operator, which deploys without verifying',
      '--out fleet.yaml',
    ),
  )
    .option('--repository <url>', "the project's repository (default: the remote `origin`)")
    .action(renderStacks);
  return render;
}

interface ClusterFlags extends RenderFlags {
  commit?: string;
  namespace: string;
  serviceAccount: string;
  backend?: string;
}

interface JobSetFlags extends ClusterFlags {
  image: string;
  parallel: number;
  env?: Record<string, string>;
  envSecret?: string;
}

/** Adds `NAME=value` of a command line to the variables. */
function addVariable(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UserError(`--env is ${text}.`, 'Allowed: NAME=value, such as ARM_SUBSCRIPTION_ID=….');
  return { ...before, [name]: value };
}

async function renderJobSet(flags: JobSetFlags): Promise<void> {
  const { environment, waves, parallel } = rolloutOf(flags);
  const { namespace, serviceAccount, backend, image, envSecret: secret } = flags;
  const commit = await pinnedCommit(flags);
  const jobSet = jobSetOf({
    ...{
      name: jobSetName(environment, namespace),
      namespace,
      environment,
      commit,
      image,
      serviceAccount,
    },
    command: ['aks-wi', 'pipeline', 'cell'],
    env: { ...(backend !== undefined && { PULUMI_BACKEND_URL: backend }), ...flags.env },
    secret,
    waves: [
      { name: 'environment', cells: [environment], parallelism: 1 },
      ...waves.map((cells, index) => ({
        name: `wave-${index + 1}`,
        cells: cells.map(({ stack }) => stack),
        parallelism: Math.min(parallel, cells.length),
      })),
    ],
  });
  write(flags, `${writtenBy('jobset', environment)}${inYaml(jobSet)}`);
}

async function renderStacks(flags: ClusterFlags & { repository?: string }): Promise<void> {
  const project = findProject(process.cwd());
  const rollout = rolloutOf({ ...flags, parallel: 1 });
  const { namespace, serviceAccount, backend } = flags;
  const commit = await pinnedCommit(flags);
  const repository = flags.repository ?? (await git(project, 'remote', 'get-url', 'origin'));
  write(flags, operatorStacks(rollout, { repository, commit, namespace, serviceAccount, backend }));
}

/** Returns the commit that every cell is updated to. A branch could move between two waves. */
async function pinnedCommit({ commit: named }: { commit?: string }): Promise<string> {
  const commit = named ?? (await headCommit(findProject(process.cwd())));
  if (/^[0-9a-f]{40}$/.test(commit)) return commit;
  throw new UserError(
    `${commit} is not a full commit.`,
    'Name all 40 hexadecimal digits: `git rev-parse <name>` prints them.',
  );
}

function rolloutOf({ stack, parallel }: { stack: string; parallel: number }): EngineRollout {
  return { environment: stack, waves: wavesOf(cellsWithFiles(findProject(process.cwd()), stack)), parallel };
}

function write({ out }: RenderFlags, text: string): void {
  if (out === undefined) {
    print(text);
    return;
  }
  writeOut(out, text);
  printNote(`${out} is written.\n`);
}
