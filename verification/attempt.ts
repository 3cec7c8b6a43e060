import { classifyFailure, type Failure, type FailureKind } from './failure';

/** The verification's clock; tests replace it. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Result of an action. `waited` is the duration of all its tries, in milliseconds. */
export type Attempt<T> = { waited: number } & (
  { value: T; failure?: undefined } | { value?: undefined; failure: Failure }
);

const firstPause = 500;
const longestPause = 15_000;

/**
 * Retries an action with exponential backoff while its failure is of a transient kind, until the deadline (in the clock's
 * milliseconds). Never rejects.
 */
export async function attempt<T>(
  action: () => Promise<T>,
  transient: readonly FailureKind[],
  { clock, deadline }: { clock: Clock; deadline: number },
): Promise<Attempt<T>> {
  const start = clock.now();
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return { value: await action(), waited: clock.now() - start };
    } catch (error) {
      const failure = classifyFailure(error);
      const left = deadline - clock.now();
      if (!transient.includes(failure.kind) || left <= 0) return { failure, waited: clock.now() - start };
      await clock.sleep(Math.min(pause, left));
    }
  }
}
