import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster, Location } from '../client/cluster';
import type { JsonObject } from '../json';
import type { Readiness, ReadinessCheck } from './readiness';

/** The error for an object that exists but is not ready. */
export class NotReady extends Error {
  override name = 'NotReady';

  constructor(
    /** The object when it was last read. */
    readonly object: JsonObject,
    readonly reasons: string[],
  ) {
    super(reasons.join('\n'));
  }
}

const firstMilliseconds = 100;
const longestMilliseconds = 1000;

export interface Waiting {
  cluster: Cluster;
  location: Location;
  object: JsonObject;
  check: ReadinessCheck;
  timeoutSeconds: number;
  signal: AbortSignal;
  onProgress: (progress: string) => void;
}

/** Resolves with the object once it is ready. Throws {@link NotReady} on failure, at the timeout and on cancellation. */
export async function awaitReady(waiting: Waiting): Promise<JsonObject> {
  const { cluster, location, check, signal } = waiting;
  const deadline = Date.now() + waiting.timeoutSeconds * 1000;
  let object = waiting.object;
  let pause = firstMilliseconds;
  let shown = '';
  for (;;) {
    const readiness = await check({ cluster, object, signal: undefined });
    if (readiness.ready) return object;
    if (readiness.failed === true) throw new NotReady(object, await reasonsOf(readiness));
    if (signal.aborted) throw new NotReady(object, ['the wait was cancelled', readiness.progress]);
    if (Date.now() >= deadline) {
      const time = `it was not ready after ${waiting.timeoutSeconds} s`;
      throw new NotReady(object, [time, ...(await reasonsOf(readiness))]);
    }
    if (readiness.progress !== shown) waiting.onProgress(readiness.progress);
    shown = readiness.progress;
    await delay(pause, undefined, { signal }).catch(() => undefined);
    pause = Math.min(pause * 1.5, longestMilliseconds);
    const now = await cluster.get(location);
    if (now === undefined) throw new NotReady(object, ['it was deleted in the meantime']);
    object = now;
  }
}

/**
 * Returns the reasons why an object is not ready. They need pods and events, and a failure to read those must not hide
 * that the object is not ready.
 */
async function reasonsOf(readiness: Readiness): Promise<string[]> {
  try {
    return await readiness.reasons();
  } catch {
    return [readiness.progress];
  }
}
