/** Maximum number of open requests kept per pod. The oldest are dropped. */
export const mostOpen = 20;

/** Maximum number of pods kept; the oldest are dropped. An AKS node has up to 250. */
export const mostKeys = 250;

/** Maximum number of candidates that are named. */
export const mostNamed = 5;

interface Part {
  readonly keys: Set<string>;
  /** Values with the time of their last line, in this order. More than `mostNamed` means that some were dropped. */
  readonly values: Map<string, number>;
  /** Start times of its open requests. */
  readonly open: number[];
}

/** The keys and values of a finished request's lines. */
export interface TakenPart {
  readonly keys: ReadonlySet<string>;
  /** More than `mostNamed` values stand for any number. */
  readonly values: readonly string[];
}

/**
 * Lines of unfinished requests, by key (such as the pod). Requests interleave in the log: if several lines may belong to a
 * request, it gets the values of all of them, and so do the others: nothing is guessed. Memory is bounded, because a pod can
 * send any requests at any rate.
 */
export class OpenParts {
  /** Keys that were taken together share a part. */
  private readonly parts = new Map<string, Part>();

  add(key: string, value: string, time: number): void {
    const part: Part = this.parts.get(key) ?? { keys: new Set([key]), values: new Map(), open: [] };
    // Reinserted at the end: the oldest must be first.
    this.parts.delete(key);
    this.parts.set(key, part);
    part.values.delete(value);
    part.values.set(value, time);
    part.open.push(time);
    bound(part);
    const [oldest] = this.parts.keys();
    if (this.parts.size > mostKeys && oldest !== undefined) this.drop(oldest);
  }

  /** Takes the lines of one finished request, or returns undefined if none has such a key. */
  take(keys: ReadonlySet<string>): TakenPart | undefined {
    const matching = new Set([...keys].flatMap((key) => this.parts.get(key) ?? []));
    if (matching.size === 0) return undefined;
    const part = this.shared([...matching]);
    part.open.shift();
    if (part.open.length === 0) for (const key of part.keys) this.parts.delete(key);
    return { keys: part.keys, values: [...part.values.keys()] };
  }

  /** Forgets older lines: the log does not have the end of their requests. */
  forgetBefore(time: number): void {
    for (const [key, { open, values }] of this.parts) {
      while ((open[0] ?? time) < time) open.shift();
      for (const [value, lastTime] of values) {
        if (lastTime >= time) break;
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
    const values = parts.flatMap((each) => [...each.values]).sort(([, a], [, b]) => a - b);
    const part: Part = {
      keys: new Set(parts.flatMap((each) => [...each.keys])),
      values: new Map(),
      open: [],
    };
    for (const [value, time] of values) {
      part.values.delete(value);
      part.values.set(value, time);
    }
    part.open.push(...parts.flatMap(({ open }) => open).sort((a, b) => a - b));
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
