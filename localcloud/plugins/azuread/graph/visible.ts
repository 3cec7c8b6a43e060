import { setTimeout as delay } from 'node:timers/promises';

/** Longest pause between two reads. */
const longestMilliseconds = 2000;

/**
 * Repeats a read until the directory shows a write, because its replicas take a while.
 *
 * @param look reads once; returns undefined if the write is not visible yet
 */
export async function untilVisible<T>(look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  for (let pause = 100; ; pause = Math.min(2 * pause, longestMilliseconds)) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await delay(pause, undefined, { signal });
  }
}

/** Repeats a read until the directory does not show a deleted entity any more. */
export async function untilGone(look: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  await untilVisible(async () => ((await look()) === undefined ? true : undefined), signal);
}

/**
 * Repeats a request as long as its error means that the directory does not show an earlier write yet.
 *
 * @param isEarly whether an error means that
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
