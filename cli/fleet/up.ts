import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { lastUpdate } from '../lastUpdate';
import { confirmed, withChangeFlags, type ChangeFlags } from '../change';
import { example } from '../example';
import { ownCommand } from '../ownCommand';
import { headCommit, streamed, wasStopped } from '../pipeline/run';
import { printNote, printProblem } from '../print';
import { findProject } from '../project';
import { ownVariables } from '../../stacks/settings/ownVariables';
import { nextStep, outcomeOf, rollOut, wavesOf, type Outcome } from './rollout';
import { cellsWithFiles, requireStacks } from '../environments';
import { existingStacks } from '../existingStacks';
import { parallelOption } from './parallelOption';
import { amount } from './words';
import { exitCodes } from '../exitCodes';

interface UpFlags extends ChangeFlags {
  stack: string;
  parallel: number;
}

export function upCommand(): Command {
  const command = new Command('up')
    .description(
      'deploy the environment, then its cells wave by wave; each cell is verified, and the next wave begins when all cells are verified',
    )
    .requiredOption('--stack <name>', 'name of the stack (of the environment)')
    .addOption(parallelOption())
    .addHelpText(
      'after',
      '\nIt can be run again at any time: it continues, and does nothing where nothing has changed.\nExit code: 0 if every cell is deployed and verified, 1 otherwise.',
    );
  command.addHelpText('after', example('fleet up --stack prod --parallel 8'));
  return withChangeFlags(command).action(up);
}

async function up({ stack, parallel: asked, ...change }: UpFlags): Promise<void> {
  // The local cloud runs one command that changes stacks at a time.
  const parallel = process.env[ownVariables.pulumi] === undefined ? asked : 1;
  const project = findProject(process.cwd());
  const cells = cellsWithFiles(project, stack);
  requireStacks(stack, cells, await existingStacks(project, stack));
  const waves = wavesOf(cells).map((wave) => wave.map((cell) => cell.stack));
  const effect = `${stack} and its ${amount(cells.length, 'cell')} would be updated in ${amount(waves.length, 'wave')}`;
  if (!(await confirmed(change, 'deployed', effect))) return;
  const commit = await commitOf(project);
  const logs = path.join(project, '.state', 'fleet');
  mkdirSync(logs, { recursive: true });
  const others = new Set<string>();
  // Every rollout begins with the stack of the environment. So another one has begun if its last update is not of this one.
  let own: string | undefined;
  const updateOf = () =>
    lastUpdate({ name: stack, cwd: project }).then(
      (update) => update?.time,
      () => own,
    );
  const outcomes = await rollOut(
    [[stack], ...waves],
    async (name) => {
      // Also between the cells of a wave: they do not all begin at once.
      if ((await commitOf(project)) !== commit) {
        others.add(name);
        return 'not started';
      }
      const outcome = await runStack(project, name, name === stack, path.join(logs, `${name}.log`));
      if (name === stack) own = await updateOf();
      return outcome;
    },
    parallel,
    (wave) => {
      if (wave > 1) printNote(`wave ${wave - 1} of ${waves.length}: ${(waves[wave - 2] ?? []).join(', ')}\n`);
    },
  );
  const isOvertaken = own !== undefined && (await updateOf()) !== own;
  if (isOvertaken)
    printProblem(
      `error: Another rollout of ${stack} began, so its cells may be at another commit.\n  → Wait until it ends, then start over: \`npx aks-wi fleet up --stack ${stack}\`.\n`,
    );
  if (others.size > 0)
    printProblem(
      `error: Another commit was checked out during the rollout, before ${[...others].join(', ')}.\n  → Check out ${commit ?? ''} again, or start over: \`npx aks-wi fleet up --stack ${stack}\`.\n`,
    );
  const open = [...outcomes].filter(([, outcome]) => outcome !== 'done');
  for (const [name, outcome] of open)
    printProblem(`${name}: ${outcome}. ${nextStep(name, outcome, stack)}\n`);
  const logged = path.relative(process.cwd(), logs) || '.';
  const isDone = open.length === 0 && !isOvertaken;
  printNote(
    isDone
      ? `${stack} and its ${amount(cells.length, 'cell')} are deployed and verified.\n`
      : `${outcomes.size - open.length} of ${outcomes.size} stacks are done. Logs: ${logged}\n`,
  );
  process.exitCode = exitCodes['fleet up'][isDone ? 'done' : 'failed'];
}

/** Undefined outside of a git repository. */
const commitOf = (project: string): Promise<string | undefined> => headCommit(project).catch(() => undefined);

/** Number of characters at the end of the log that are shown of a stack that is not done. */
const shownOfLog = 3000;

/** Runs one stack in a process of its own. The environment's stack has nothing to verify by itself. */
async function runStack(cwd: string, stack: string, isEnvironment: boolean, log: string): Promise<Outcome> {
  if (wasStopped()) return 'not started';
  const start = performance.now();
  const output = openSync(log, 'w', 0o600);
  let end = '';
  const args = ownCommand(...commandOf(stack, isEnvironment));
  const code = await streamed(process.execPath, args, cwd, {
    onOutput(chunk) {
      writeSync(output, chunk);
      end = (end + chunk.toString()).slice(-shownOfLog);
    },
  });
  closeSync(output);
  const outcome = outcomeOf(code);
  const seconds = Math.round((performance.now() - start) / 1000);
  const lines =
    outcome === 'done'
      ? []
      : end
          .trimEnd()
          .split('\n')
          .map((line) => `    ${line}`);
  printNote([`  ${stack}: ${outcome} (${seconds} s)`, ...lines, ''].join('\n'));
  return outcome;
}

/** The local cloud prepares a stack before it deploys it, and has its own command for both. */
function commandOf(stack: string, isEnvironment: boolean): string[] {
  if (process.env[ownVariables.pulumi] !== undefined)
    return ['up', '--stack', stack, ...(isEnvironment ? ['--no-verify'] : [])];
  return ['pipeline', 'cell', '--stack', stack];
}
