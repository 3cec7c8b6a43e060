import { Command, InvalidArgumentError } from 'commander';
import { clock } from '../../stacks/settings/clock';
import { example } from '../example';
import { inJson } from '../json';
import { print, printProblem } from '../print';
import { findProject } from '../project';
import { writeOut } from '../writeOut';
import { quotas } from './limits';
import { planPicture } from './planPicture';
import { exceededMessage, renderPlan } from './planTable';
import { exceeded, planRollout, type RolloutOptions } from './rolloutPlan';
import { fleetIn } from '../environments';
import { parallelOption } from './parallelOption';
import { integer } from './integer';

interface PlanFlags extends Omit<RolloutOptions, 'raised'> {
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

const raisable = quotas.filter((quota) => quota.raisable === true).map(({ name }) => name);

export function planCommand(): Command {
  return new Command('plan')
    .description(
      "show the waves of a first rollout, its expected duration at Azure's limits, and what it counts towards Azure's quotas; the exit code is 1 if a quota is exceeded",
    )
    .requiredOption('--stack <name>', 'name of the stack (of the environment)')
    .addOption(parallelOption())
    .option('--cell-minutes <n>', 'minutes for a cell that no limit slows down', integer, usualCellMinutes)
    .option(
      '--raised <limit=n...>',
      `quotas that Microsoft raised for you (${raisable.join(', ')})`,
      raisedQuota,
    )
    .option(
      '--json',
      'print JSON: {"environment","waves":[{"wave","cells","seconds","bounds"}],"seconds","bound","ratio","quotas","exceeded"}',
      false,
    )
    .option('--svg <file>', 'also write a picture to this SVG file')
    .addHelpText('after', example('fleet plan --stack prod --parallel 10'))
    .action((flags: PlanFlags) => {
      process.exitCode = showPlan(flags);
    });
}

function showPlan({ stack, json, svg, raised = new Map(), ...options }: PlanFlags): number {
  const { configuration, ofCell } = fleetIn(findProject(process.cwd()), stack);
  const rollout = planRollout(configuration, ofCell, { ...options, raised });
  const over = exceeded(rollout);
  if (svg !== undefined) writeOut(svg, planPicture(rollout, { from: 'planned', at: clock(process.env) }));
  print(json ? inJson({ ...rollout, exceeded: over.map(({ limit }) => limit) }) : renderPlan(rollout));
  for (const use of over) printProblem(exceededMessage(use));
  return over.length > 0 ? 1 : 0;
}

/** Reads `clusters-in-region=500`, in addition to earlier ones. */
function raisedQuota(text: string, earlier: ReadonlyMap<string, number> = new Map()): Map<string, number> {
  const [, name = '', number = ''] = /^([\w-]+)=([1-9]\d*)$/.exec(text) ?? [];
  if (!raisable.includes(name))
    throw new InvalidArgumentError(
      `Expected <limit>=<number>, such as ${raisable[0] ?? ''}=500, with one of the limits ${raisable.join(', ')}.`,
    );
  return new Map([...earlier, [name, Number(number)]]);
}
