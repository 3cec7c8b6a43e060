import { Command, InvalidArgumentError } from 'commander';
import { clock } from '../../stacks/settings/clock';
import { settingIn } from '../../stacks/settings/settingIn';
import { example } from '../example';
import { inJson } from '../json';
import { print, printNote, printProblem } from '../print';
import { chosenStackFile, findProject } from '../project';
import { stackFileOption } from '../stackFileOption';
import { writeOut } from '../writeOut';
import { quotas } from './limits';
import { planPicture } from './planPicture';
import { exceededMessage, renderPlan } from './planTable';
import { exceeded, planRollout, type RolloutOptions } from './rolloutPlan';
import { fleetIn } from '../environments';
import { parallelOption } from './parallelOption';
import { integer } from './integer';
import { exitCodes } from '../exitCodes';

interface PlanFlags extends Omit<RolloutOptions, 'raised'> {
  file?: string;
  raised?: ReadonlyMap<string, number>;
  stack: string;
  json: boolean;
  svg?: string;
}

/**
 * Minutes for a cell: AKS creates a cluster in five to ten, the charts and the pods follow, and the clusters of a cell are
 * deployed at the same time.
 */
const usualCellMinutes = 15;

const raisable = quotas.filter((quota) => quota.raisable === true);
const raisableNames = raisable.map(({ name }) => name).join(', ');

export function planCommand(): Command {
  return new Command('plan')
    .description(
      "show the waves of a first rollout, its expected duration at Azure's limits, and what it counts towards Azure's quotas; the exit code is 1 if a quota is exceeded",
    )
    .requiredOption('--stack <name>', 'name of the stack (of the environment)')
    .addOption(stackFileOption())
    .addOption(parallelOption())
    .option('--cell-minutes <n>', 'minutes for a cell that no limit slows down', integer, usualCellMinutes)
    .option('--raised <limit=n...>', `quotas that Microsoft raised for you (${raisableNames})`, raisedQuota)
    .option(
      '--json',
      'print JSON: {"environment","waves":[{"wave","cells","seconds","bounds"}],"seconds","bound","ratio","quotas","countedApart","exceeded"}',
      false,
    )
    .option('--svg <file>', 'also write a picture to this SVG file')
    .addHelpText('after', example('fleet plan --stack prod --parallel 10'))
    .action((flags: PlanFlags) => {
      process.exitCode = showPlan(flags);
    });
}

function showPlan({ stack, file, json, svg, raised = new Map(), ...options }: PlanFlags): number {
  const project = findProject(process.cwd());
  const stackFile = chosenStackFile(project, stack, file);
  const { configuration, ofCell } = fleetIn(project, stackFile);
  const subscription = subscriptionIn(stackFile.text, process.env);
  const rollout = planRollout(configuration, ofCell, { ...options, raised, subscription });
  const over = exceeded(rollout);
  if (svg !== undefined) writeOut(svg, planPicture(rollout, { from: 'planned', at: clock(process.env) }));
  print(json ? inJson({ ...rollout, exceeded: over.map(({ limit }) => limit) }) : renderPlan(rollout));
  if (rollout.countedApart.length > 0)
    printNote(
      `note: The subscription of ${stack} is unknown, so it is counted apart from ${rollout.countedApart.join(', ')}. If it is one of them, set ARM_SUBSCRIPTION_ID.\n`,
    );
  for (const use of over) printProblem(exceededMessage(use));
  return exitCodes['fleet plan'][over.length > 0 ? 'failed' : 'done'];
}

/** Returns the subscription that azure-native deploys to, unless only the Azure CLI knows it. */
function subscriptionIn(stackFile: string, env: NodeJS.ProcessEnv): string | undefined {
  const configured = settingIn(stackFile, 'azure-native:subscriptionId');
  return (typeof configured === 'string' && configured) || env.ARM_SUBSCRIPTION_ID || undefined;
}

/** Reads `clusters-in-region=500`, in addition to earlier ones. */
function raisedQuota(text: string, earlier: ReadonlyMap<string, number> = new Map()): Map<string, number> {
  const [, name = '', number = ''] = /^([\w-]+)=([1-9]\d*)$/.exec(text) ?? [];
  const quota = raisable.find((limit) => limit.name === name);
  if (quota === undefined)
    throw new InvalidArgumentError(
      `Expected <limit>=<number>, such as ${raisable[0]?.name ?? ''}=500, with one of the limits ${raisableNames}.`,
    );
  if (Number(number) < quota.most)
    throw new InvalidArgumentError(
      `Azure allows ${quota.most} without a request, so ${name} is at least ${quota.most}.`,
    );
  return new Map([...earlier, [name, Number(number)]]);
}
