import type { Instance } from '../../daemon/instance';
import { acquireLock } from '../../lock';
import { ArmClient } from '../armClient';
import { stackNames } from '../backendFiles';
import { logFile, startCloud, stopCloud } from '../cloud';
import { refuseDuringUpdate } from '../stack';
import { UserError } from '../../userError';

/** Time limit for pods to become ready again once the clusters serve. A program that lost its lease waits a minute for it. */
const podsLimitMilliseconds = 120_000;

/** Stops the local cloud and keeps it from starting while `work` runs. Refuses during an update of a stack. */
export async function whileStopped<T>(instance: Instance, work: () => Promise<T>): Promise<T> {
  for (const name of stackNames(instance)) refuseDuringUpdate(instance, { name });
  await stopCloud(instance);
  const release = acquireLock(instance.lockFile);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Starts the local cloud. Resolves when its clusters serve and all pods that were ready before it stopped are ready again. */
export async function startAgain(instance: Instance): Promise<void> {
  const client = new ArmClient(instance, await startCloud(instance));
  const pods = await client.unreadyPods();
  const deadline = performance.now() + podsLimitMilliseconds;
  for (let unready = pods; unready.length > 0; unready = await client.unreadyPods()) {
    if (performance.now() > deadline) {
      throw new UserError(
        `The local cloud runs, but after ${podsLimitMilliseconds / 1000} s these pods are not ready again: ${unready.map(({ cluster, pod }) => `${pod} (${cluster})`).join(', ')}.`,
        `See their logs with \`kubectl logs\`, and ${logFile(instance)}.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
