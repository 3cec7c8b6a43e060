interface Sleeper {
  due: number;
  wake: () => void;
}

/** The local cloud's clock, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Resolves after `milliseconds` of this clock. */
  sleep(milliseconds: number): Promise<void>;
}

/** Longest delay of a Node timer; a longer one fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * A clock that tests control. In automatic mode it follows the machine's clock, plus what `advance` added.
 * Otherwise it moves only with `advance`.
 */
export class ControllableClock implements Clock {
  private automatic: boolean;
  private offset = 0;
  private frozenAt = 0;
  private sleepers: Sleeper[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(options: { auto?: boolean } = {}) {
    this.automatic = options.auto ?? true;
    this.frozenAt = Date.now();
  }

  now(): number {
    return (this.automatic ? Date.now() : this.frozenAt) + this.offset;
  }

  /** True if the clock follows the machine's clock. */
  get auto(): boolean {
    return this.automatic;
  }

  set auto(value: boolean) {
    if (value === this.automatic) return;
    // The time stays the same when the mode changes.
    const shown = this.now();
    this.automatic = value;
    if (value) this.offset = shown - Date.now();
    else {
      this.frozenAt = shown;
      this.offset = 0;
    }
    this.schedule();
  }

  /** Moves the clock forward and wakes the sleepers that are due. */
  advance(milliseconds: number): void {
    if (milliseconds < 0)
      throw new Error(`The clock only runs forward: advance(${milliseconds}) is refused.`);
    this.offset += milliseconds;
    this.schedule();
  }

  sleep(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return Promise.resolve();
    return new Promise((wake) => {
      this.sleepers.push({ due: this.now() + milliseconds, wake });
      this.schedule();
    });
  }

  /** Wakes all sleepers, so that nothing is pending when the service closes. */
  close(): void {
    clearTimeout(this.timer);
    for (const sleeper of this.sleepers.splice(0)) sleeper.wake();
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const now = this.now();
    const due = this.sleepers.filter((sleeper) => sleeper.due <= now);
    this.sleepers = this.sleepers.filter((sleeper) => sleeper.due > now);
    for (const sleeper of due) sleeper.wake();
    if (!this.automatic || this.sleepers.length === 0) return;
    const soonest = Math.min(...this.sleepers.map((sleeper) => sleeper.due));
    this.timer = setTimeout(() => this.schedule(), Math.min(Math.max(soonest - now, 1), LONGEST_TIMER));
    this.timer.unref();
  }
}
