import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';

/** A holder that has not touched its lock for so long is dead: it was killed, or the machine was. */
const staleAfterMs = 10_000;
const pollMs = 500;

/**
 * Runs `work` while holding the cache's build lock, of which there is one: modules share most packages, and two
 * Go builds at once would compile them twice. Before it waits it asks `isDone`: another process may have done
 * the work meanwhile, then nothing is run.
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
  let compromised = false;
  try {
    const release = await lock(file, {
      realpath: false,
      stale,
      update: stale / 2,
      // A suspended laptop loses its lock. Two builders then do the same work; renaming makes that harmless.
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
