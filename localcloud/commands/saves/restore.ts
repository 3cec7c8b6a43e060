import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { locateInstance, type Instance } from '../../daemon/instance';
import { acquireLock } from '../../lock';
import { openInstanceToolchain } from '../context';
import { interruption } from '../progress';
import { checkRequirements, checkSpace } from '../requirements';
import { hasState } from '../status';
import { provideToolchain } from '../toolchainBuild';
import { UserError } from '../../userError';
import { exclusively, workLock } from '../workLock';
import { commandLine, variable } from '../../project';
import { assignAddresses, rewriteStacks } from './addresses';
import { copyState } from './copy';
import { differences, type SaveManifest } from './manifest';
import { damagedSave, requireSave, savedState, type Save } from './place';
import { startAgain, whileStopped } from './stopped';
import { versionsHere } from './versions';
import { reason } from '../../logger';

/**
 * Replaces the state with a save, and starts the local cloud. After a failure, either the old state or the saved one is
 * in place. After a kill between the two renames, neither is; the save can be restored again.
 */
export async function restoreCloud(
  instance: Instance,
  save: Save,
  agreed: (effect: string) => Promise<boolean>,
): Promise<SaveManifest | undefined> {
  checkRequirements();
  const manifest = requireSave(instance, save);
  const versions = await versionsHere(instance, openInstanceToolchain(instance));
  refuseOtherVersions(save, differences(manifest, versions));
  const lost = `this would replace the state of the local cloud in ${instance.folder}, which you can save first (${commandLine('cloud save NAME')})`;
  if (hasState(instance) && !(await agreed(lost))) return undefined;
  await exclusively(instance, 'cloud restore', async () => {
    checkSpace(instance);
    const toolchain = await provideToolchain(instance);
    const staged = stagedRestore(instance);
    const stopped = interruption();
    try {
      await rm(staged.stateRoot, { recursive: true, force: true });
      // The current local cloud still runs meanwhile.
      await stage(save, manifest, staged, stopped.signal);
      await rewriteStacks(staged, toolchain, await assignAddresses(staged, instance));
      stopped.signal.throwIfAborted();
      await whileStopped(instance, () => replace(instance, staged));
    } finally {
      stopped.dispose();
      await rm(staged.stateRoot, { recursive: true, force: true });
    }
    await startAgain(instance).catch((error: unknown) => {
      throw new UserError(
        `The save ${save.name} is restored, but the local cloud does not start: ${reason(error)}`,
        `The save may be damaged: restore another one, or run ${commandLine('clean')} and deploy again.`,
      );
    });
  });
  return manifest;
}

/**
 * Returns the place of the restored state before it is moved into its own. It is inside the local cloud's state folder, and
 * so on the same disk.
 */
export const stagedRestore = ({
  projectRoot,
  stateRoot,
}: Pick<Instance, 'projectRoot' | 'stateRoot'>): Instance =>
  locateInstance(projectRoot, { ...process.env, [variable('STATE')]: path.join(stateRoot, 'restoring') });

async function stage(
  save: Save,
  manifest: SaveManifest,
  { folder }: Instance,
  signal: AbortSignal,
): Promise<void> {
  const from = savedState(save);
  if (!existsSync(from)) throw damagedSave(save, 'it has no state');
  const { files, bytes } = await copyState(from, folder, signal);
  if (files === manifest.files && bytes === manifest.bytes) return;
  throw damagedSave(
    save,
    `it has ${files} files with ${bytes} bytes instead of ${manifest.files} with ${manifest.bytes}`,
  );
}

async function replace(instance: Instance, staged: Instance): Promise<void> {
  // The staged state is locked first: the callers release their locks by path, and after the renames these paths lead to
  // the files of the staged state.
  for (const lock of [workLock(staged), staged.lockFile]) acquireLock(lock);
  const replaced = path.join(staged.stateRoot, 'replaced');
  await rename(instance.folder, replaced);
  try {
    await rename(staged.folder, instance.folder);
  } catch (error) {
    await rename(replaced, instance.folder);
    throw error;
  }
}

function refuseOtherVersions({ name }: Save, differing: string[]): void {
  if (differing.length === 0) return;
  throw new UserError(
    `The save ${name} does not fit this version: ${differing.join('; ')}.`,
    `Check out the version that made the save. Or deploy again, for example with ${commandLine('up')}, and replace the save: ${commandLine(`cloud save ${name} --yes`)}.`,
  );
}
