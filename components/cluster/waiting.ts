import type { Clock } from '../resource/clock';
import { realClock } from '../resource/clock';

/** What is still missing, or nothing any more. An error that is thrown ends the waiting at once. */
export type Missing = string | undefined;

/** How a wait goes on. */
export interface Patience {
  /** Waited for no longer than this. */
  readonly limitMs: number;
  /** Told what is missing, each time that it is something else. */
  readonly report: (missing: string) => void;
  /** @default the clock of this machine */
  readonly clock?: Clock;
  /**
   * Between two questions.
   * @default a quarter of a second at first, then longer and longer, up to five
   */
  readonly pauseMs?: number;
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;

/**
 * Asks again and again until nothing is missing.
 * @returns undefined, or what was still missing at the limit
 */
export async function waitUntil(
  ask: () => Promise<Missing>,
  { limitMs, report, clock = realClock, pauseMs }: Patience,
): Promise<Missing> {
  const end = clock.now() + limitMs;
  let told: Missing;
  for (let growingMs = firstPauseMs; ; growingMs = Math.min(growingMs * 1.5, longestPauseMs)) {
    const missing = await ask();
    if (missing === undefined) return undefined;
    const left = end - clock.now();
    if (left <= 0) return missing;
    if (missing !== told) report(missing);
    told = missing;
    await clock.sleep(Math.min(pauseMs ?? growingMs, left));
  }
}
