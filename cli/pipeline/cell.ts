import { messageOf } from '../../components/resource/errors';
import { ownVariables } from '../../stacks/settings/ownVariables';
import { cellsWithFiles, hasCells, requireStacks } from '../environments';
import { existingStacks } from '../existingStacks';
import { lastUpdate } from '../lastUpdate';
import { environmentIn } from '../../stacks/cells';
import { errors } from '../localProduct';
import { ownCommand } from '../ownCommand';
import { readStack } from '../project';
import { policyPack } from '../pulumi';
import { printNote, printProblem } from '../print';
import { reportError, UserError } from '../userError';
import { reasonInUse } from './leftLock';
import { headCommit, streamed, wasStopped } from './run';
import { exitCodes } from '../exitCodes';

export const cellCodes = exitCodes['pipeline cell'];

/**
 * Messages of updates that were refused: by the settings, by resources that exist, by the environment of a cell, and by policies.
 * The engine says why an update failed only in words, with exit code 1 (pulumi 3.257); Pulumi's automation API searches the same
 * words (errors.js). The commands of this project also end with 1 for every error (docs/commands.md).
 */
export const refusal = new RegExp(
  `nothing was changed\\.|${errors.exists.source}|the environment of this cell, (is not|was) deployed|no stack named|\\[mandatory\\]`,
);

/** The engine's header of the update, after that of its preview (pulumi 3.257). A later refusal may follow partial changes. */
const updateStarted = /Updating \(/;

/** Result of a verification that was done. */
const failedChecks = /checks passed, [1-9]\d* failed/;

/** Messages about a lock of backends in files and blobs, and of Pulumi Cloud. */
const locked = /the stack is currently locked by|Another update is currently in progress/;

/**
 * Deploys the stack of a cell and verifies it. The stack of the environment has nothing to verify by itself: its cells are
 * verified. Resolves with one of `cellCodes`.
 */
export async function runCell(stack: string, project: string): Promise<number> {
  let isEnvironment: boolean;
  try {
    ({ isEnvironment } = await requireReady(stack, project));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    reportError(error, printProblem);
    return cellCodes.refused;
  }
  let { code, output } = await updated(stack, project);
  if (code !== 0 && locked.test(output)) {
    if (!(await removeLeftLock(stack, project, output))) return cellCodes.locked;
    ({ code, output } = await updated(stack, project));
    if (code !== 0 && locked.test(output)) return cellCodes.locked;
  }
  if (code !== 0)
    return refusal.test(output) && !updateStarted.test(output) ? cellCodes.refused : cellCodes.failed;
  if (isEnvironment) return cellCodes.done;
  const verified = await runVisibly(process.execPath, ownCommand('verify', '--stack', stack), project);
  if (verified.code === 0) return cellCodes.done;
  return failedChecks.test(verified.output) && !wasStopped() ? cellCodes.notVerified : cellCodes.failed;
}

/** A refusal before the update: running the cell again changes nothing about it. */
class Refused extends UserError {}

/**
 * Checks what the update of a stack needs: the commit of the rollout; of an environment, its cells; of a cell, the commit of its
 * environment.
 * @throws Refused, or another error if the backend does not answer now
 */
async function requireReady(stack: string, project: string): Promise<{ isEnvironment: boolean }> {
  const asked = process.env[ownVariables.commit];
  // Without git, the commit is unknown.
  const commit = await headCommit(project).catch(() => undefined);
  if (asked !== undefined && commit !== asked)
    throw new Refused(
      `The rollout is of commit ${asked}, and this is ${commit ?? 'no commit that git can read'}: nothing was changed.`,
      `Check out ${asked}.`,
    );
  const { text } = final(() => readStack(project, stack));
  if (hasCells(text)) {
    const cells = final(() => cellsWithFiles(project, stack));
    const existing = await existingStacks(project, stack);
    final(() => {
      requireStacks(stack, cells, existing);
    });
    return { isEnvironment: true };
  }
  const environment = environmentIn(text);
  const deployed = environment === undefined ? undefined : await deployedCommit(environment, project);
  if (deployed !== undefined && commit !== undefined && deployed !== commit)
    throw new Refused(
      `The environment ${environment} was last deployed at commit ${deployed}, and this is ${commit}: another rollout began, or this one skipped the environment. Nothing was changed.`,
      `Deploy the environment and its cells at one commit: \`npx aks-wi fleet up --stack ${environment}\`.`,
    );
  return { isEnvironment: false };
}

/** Returns what a check does. What it refuses is final. */
function final<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof UserError ? new Refused(error.message, error.hint) : error;
  }
}

/** Returns the commit of the last update of a stack; undefined if it is unknown, or if there is no such stack. */
async function deployedCommit(name: string, cwd: string): Promise<string | undefined> {
  try {
    return (await lastUpdate({ name, cwd }))?.commit;
  } catch (error) {
    // The program reports a missing stack. If the backend does not answer now, it may later: exit code 1.
    if (messageOf(error).includes('no stack named')) return undefined;
    throw error;
  }
}

/**
 * Removes the lock of a stack if a killed pod of this cell left it.
 * @param output what the engine wrote about the lock
 * @returns true if it is removed
 */
async function removeLeftLock(stack: string, cwd: string, output: string): Promise<boolean> {
  const reason = await reasonInUse(output, process.env);
  if (reason !== undefined) {
    printNote(
      `Stack ${stack} is locked, and ${reason}.\n  → Wait for the other update to end. If it was killed, run \`pulumi cancel --yes --stack ${stack}\` and then this again.\n`,
    );
    return false;
  }
  printNote(`A killed pod of this cell left the lock of ${stack}.\n`);
  const code = await streamed('pulumi', ['cancel', '--yes', '--non-interactive', '--stack', stack], cwd);
  printNote(code === 0 ? 'It is removed.\n' : '`pulumi cancel` failed: the lock stays.\n');
  return code === 0;
}

const updated = (stack: string, cwd: string) =>
  runVisibly(
    'pulumi',
    ['up', '--yes', '--non-interactive', '--suppress-outputs', ...policyPack, '--stack', stack],
    cwd,
  );

/** Runs a program, shows its output, and returns it. */
async function runVisibly(
  file: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> {
  let output = '';
  const code = await streamed(file, args, cwd, {
    onOutput(chunk, stream) {
      process[stream].write(chunk);
      output += chunk.toString();
    },
  });
  return { code, output };
}
