import { Command } from 'commander';
import pLimit from 'p-limit';
import * as z from 'zod';
import type { CellPlan } from '../../stacks/plan';
import { fittedTable, terminalWidth } from '../fittedTable';
import { inJson } from '../json';
import { print } from '../print';
import { findProject } from '../project';
import { runPulumi } from '../pulumi';
import { cellsOf, existingStacks } from './stacks';

/** The last update of a stack, as `pulumi stack history --json` prints it. */
const update = z.looseObject({
  kind: z.string(),
  result: z.string().optional(),
  startTime: z.string(),
  endTime: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
});

/** The state of one stack of an environment. */
interface StackStatus {
  readonly stack: string;
  /** Undefined for the environment's own stack. */
  readonly wave?: number;
  readonly clusters: number;
  /** Result of the last update: succeeded, failed, in-progress, never or missing. */
  readonly result: string;
  /** Commit of the last update. */
  readonly commit?: string;
  /** Whether files were changed since that commit. */
  readonly isDirty?: boolean;
  readonly updatedAt?: string;
}

export function statusCommand(): Command {
  return new Command('status')
    .description('show the last update of every cell, and what to do next')
    .requiredOption('--stack <name>', 'stack of the environment')
    .option('--json', 'print {"stacks":[…],"next":"…"}', false)
    .addHelpText(
      'after',
      '\nExit code: 0 if the last update of every cell succeeded at the same commit, 1 otherwise.',
    )
    .action(status);
}

async function status({ stack, json }: { stack: string; json: boolean }): Promise<void> {
  const project = findProject(process.cwd());
  const cells = cellsOf(project, stack);
  const existing = await existingStacks(project, stack);
  const limited = pLimit(4);
  const stacks = await Promise.all(
    [undefined, ...cells].map((cell) =>
      limited(() => statusOf(project, cell?.stack ?? stack, cell, existing)),
    ),
  );
  const next = nextOf(stack, stacks);
  print(json ? inJson({ stacks, next }) : tableOf(stacks, next));
  process.exitCode = next === undefined ? 0 : 1;
}

async function statusOf(
  cwd: string,
  stack: string,
  cell: CellPlan | undefined,
  existing: readonly string[],
): Promise<StackStatus> {
  const place = { stack, ...(cell && { wave: cell.wave }), clusters: cell?.clusters.length ?? 0 };
  if (!existing.includes(stack)) return { ...place, result: 'missing' };
  const text = await runPulumi({ name: stack, cwd }, ['stack', 'history', '--json', '--page-size', '10']);
  const last = z
    .array(update)
    .parse(JSON.parse(text))
    .find(({ kind }) => kind === 'update');
  if (last === undefined) return { ...place, result: 'never' };
  const { result = 'in-progress', environment, startTime, endTime = startTime } = last;
  return {
    ...place,
    result,
    ...(environment['git.head'] !== undefined && { commit: environment['git.head'] }),
    ...(environment['git.dirty'] === 'true' && { isDirty: true }),
    updatedAt: endTime,
  };
}

/** Returns what to do next, as a sentence; undefined if nothing is left. */
function nextOf(environment: string, stacks: readonly StackStatus[]): string | undefined {
  const missing = stacks.filter(({ result }) => result === 'missing');
  if (missing.length > 0)
    return `${missing.map(({ stack }) => stack).join(', ')} must be created: \`npx aks-wi fleet move --stack ${environment}\`.`;
  const newest = stacks.find(({ wave }) => wave === undefined)?.commit;
  const behind = stacks.filter(({ result, commit }) => result !== 'succeeded' || commit !== newest);
  if (behind.length === 0) return undefined;
  return `${behind.length} of ${stacks.length} stacks are not at the environment's commit: \`npx aks-wi fleet up --stack ${environment}\`.`;
}

function tableOf(stacks: readonly StackStatus[], next: string | undefined): string {
  const rows = stacks.map(({ stack, wave, clusters, result, commit, isDirty, updatedAt }) => [
    stack,
    wave === undefined ? 'environment' : String(wave),
    wave === undefined ? '' : String(clusters),
    result,
    commit === undefined ? '' : `${commit.slice(0, 9)}${isDirty === true ? ' (changed)' : ''}`,
    updatedAt ?? '',
  ]);
  const table = fittedTable(
    ['stack', 'wave', 'clusters', 'last update', 'commit', 'at'],
    rows,
    [0],
    terminalWidth(),
  );
  return `${table}\n${next === undefined ? 'Every stack is at the same commit.' : `Next: ${next}`}\n`;
}
