import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between mounts. A kubelet waits 60 to 90 s. Drivers also have their own interval, which may be shorter. */
const republishMs = 5_000;

/** Mounts volumes repeatedly until the signal aborts, for drivers that renew files only when they are asked. */
export async function keepPublished(
  republish: () => Promise<void>,
  failed: (error: unknown) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (await delay(republishMs, true, { signal, ref: false }).catch(() => false)) {
    try {
      await republish();
    } catch (error) {
      if (!signal.aborted) await failed(error);
    }
  }
}
