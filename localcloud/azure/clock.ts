interface Sleeper {
  due: number;
  wake: () => void;
}

/** Time as the local cloud sees it. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Resolves once the clock has passed `milliseconds` from now. */
  sleep(milliseconds: number): Promise<void>;
}

/** Longest delay a Node timer takes without firing at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * A clock that tests control. In automatic mode it runs with the machine's clock, moved by whatever was
 * added with `advance`; otherwise it stands still between two calls of `advance`.
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

  /** Whether time passes by itself. */
  get auto(): boolean {
    return this.automatic;
  }

  set auto(value: boolean) {
    if (value === this.automatic) return;
    // The time shown does not jump when the mode changes.
    const shown = this.now();
    this.automatic = value;
    if (value) this.offset = shown - Date.now();
    else {
      this.frozenAt = shown;
      this.offset = 0;
    }
    this.schedule();
  }

  /** Moves time forward and wakes whoever slept until then. */
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

  /** Wakes everyone, so that nothing is left pending when the service closes. */
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
