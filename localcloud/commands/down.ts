import { rmSync } from 'node:fs';
import type { Instance } from '../daemon/instance';
import { endProcesses, processesWith } from '../daemon/processes';
import { stopCloud } from './cloud';
import { ENGINE_VARIABLE } from './runPulumi';
import { stagedRestore } from './saves/restore';
import { exclusively } from './workLock';

/** Stops everything that belongs to the local cloud; the state stays. Resolves with whether anything was running. */
export function down(instance: Instance): Promise<boolean> {
  return exclusively(instance, 'down', () => stop(instance));
}

/**
 * Stops everything and deletes the state. The saves stay, because the user put them aside. The toolchain's cache stays,
 * because other checkouts share it.
 */
export function clean(instance: Instance): Promise<void> {
  // One lock for both steps, so that nothing is started in between.
  return exclusively(instance, 'clean', async () => {
    await stop(instance);
    for (const folder of [instance.folder, instance.chartsDir, stagedRestore(instance).stateRoot])
      rmSync(folder, { recursive: true, force: true });
  });
}

async function stop(instance: Instance): Promise<boolean> {
  await endProcesses(processesWith(ENGINE_VARIABLE, instance.folder), 10_000);
  return stopCloud(instance);
}
