import type { Proofs } from './secretSource';

/** Writes one structured log line. It never contains a secret value. */
export type Log = (event: Record<string, string | number | boolean>) => void;

export interface Reading {
  /** True once every secret was read, even if a later reading fails. */
  ready(): boolean;
  /** Names that have not been read yet. */
  missing(): string[];
  /** Resolves when stopped. */
  done: Promise<void>;
}

const firstPause = 500;
const longestPause = 30_000;

/**
 * Reads every secret, retrying until all succeed, then again after each `refreshEvery`. A new federated credential (AADSTS70021)
 * and a new role assignment (403) take minutes to take effect, so failures are retried with exponential backoff.
 */
export function startReading(options: {
  proofs: Proofs;
  refreshEvery: number;
  signal: AbortSignal;
  log: Log;
}): Reading {
  const { proofs, refreshEvery, signal, log } = options;
  const names = [...proofs.keys()];
  // The example does not use the values, so it keeps only their lengths.
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
