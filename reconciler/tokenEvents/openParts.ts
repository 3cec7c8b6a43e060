/** Open requests that are kept of a pod: the oldest are dropped. */
export const mostOpen = 20;

/** Pods that are kept, those that asked last: a node of AKS has up to 250. */
export const mostKeys = 250;

/** Candidates that are named. */
export const mostNamed = 5;

interface Part {
  readonly keys: Set<string>;
  /** What the lines say, and when one said so last, in this order. More than are named: some are dropped. */
  readonly values: Map<string, number>;
  /** When its requests began. */
  readonly open: number[];
}

/** What is known of a request from its line. */
export interface TakenPart {
  readonly keys: ReadonlySet<string>;
  /** One more than are named stands for several. */
  readonly values: readonly string[];
}

/**
 * Lines of requests that have not finished, by whom they are of. Requests are in the log between each other: where several lines
 * may be that of a request, it gets the values of all, and so do the others, so that none is a guess. What is kept is bounded,
 * since a pod may ask as often and for what it likes.
 */
export class OpenParts {
  /** Those that were taken together share a part. */
  private readonly parts = new Map<string, Part>();

  add(key: string, value: string, time: number): void {
    const part: Part = this.parts.get(key) ?? { keys: new Set([key]), values: new Map(), open: [] };
    // The last one is at the end.
    this.parts.delete(key);
    this.parts.set(key, part);
    part.values.delete(value);
    part.values.set(value, time);
    part.open.push(time);
    bound(part);
    const [oldest] = this.parts.keys();
    if (this.parts.size > mostKeys && oldest !== undefined) this.drop(oldest);
  }

  /** The line of one request that has finished; undefined if there is none with such a key. */
  take(keys: ReadonlySet<string>): TakenPart | undefined {
    const fitting = new Set([...keys].flatMap((key) => this.parts.get(key) ?? []));
    if (fitting.size === 0) return undefined;
    const part = this.shared([...fitting]);
    part.open.shift();
    if (part.open.length === 0) for (const key of part.keys) this.parts.delete(key);
    return { keys: part.keys, values: [...part.values.keys()] };
  }

  /** Forgets what is older: its end is not in the log. */
  forgetBefore(time: number): void {
    for (const [key, { open, values }] of this.parts) {
      while ((open[0] ?? time) < time) open.shift();
      for (const [value, said] of values) {
        if (said >= time) break;
        values.delete(value);
      }
      if (open.length === 0) this.parts.delete(key);
    }
  }

  has(key: string): boolean {
    return this.parts.has(key);
  }

  get keys(): string[] {
    return [...this.parts.keys()];
  }

  private shared(parts: readonly Part[]): Part {
    const [first] = parts;
    if (first !== undefined && parts.length === 1) return first;
    const values = parts.flatMap((one) => [...one.values]).sort(([, one], [, other]) => one - other);
    const part: Part = { keys: new Set(parts.flatMap((one) => [...one.keys])), values: new Map(), open: [] };
    for (const [value, time] of values) {
      part.values.delete(value);
      part.values.set(value, time);
    }
    part.open.push(...parts.flatMap(({ open }) => open).sort((one, other) => one - other));
    bound(part);
    for (const key of part.keys) this.parts.set(key, part);
    return part;
  }

  private drop(key: string): void {
    this.parts.get(key)?.keys.delete(key);
    this.parts.delete(key);
  }
}

function bound({ values, open }: Part): void {
  open.splice(0, Math.max(0, open.length - mostOpen));
  for (const value of values.keys()) {
    if (values.size <= mostNamed + 1) break;
    values.delete(value);
  }
}
