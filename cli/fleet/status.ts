import { Command } from 'commander';
import pLimit from 'p-limit';
import * as z from 'zod';
import { messageOf } from '../../components/resource/errors';
import type { CellPlan } from '../../stacks/plan';
import { capture } from '../capture';
import { stacksAtOnce } from '../cells';
import { example } from '../example';
import { fittedTable } from '../fittedTable';
import { inJson } from '../json';
import { lastUpdate } from '../lastUpdate';
import { removeFormerCell, stacksOfOtherCells } from '../stacksOfCells';
import { ownCommand } from '../ownCommand';
import { git } from '../pipeline/run';
import { print, printNote, printProblem } from '../print';
import { findProject, listStacks } from '../project';
import { jobSetTable, nextOfJobSet, readJobSet } from './jobSetStatus';
import { UserError } from '../userError';
import { cellsOf } from '../environments';
import { existingStacks } from '../existingStacks';
import { exitCodes } from '../exitCodes';

/** The state of one stack of an environment. */
interface StackStatus {
  readonly stack: string;
  /** Undefined for the environment's own stack. */
  readonly wave?: number;
  readonly clusters: number;
  /** Result of the last update: succeeded, failed, in-progress, never, missing or unreadable. */
  readonly result: string;
  /** Commit of the last update. */
  readonly commit?: string;
  /** True if files were changed since that commit. */
  readonly isDirty?: boolean;
  readonly updatedAt?: string;
  /** Passed and failed checks of the verification, with `--verify`. */
  readonly verification?: { readonly passed: number; readonly failed: number };
  /** Number of changes from outside of the stack, with `--drift`. */
  readonly drift?: number;
}

export function statusCommand(): Command {
  return new Command('status')
    .description('show the last update of every cell, and what to do next')
    .requiredOption('--stack <name>', 'name of the stack (of the environment)')
    .option('--verify', 'also verify every cell', false)
    .option('--drift', 'also look for drift in every cell', false)
    .option(
      '--jobset-context <name>',
      'context of the kubeconfig (KUBECONFIG) for the cluster whose JobSet rolls the environment out; also show its waves',
    )
    .option('--namespace <name>', 'namespace of the resources', 'fleet')
    .option('--json', 'print JSON: {"stacks":[…],"jobSet":{…},"uncommitted":[…],"next":"…"}', false)
    .addHelpText(
      'after',
      '\nExit code: 0 if the last update of every stack succeeded at the same commit, no check failed and the JobSet is complete, 1 otherwise.',
    )
    .addHelpText('after', example('fleet status --stack prod --verify'))
    .action(status);
}

interface StatusFlags {
  stack: string;
  verify: boolean;
  drift: boolean;
  json: boolean;
  namespace: string;
  jobsetContext?: string;
}

async function status({ stack, json, namespace, jobsetContext, ...asked }: StatusFlags): Promise<void> {
  const project = findProject(process.cwd());
  const cells = cellsOf(project, stack);
  const jobSet = jobsetContext === undefined ? undefined : await readJobSet(stack, namespace, jobsetContext);
  if (jobsetContext !== undefined && jobSet === undefined)
    printNote(`The namespace ${namespace} of ${jobsetContext} has no JobSet of ${stack}.\n`);
  const existing = await existingStacks(project, stack);
  const limited = pLimit(stacksAtOnce);
  const stacks = await Promise.all(
    [undefined, ...cells].map((cell) =>
      limited(async () => {
        const name = cell?.stack ?? stack;
        try {
          return await withChecks(project, await statusOf(project, name, cell, existing), asked);
        } catch (error) {
          printProblem(`warning: ${name} cannot be read: ${messageOf(error)}\n`);
          return { ...placeOf(name, cell), result: 'unreadable' };
        }
      }),
    ),
  );
  for (const name of stacksOfOtherCells(project, stack, cells).filter((other) => existing.includes(other)))
    printNote(`note: ${name} is no longer a cell of ${stack}. ${removeFormerCell(stack, name)}\n`);
  const uncommitted = await uncommittedFiles(project, [stack, ...cells.map((cell) => cell.stack)]);
  if (uncommitted.length > 0) printNote(`note: Not committed: ${uncommitted.join(', ')}.\n`);
  const next = (jobSet && nextOfJobSet(jobSet)) ?? nextOf(stack, stacks);
  if (json) print(inJson({ stacks, ...(jobSet && { jobSet }), uncommitted, next }));
  else print(`${jobSet === undefined ? '' : jobSetTable(jobSet)}${tableOf(stacks, next)}`);
  process.exitCode = exitCodes['fleet status'][next === undefined ? 'done' : 'failed'];
}

/** Returns the stack files that differ from those of the last commit; none outside of a git repository. */
async function uncommittedFiles(project: string, stacks: readonly string[]): Promise<string[]> {
  const all = listStacks(project);
  const files = stacks.flatMap((name) => all.get(name) ?? []);
  const text = await git(project, 'status', '--porcelain', '--no-renames', '--', ...files).catch(() => '');
  const changed = text.split('\n');
  return files.filter((file) =>
    changed.some((line) => line.endsWith(`/${file}`) || line.endsWith(` ${file}`)),
  );
}

const placeOf = (stack: string, cell: CellPlan | undefined) => ({
  stack,
  ...(cell && { wave: cell.wave }),
  clusters: cell?.clusters.length ?? 0,
});

async function statusOf(
  cwd: string,
  stack: string,
  cell: CellPlan | undefined,
  existing: readonly string[],
): Promise<StackStatus> {
  const place = placeOf(stack, cell);
  if (!existing.includes(stack)) return { ...place, result: 'missing' };
  const last = await lastUpdate({ name: stack, cwd });
  if (last === undefined) return { ...place, result: 'never' };
  const { result, commit, isDirty, time: updatedAt } = last;
  return {
    ...place,
    result,
    ...(commit !== undefined && { commit }),
    ...(isDirty && { isDirty }),
    updatedAt,
  };
}

/** Adds the results of the commands that ask Azure, in processes of their own. */
async function withChecks(
  cwd: string,
  status: StackStatus,
  asked: Pick<StatusFlags, 'verify' | 'drift'>,
): Promise<StackStatus> {
  if (status.wave === undefined || ['missing', 'never'].includes(status.result)) return status;
  const answer = async (command: string): Promise<unknown> => {
    const args = ownCommand(command, '--stack', status.stack, '--json');
    const { stdout, stderr } = await capture(process.execPath, args, { cwd });
    if (stdout.startsWith('{')) return JSON.parse(stdout);
    throw new UserError(
      `The ${command} of ${status.stack} failed: ${stderr.trim()}`,
      `Run \`npx aks-wi ${command} --stack ${status.stack}\`.`,
    );
  };
  return {
    ...status,
    ...(asked.verify && { verification: verified.parse(await answer('verify')) }),
    ...(asked.drift && { drift: drifted.parse(await answer('drift')).drift.length }),
  };
}

const verified = z.object({ passed: z.number(), failed: z.number() });
const drifted = z.object({ drift: z.array(z.unknown()) });

/** Returns what to do next, as a sentence; undefined if nothing is left. */
function nextOf(environment: string, stacks: readonly StackStatus[]): string | undefined {
  const missing = stacks.filter(({ result }) => result === 'missing');
  if (missing.length > 0)
    return `${missing.map(({ stack }) => stack).join(', ')} must be created: \`npx aks-wi fleet move --stack ${environment}\`.`;
  const unread = stacks.filter(({ result }) => result === 'unreadable');
  if (unread.length > 0)
    return `${unread.map(({ stack }) => stack).join(', ')} cannot be read: see the warning.`;
  const newest = stacks.find(({ wave }) => wave === undefined)?.commit;
  const behind = stacks.filter(({ result, commit }) => result !== 'succeeded' || commit !== newest);
  const failing = stacks.find(({ verification }) => (verification?.failed ?? 0) > 0);
  const changed = stacks.find(({ drift }) => (drift ?? 0) > 0);
  if (behind.length === 0 && failing !== undefined)
    return `The verification of ${failing.stack} fails: \`npx aks-wi verify --stack ${failing.stack}\`.`;
  if (behind.length === 0 && changed !== undefined)
    return `${changed.stack} was changed from outside: \`npx aks-wi drift --stack ${changed.stack}\`.`;
  if (behind.length === 0) return undefined;
  return `${behind.length} of ${stacks.length} stacks are not at the environment's commit: \`npx aks-wi fleet up --stack ${environment}\`.`;
}

function tableOf(stacks: readonly StackStatus[], next: string | undefined): string {
  const hasVerification = stacks.some(({ verification }) => verification !== undefined);
  const hasDrift = stacks.some(({ drift }) => drift !== undefined);
  const further = [...(hasVerification ? ['verification'] : []), ...(hasDrift ? ['drift'] : [])];
  const rows = stacks.map(({ stack, wave, clusters, result, commit, isDirty, updatedAt, ...checks }) => [
    stack,
    wave === undefined ? 'environment' : String(wave),
    wave === undefined ? '' : String(clusters),
    result,
    commit === undefined ? '' : `${commit.slice(0, 9)}${isDirty === true ? ' (changed)' : ''}`,
    updatedAt ?? '',
    ...(hasVerification ? [verdictOf(checks.verification)] : []),
    ...(hasDrift ? [changesOf(checks.drift)] : []),
  ]);
  const table = fittedTable(
    ['stack', 'wave', 'clusters', 'last update', 'commit', 'at', ...further],
    rows,
    [0],
  );
  const changed = stacks.filter(({ isDirty }) => isDirty === true).map(({ stack }) => stack);
  const beside =
    changed.length === 0 ? '' : ` Deployed with changes that are not committed: ${changed.join(', ')}.`;
  return `${table}\n${next === undefined ? `Every stack is at the same commit.${beside}` : `Next: ${next}`}\n`;
}

function verdictOf(verification: StackStatus['verification']): string {
  if (verification === undefined) return '';
  const { passed, failed } = verification;
  return failed === 0 ? `${passed} passed` : `${failed} of ${passed + failed} failed`;
}

function changesOf(drift: number | undefined): string {
  if (drift === undefined) return '';
  return drift === 1 ? '1 change' : `${drift} changes`;
}
