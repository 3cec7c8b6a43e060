import { setTimeout as delay } from 'node:timers/promises';

/** Longest pause between two reads. */
const longestMilliseconds = 2000;

/**
 * Repeats a read until the directory shows a write, because its replicas take a while.
 *
 * @param read reads the entity; returns undefined if the write is not visible yet
 */
export async function untilVisible<T>(read: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  for (let pause = 100; ; pause = Math.min(2 * pause, longestMilliseconds)) {
    const value = await read();
    if (value !== undefined) return value;
    await delay(pause, undefined, { signal });
  }
}

/** Repeats a read until the directory does not show a deleted entity any more. */
export async function untilGone(read: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  await untilVisible(async () => ((await read()) === undefined ? true : undefined), signal);
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
  const sendOnce = async (): Promise<{ answer: T } | undefined> => {
    try {
      return { answer: await send() };
    } catch (error) {
      if (isEarly(error)) return undefined;
      throw error;
    }
  };
  return untilVisible(sendOnce, signal).then(({ answer }) => answer);
}
