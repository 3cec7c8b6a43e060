import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, LockedError } from '../lock';

const pollMs = 500;

/** Returns the path of the lock that a process holds while it builds into the cache. */
export const buildLock = (cacheFolder: string): string => path.join(cacheFolder, 'builder.lock');

/**
 * Runs `work` with the cache's build lock. There is one lock for all modules, because they share most packages, which
 * two Go builds would compile twice. While it waits for the lock, it checks `isDone`: if another process has finished
 * the work, nothing is run.
 */
export async function withBuildLock(
  cacheFolder: string,
  options: { isDone: () => Promise<boolean>; onWait?: () => Promise<void> },
  work: () => Promise<void>,
): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  for (;;) {
    if (await options.isDone()) return;
    const release = tryLock(buildLock(cacheFolder));
    if (release === undefined) {
      await options.onWait?.();
      await sleep(pollMs);
      continue;
    }
    try {
      if (!(await options.isDone())) await work();
      return;
    } finally {
      release();
    }
  }
}

function tryLock(file: string): (() => void) | undefined {
  try {
    return acquireLock(file);
  } catch (error) {
    if (error instanceof LockedError) return undefined;
    throw error;
  }
}
