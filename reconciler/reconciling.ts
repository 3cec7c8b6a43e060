/** A job that runs repeatedly and knows the result of its last run. */
export abstract class Reconciling {
  private finished: number | undefined;
  private isReady = false;

  /** @param clock milliseconds since 1970 */
  constructor(private readonly clock: () => number) {}

  /** @returns whether everything succeeded. Never rejects. */
  async run(): Promise<boolean> {
    const ok = await this.runOnce();
    this.finished = this.clock();
    this.isReady = ok;
    return ok;
  }

  /** Tells whether the last run succeeded. */
  ready(): boolean {
    return this.isReady;
  }

  /** Tells whether the last run ended less than this many milliseconds ago. */
  ranWithin(milliseconds: number): boolean {
    return this.finished !== undefined && this.clock() - this.finished < milliseconds;
  }

  /** @returns whether everything succeeded. Never rejects. */
  protected abstract runOnce(): Promise<boolean>;
}
