import { setTimeout as delay } from 'node:timers/promises';

/** A kubelet takes 60 to 90 seconds. Drivers have an interval of their own, which may be shorter here. */
const republishMs = 5_000;

/** Mounts volumes again and again until the signal aborts, for drivers that renew files only when asked. */
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
