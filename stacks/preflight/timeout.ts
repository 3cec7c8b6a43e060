import { setTimeout } from 'node:timers/promises';

/** How long the preflight waits for an answer. What a cluster does not report by then, it reports at the write. */
const waitMs = 15_000;

/** Returns the answer, or undefined if it is an error or takes too long. The engine then reports the problem later. */
export function withTimeout<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work.catch(() => undefined), setTimeout(waitMs, undefined, { ref: false })]);
}
