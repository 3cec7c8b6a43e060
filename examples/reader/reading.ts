import type { Proofs } from './secretSource';

/** One structured line of the log. Never holds a value. */
export type Log = (event: Record<string, string | number | boolean>) => void;

export interface Reading {
  /** True once every secret was read; stays true while later readings fail, as the values are still held. */
  ready(): boolean;
  /** Names that have not been read yet. */
  missing(): string[];
  /** Resolves when stopped. */
  done: Promise<void>;
}

const firstPause = 500;
const longestPause = 30_000;

/**
 * Reads every secret, again and again until it succeeds and then once a period. A new federated credential
 * takes minutes to take effect (AADSTS70021) and so does a role assignment (403): both are waited for with
 * growing pauses instead of ending the process.
 */
export function startReading(options: {
  proofs: Proofs;
  refreshEvery: number;
  signal: AbortSignal;
  log: Log;
}): Reading {
  const { proofs, refreshEvery, signal, log } = options;
  const names = [...proofs.keys()];
  // Lengths only: this example does nothing with the values, so it does not keep them.
  const lengths = new Map<string, number>();

  const readAll = async (): Promise<boolean> => {
    const outcomes = await Promise.all(
      [...proofs].map(async ([name, read]) => {
        try {
          const { length } = await read();
          if (lengths.get(name) !== length) log({ event: 'read', secret: name, length });
          lengths.set(name, length);
          return true;
        } catch (error) {
          log({ event: 'failed', secret: name, reason: reasonOf(error) });
          return false;
        }
      }),
    );
    return outcomes.every(Boolean);
  };

  const loop = async (): Promise<void> => {
    let pause = firstPause;
    while (!signal.aborted) {
      if (await readAll()) {
        pause = firstPause;
        await sleep(refreshEvery, signal);
      } else {
        await sleep(pause, signal);
        pause = Math.min(pause * 2, longestPause);
      }
    }
  };

  return {
    ready: () => names.every((name) => lengths.has(name)),
    missing: () => names.filter((name) => !lengths.has(name)),
    done: loop(),
  };
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n', 1)[0] ?? '').slice(0, 300);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener('abort', finish);
  });
}
