import { setTimeout as delay } from 'node:timers/promises';

/** Longest pause between two looks. */
const longestMilliseconds = 2000;

/**
 * Looks again until the directory shows a write: its replicas take a while.
 *
 * @param look undefined if there is nothing to see yet
 */
export async function untilVisible<T>(look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  for (let pause = 100; ; pause = Math.min(2 * pause, longestMilliseconds)) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await delay(pause, undefined, { signal });
  }
}

/** Looks again until the directory does not show what was deleted. */
export async function untilGone(look: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  await untilVisible(async () => ((await look()) === undefined ? true : undefined), signal);
}

/**
 * Sends a request again as long as its error says that the directory does not show an earlier write.
 *
 * @param isEarly whether the error says so
 */
export function retried<T>(
  send: () => Promise<T>,
  isEarly: (error: unknown) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const look = async (): Promise<{ answer: T } | undefined> => {
    try {
      return { answer: await send() };
    } catch (error) {
      if (isEarly(error)) return undefined;
      throw error;
    }
  };
  return untilVisible(look, signal).then(({ answer }) => answer);
}
