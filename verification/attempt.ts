import { classifyFailure, type Failure, type FailureKind } from './failure';

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

/** How an action ended; `waited` is the time that its repetitions took, in milliseconds. */
export type Attempt<T> = { waited: number } & (
  { value: T; failure?: undefined } | { value?: undefined; failure: Failure }
);

const firstPause = 500;
const longestPause = 15_000;

/**
 * Repeats an action while it fails in one of the ways that may pass, with exponential pauses, until the deadline (in the
 * clock's milliseconds). Never rejects.
 */
export async function attempt<T>(
  action: () => Promise<T>,
  mayPass: readonly FailureKind[],
  { clock, deadline }: { clock: Clock; deadline: number },
): Promise<Attempt<T>> {
  const start = clock.now();
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return { value: await action(), waited: clock.now() - start };
    } catch (error) {
      const failure = classifyFailure(error);
      const left = deadline - clock.now();
      if (!mayPass.includes(failure.kind) || left <= 0) return { failure, waited: clock.now() - start };
      await clock.sleep(Math.min(pause, left));
    }
  }
}
