import { rmSync } from 'node:fs';
import type { Instance } from '../daemon/instance';
import { endProcesses, processesWith } from '../daemon/processes';
import { stopCloud } from './cloud';
import { ENGINE_VARIABLE } from './runPulumi';
import { exclusively } from './workLock';

/** Stops everything that belongs to the local cloud; the state stays. */
export function down(instance: Instance): Promise<boolean> {
  return exclusively(instance, 'down', async () => {
    await endProcesses(processesWith(ENGINE_VARIABLE, instance.folder), 10_000);
    return stopCloud(instance);
  });
}

/** Stops everything and removes the state. What was built stays in the cache, which other checkouts share. */
export async function clean(instance: Instance): Promise<void> {
  await down(instance);
  rmSync(instance.folder, { recursive: true, force: true });
  rmSync(instance.chartsDir, { recursive: true, force: true });
}
