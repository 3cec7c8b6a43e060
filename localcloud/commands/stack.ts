import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Document } from 'yaml';
import * as z from 'zod';
import type { Instance } from '../daemon/instance';
import { identifyProcess } from '../processIdentity';
import { writeWhole } from '../writeWhole';
import { stackExists } from './backendFiles';
import { lockPids, pendingOperations, removeHalfWritten } from './backendState';
import { importCandidates, settlePendingOperations } from './pendingCreates';
import { noStack, rememberSource, upCommand, type LocalStack } from './localStack';
import type { Product } from './product';
import type { PulumiContext } from './runPulumi';
import { capturePulumi, streamPulumi } from './runPulumi';
import { parseCommitted } from './stackDocument';
import { effectiveStackFile, readSalt, secretValuePath } from './stackFile';
import { UserError } from '../userError';
import { reason } from '../logger';
import { commandLine } from '../project';

/** Returns the committed stack file; refuses one that is missing or not a mapping. */
export function checkCommitted(
  instance: Pick<Instance, 'projectRoot' | 'pulumiBackend'>,
  stack: LocalStack,
): Document {
  return parseCommitted(readCommitted(instance, stack), stack.source);
}

/** Writes the engine's stack file, and creates the stack and secret values that are missing. */
export async function prepareStack(
  context: PulumiContext,
  { secretNames }: Pick<Product, 'secretNames'>,
): Promise<void> {
  const { instance, stack } = context;
  mkdirSync(instance.pulumiBackend, { recursive: true });
  const previous = readIfThere(stack.file);
  const asideFile = path.join(instance.folder, 'unnamed-values', `${stack.name}.json`);
  const { text, missing, aside } = effectiveStackFile(readCommitted(instance, stack), {
    name: stack.source,
    previous,
    aside: readAside(asideFile),
    stateFolder: `./${path.relative(instance.projectRoot, instance.stateRoot)}`,
    secretNames: (config) =>
      secretNames(config, stack.name, (file) => readIfPossible(path.resolve(instance.projectRoot, file))),
  });
  // Written before the stack file, so that an interruption in between loses no value.
  if (Object.keys(aside).length > 0 || existsSync(asideFile)) {
    mkdirSync(path.dirname(asideFile), { recursive: true, mode: 0o700 });
    writeWhole(asideFile, `${JSON.stringify(aside)}\n`);
  }
  if (text !== previous) writeWhole(stack.file, text);
  rememberSource(instance, stack);
  if (!stackExists(instance, stack.name)) await createStack(context);
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
        ...stackFlags(stack),
      ],
      // Through standard input, because every user of the machine can see command lines.
      { input: randomBytes(24).toString('base64url') },
    );
  }
  if (missing.length > 0)
    process.stderr.write(
      `note: the local cloud generated values for ${missing.join(', ')}, which the stack file lacks. On Azure, each needs a value.\n`,
    );
}

/** Returns encrypted values by name; none if the file is missing or damaged, so that new ones are generated. */
function readAside(file: string): Record<string, string> {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

/** Returns pulumi's options for the stack and its configuration file. */
export function stackFlags({ name, file }: LocalStack): string[] {
  return ['--stack', name, '--config-file', file];
}

/**
 * Creates the stack. `pulumi stack init` writes the salt into the stack file next to Pulumi.yaml and accepts no
 * other file, so it runs in a temporary folder with copies of both. The committed file is not changed.
 */
async function createStack(context: PulumiContext): Promise<void> {
  const { instance, stack } = context;
  const folder = mkdtempSync(path.join(instance.folder, 'init-'));
  const copy = path.join(folder, path.basename(stack.file));
  try {
    copyFileSync(path.join(instance.projectRoot, 'Pulumi.yaml'), path.join(folder, 'Pulumi.yaml'));
    copyFileSync(stack.file, copy);
    await capturePulumi(context, ['stack', 'init', stack.name, '--non-interactive'], { cwd: folder });
    if (readSalt(readFileSync(copy, 'utf8')) !== undefined) renameSync(copy, stack.file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Refuses a stack that an update is changing. */
export function refuseDuringUpdate(instance: Instance, { name }: Pick<LocalStack, 'name'>): void {
  const alive = lockPids(instance, name).find((pid) => pid !== 0 && isPulumi(pid));
  if (alive === undefined) return;
  throw new UserError(
    `Stack ${name} is being updated by pulumi (process ${alive}).`,
    'Wait for it to end, or stop it, and run the command again.',
  );
}

/** Unlocks a stack whose last run was killed; refuses one that is in use. */
export async function unlockStack(context: PulumiContext): Promise<void> {
  const { instance, stack } = context;
  if (!stackExists(instance, stack.name)) return;
  refuseDuringUpdate(instance, stack);
  removeHalfWritten(instance, stack.name);
  if (lockPids(instance, stack.name).length > 0)
    await capturePulumi(context, ['cancel', stack.name, '--yes', '--non-interactive']);
}

/** Resolves the pending operations of a killed run. */
export async function settleStack(context: PulumiContext): Promise<void> {
  const { instance, stack } = context;
  const pending = pendingOperations(instance, stack.name);
  if (pending.length > 0) {
    const candidates = importCandidates(pending, context.env.ARM_SUBSCRIPTION_ID ?? '');
    const text = await capturePulumi(context, ['stack', 'export', '--stack', stack.name]);
    const settled = settlePendingOperations(text, candidates);
    await capturePulumi(context, ['stack', 'import', '--stack', stack.name], { input: settled });
    const code = await streamPulumi(context, [
      'refresh',
      '--yes',
      '--skip-preview',
      '--non-interactive',
      ...stackFlags(stack),
    ]);
    if (code !== 0) {
      throw new UserError(
        `An update of stack ${stack.name} was interrupted, and the refresh after it failed.`,
        `Run ${commandLine('clean')}, then \`${upCommand(stack)}\`.`,
      );
    }
  }
}

function isPulumi(pid: number): boolean {
  if (identifyProcess(pid) === undefined) return false;
  return readIfThere(`/proc/${pid}/comm`)?.trim() === 'pulumi';
}

function readCommitted(
  instance: Pick<Instance, 'projectRoot' | 'pulumiBackend'>,
  { name, source }: Pick<LocalStack, 'name' | 'source'>,
): string {
  const hint = `Get it back with \`git checkout ${source}\`, or name another with --file, and run the command again.`;
  let text: string | undefined;
  try {
    text = readIfThere(path.resolve(instance.projectRoot, source));
  } catch (error) {
    const message = reason(error);
    throw new UserError(`${source} cannot be read: ${message}.`, hint);
  }
  if (text === undefined && source === `Pulumi.${name}.yaml` && !stackExists(instance, name))
    throw noStack(instance, name);
  if (text === undefined)
    throw new UserError(`${source}, the configuration of stack ${name}, is missing.`, hint);
  return text;
}

/** Returns the text of a file that a configuration references; undefined if it cannot be read, which the program reports. */
function readIfPossible(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
