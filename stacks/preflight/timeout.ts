import { setTimeout } from 'node:timers/promises';

/** How long an answer is waited for. What a cluster does not answer by then, it says at the write. */
const waitMs = 15_000;

/** The answer, or undefined if it is an error or takes too long: then the engine reports later what is wrong. */
export function withTimeout<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work.catch(() => undefined), setTimeout(waitMs, undefined, { ref: false })]);
}
