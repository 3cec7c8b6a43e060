import { setTimeout as delay } from 'node:timers/promises';

/** A program that is there is found well within this time (ms); it is not reported as being built. */
const patienceMs = 1000;
/** Between reports of how far a build is (ms). */
const reportEveryMs = 5000;

export const buildingMessage = (image: string): string =>
  `The program that plays ${image} is compiled from its sources; this pod starts as soon as it is there`;

const timer = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });

/**
 * Waits for a program that may first have to be built, and tells how far it is. When `signal` aborts, the wait ends
 * and the build goes on: another pod, or the next start, needs the program as well.
 * @throws the reason of `signal`
 */
export async function awaitProgram<T>(
  work: Promise<T>,
  options: {
    progress: () => string | undefined;
    onProgress: (message: string) => void;
    /** Called once, with the first report. */
    onFirst: () => Promise<void>;
    signal: AbortSignal;
    /** @default a timer */
    sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  },
): Promise<T> {
  const { progress, onProgress, onFirst, signal, sleep = timer } = options;
  const over = new AbortController();
  const report = async () => {
    let pause = patienceMs;
    for (let first = true; ;) {
      await sleep(pause, over.signal);
      pause = reportEveryMs;
      const message = progress();
      if (message === undefined) continue;
      onProgress(message);
      if (first) await onFirst();
      first = false;
    }
  };
  // It ends by being aborted, and by nothing else.
  const reporting = report().catch(() => undefined);
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    over.abort();
    await reporting;
  }
}
