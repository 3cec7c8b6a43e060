import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds after which a lock without an update counts as abandoned. */
const staleAfterMs = 10_000;
const pollMs = 500;

/**
 * Runs `work` with the cache's build lock. There is one lock for all modules, because they share most packages
 * and two Go builds would compile them twice. While waiting it checks `isDone`, because another process may
 * finish the work; then nothing is run.
 */
export async function withBuildLock(
  cacheFolder: string,
  options: { isDone: () => Promise<boolean>; onWait?: () => Promise<void> },
  work: () => Promise<void>,
): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  for (;;) {
    if (await options.isDone()) return;
    const release = await tryLock(path.join(cacheFolder, 'build'), staleAfterMs);
    if (release === undefined) {
      await options.onWait?.();
      await sleep(pollMs);
      continue;
    }
    try {
      if (!(await options.isDone())) await work();
      return;
    } finally {
      await release();
    }
  }
}

async function tryLock(file: string, stale: number): Promise<(() => Promise<void>) | undefined> {
  // Loaded here, since it handles signals as soon as it is loaded: a command that computes could not be interrupted.
  const { lock } = await import('proper-lockfile');
  let compromised = false;
  try {
    const release = await lock(file, {
      realpath: false,
      stale,
      update: stale / 2,
      // A suspended laptop loses its lock. Two builders then do the same work, which is harmless because
      // results are renamed into place.
      onCompromised: () => {
        compromised = true;
      },
    });
    return async () => {
      if (!compromised) await release();
    };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOCKED') return undefined;
    throw error;
  }
}
