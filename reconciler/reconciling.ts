/** What runs again and again, and knows how its last run went. */
export abstract class Reconciling {
  private finished: number | undefined;
  private isReady = false;

  /** @param clock milliseconds since 1970 */
  constructor(private readonly clock: () => number) {}

  /** @returns whether all went well. Never rejects. */
  async run(): Promise<boolean> {
    const ok = await this.runOnce();
    this.finished = this.clock();
    this.isReady = ok;
    return ok;
  }

  /** In its last run, all went well. */
  ready(): boolean {
    return this.isReady;
  }

  /** Its last run is not longer ago than `milliseconds`. */
  ranWithin(milliseconds: number): boolean {
    return this.finished !== undefined && this.clock() - this.finished < milliseconds;
  }

  /** @returns whether all went well. Never rejects. */
  protected abstract runOnce(): Promise<boolean>;
}
