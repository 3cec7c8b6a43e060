interface Part {
  readonly keys: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  /** Requests that it is of. */
  readonly count: number;
  readonly time: number;
}

/** What is known of a request from one line. */
export type TakenPart = Pick<Part, 'keys' | 'values'>;

/**
 * Lines of requests that have not finished, each with whom it is of and what it says. Requests are in the log between each
 * other. Where several lines may be that of a request, it gets the values of all, and so do the others: none is a guess.
 */
export class OpenParts {
  private parts: readonly Part[] = [];

  add(key: string, value: string, time: number): void {
    this.parts = [...this.parts, { keys: new Set([key]), values: new Set([value]), count: 1, time }];
  }

  /** The line of one request that has finished; undefined if there is none with such a key. */
  take(keys: ReadonlySet<string>): TakenPart | undefined {
    const fitting = this.parts.filter((one) => [...one.keys].some((key) => keys.has(key)));
    const [first] = fitting;
    if (first === undefined) return undefined;
    const sets = fitting.map(textOf);
    const taken = sets.every((one) => one === sets[0]) ? [first] : fitting;
    const merged = taken.reduce((one, other) => ({
      keys: new Set([...one.keys, ...other.keys]),
      values: new Set([...one.values, ...other.values]),
      count: one.count + other.count,
      time: Math.max(one.time, other.time),
    }));
    const left = { ...merged, count: merged.count - 1 };
    this.parts = [...(left.count > 0 ? [left] : []), ...this.parts.filter((one) => !taken.includes(one))];
    return merged;
  }

  /** Forgets what is older: its end is not in the log. */
  forgetBefore(time: number): void {
    this.parts = this.parts.filter((one) => one.time >= time);
  }

  get keys(): string[] {
    return this.parts.flatMap((one) => [...one.keys]);
  }
}

const textOf = ({ keys, values }: Part): string => JSON.stringify([[...keys].sort(), [...values].sort()]);
