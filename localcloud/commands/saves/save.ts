import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../../daemon/instance';
import { readServing } from '../../daemon/runFile';
import { stackNames } from '../backendFiles';
import { openInstanceToolchain } from '../context';
import { interruption } from '../progress';
import { checkRequirements, checkSpace } from '../requirements';
import { hasState } from '../status';
import { UserError } from '../../userError';
import { exclusively } from '../workLock';
import { copyState } from './copy';
import { writeManifest, type SaveManifest } from './manifest';
import { wouldReplace, savedState, type Save } from './place';
import { startAgain, whileStopped } from './stopped';
import { versionsHere } from './versions';
import { reason } from '../../logger';
import { commandLine } from '../../project';

/**
 * Copies the state to a save; resolves with undefined if the user does not agree. A running local cloud is stopped
 * meanwhile, so that the stores of Azure, the clusters and the stacks are consistent, and so that no controller holds a
 * lease for which the next one would have to wait.
 */
export async function saveCloud(
  instance: Instance,
  save: Save,
  agreed: (effect: string) => Promise<boolean>,
): Promise<SaveManifest | undefined> {
  checkRequirements();
  if (!hasState(instance)) {
    throw new UserError(
      'The local cloud has no state yet, so there is nothing to save.',
      `Deploy something first, for example with ${commandLine('up')}.`,
    );
  }
  if (wouldReplace(save) && !(await agreed(`this would replace the existing save ${save.name}`)))
    return undefined;
  return exclusively(instance, 'cloud save', async () => {
    checkSpace(instance);
    const versions = await versionsHere(instance, openInstanceToolchain(instance));
    refuseUnwritable(path.dirname(save.folder));
    const ran = readServing(instance.runFile) !== undefined;
    const stopped = interruption();
    try {
      return await whileStopped(instance, () => write(instance, save, versions, stopped.signal));
    } finally {
      stopped.dispose();
      if (ran) await startAgain(instance);
    }
  });
}

/** Refuses a folder that is not writable, before the local cloud is stopped. */
function refuseUnwritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UserError(
      `Cannot save in ${folder}: ${reason(error)}.`,
      'Name another folder, or make this one writable.',
    );
  }
}

/** Writes the save beside its place and renames it, so that it is complete or absent. */
async function write(
  instance: Instance,
  save: Save,
  versions: Record<string, string>,
  signal: AbortSignal,
): Promise<SaveManifest> {
  const parent = path.dirname(save.folder);
  // The dot keeps these folders out of the list of saves: no save's name begins with one.
  const [unfinished, replaced] = ['unfinished', 'replaced'].map((kind) =>
    path.join(parent, `.${path.basename(save.folder)}.${kind}`),
  ) as [string, string];
  for (const folder of [unfinished, replaced]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  try {
    const extent = await copyState(instance.folder, savedState({ ...save, folder: unfinished }), signal);
    const savedAt = new Date().toISOString();
    const manifest = { savedAt, versions, stacks: stackNames(instance), ...extent };
    writeManifest(unfinished, manifest);
    if (existsSync(save.folder)) renameSync(save.folder, replaced);
    renameSync(unfinished, save.folder);
    return manifest;
  } finally {
    for (const folder of [unfinished, replaced]) rmSync(folder, { recursive: true, force: true });
  }
}
