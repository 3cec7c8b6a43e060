import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { LOCAL_STACK } from '../daemon/instance';
import { identifyProcess } from '../daemon/processes';
import { lockPids, pendingOperations, removeHalfWritten, stackExists } from './backendState';
import { importCandidates, settlePendingOperations } from './pendingCreates';
import type { PulumiContext } from './runPulumi';
import { capturePulumi, streamPulumi } from './runPulumi';
import { parseCommitted } from './stackDocument';
import { effectiveStackFile, readSalt, secretValuePath } from './stackFile';
import { VisibleError } from './visibleError';

/** Refuses a committed stack file that is missing or no configuration at all, before anything is begun. */
export function checkCommitted(instance: Pick<Instance, 'projectRoot'>): void {
  parseCommitted(readCommitted(instance));
}

/** Writes the configuration that the engine gets, and makes the stack and missing secrets once. */
export async function prepareStack(context: PulumiContext): Promise<void> {
  const { instance } = context;
  mkdirSync(instance.pulumiBackend, { recursive: true });
  const previous = readIfThere(instance.stackFile);
  const { text, missing } = effectiveStackFile(
    readCommitted(instance),
    previous,
    `./${path.relative(instance.projectRoot, instance.stateRoot)}`,
  );
  if (text !== previous) writeWhole(instance.stackFile, text);
  if (!stackExists(instance)) await createStack(context);
  for (const name of missing) {
    await capturePulumi(
      context,
      [
        'config',
        'set',
        '--secret',
        '--path',
        secretValuePath(name),
        '--non-interactive',
        ...stackFlags(instance),
      ],
      // By standard input: a command line is visible to every user of the machine.
      { input: randomBytes(24).toString('base64url') },
    );
  }
}

/** The stack and its configuration file, for the engine's commands that take both. */
export function stackFlags(instance: Pick<Instance, 'stackFile'>): string[] {
  return ['--stack', LOCAL_STACK, '--config-file', instance.stackFile];
}

/**
 * `pulumi stack init` writes the salt into the stack file beside Pulumi.yaml and takes no other file, so it
 * runs in a folder of its own, with copies of both; the committed file stays as it is.
 */
async function createStack(context: PulumiContext): Promise<void> {
  const { instance } = context;
  const folder = mkdtempSync(path.join(instance.folder, 'init-'));
  const copy = path.join(folder, path.basename(instance.stackFile));
  try {
    copyFileSync(path.join(instance.projectRoot, 'Pulumi.yaml'), path.join(folder, 'Pulumi.yaml'));
    copyFileSync(instance.stackFile, copy);
    await capturePulumi(context, ['stack', 'init', LOCAL_STACK, '--non-interactive'], { cwd: folder });
    if (readSalt(readFileSync(copy, 'utf8')) !== undefined) renameSync(copy, instance.stackFile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Frees a stack whose last run was killed; refuses one that is being worked on. */
export async function unlockStack(context: PulumiContext): Promise<void> {
  const { instance } = context;
  if (!stackExists(instance)) return;
  const pids = lockPids(instance);
  const alive = pids.find((pid) => pid !== 0 && isPulumi(pid));
  if (alive !== undefined) {
    throw new VisibleError(
      `Another pulumi (process ${alive}) is working on stack ${LOCAL_STACK}.`,
      'Wait for it to end, or end it, and run the command again.',
    );
  }
  removeHalfWritten(instance);
  if (pids.length > 0) await capturePulumi(context, ['cancel', LOCAL_STACK, '--yes', '--non-interactive']);
}

/** Finds out what became of the operations that a killed run had begun. */
export async function settleStack(context: PulumiContext): Promise<void> {
  const { instance } = context;
  const pending = pendingOperations(instance);
  if (pending.length > 0) {
    const candidates = importCandidates(pending, context.env.ARM_SUBSCRIPTION_ID ?? '');
    const text = await capturePulumi(context, ['stack', 'export', '--stack', LOCAL_STACK]);
    const settled = settlePendingOperations(text, candidates);
    await capturePulumi(context, ['stack', 'import', '--stack', LOCAL_STACK], { input: settled });
    const code = await streamPulumi(context, [
      'refresh',
      '--yes',
      '--skip-preview',
      '--non-interactive',
      ...stackFlags(instance),
    ]);
    if (code !== 0) {
      throw new VisibleError(
        'The stack could not be read from the local cloud.',
        'Run `make clean`, then `make up`.',
      );
    }
  }
}

function isPulumi(pid: number): boolean {
  if (identifyProcess(pid) === undefined) return false;
  return readIfThere(`/proc/${pid}/comm`)?.trim() === 'pulumi';
}

function readCommitted(instance: Pick<Instance, 'projectRoot'>): string {
  const name = `Pulumi.${LOCAL_STACK}.yaml`;
  const remedy = `Get it back with \`git checkout ${name}\` and run the command again.`;
  let text: string | undefined;
  try {
    text = readIfThere(path.join(instance.projectRoot, name));
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new VisibleError(`${name} cannot be read: ${told}.`, remedy);
  }
  if (text === undefined)
    throw new VisibleError(`${name}, the configuration of the stack, is missing.`, remedy);
  return text;
}

function writeWhole(file: string, text: string): void {
  const staging = `${file}.${process.pid}`;
  writeFileSync(staging, text, { mode: 0o600 });
  renameSync(staging, file);
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
