/** Time as the verification sees it; tests give their own. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

const firstPause = 500;
const longestPause = 15_000;

/**
 * Repeats `attempt` while `again` says so, with exponential pauses, until `deadline` (in the clock's
 * milliseconds). Returns the last result; `waited` is the time spent, in milliseconds.
 */
export async function retryUntil<T>(
  attempt: () => Promise<T>,
  options: { again: (result: T) => boolean; deadline: number; clock: Clock },
): Promise<{ result: T; waited: number }> {
  const { again, deadline, clock } = options;
  const start = clock.now();
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    const result = await attempt();
    const left = deadline - clock.now();
    if (!again(result) || left <= 0) return { result, waited: clock.now() - start };
    await clock.sleep(Math.min(pause, left));
  }
}
