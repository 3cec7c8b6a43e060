/**
 * Reports each refused address once, and again only after the reason has changed or a connection has succeeded. While a
 * webhook starts, the API server tries ten times a second.
 */
export class Refusals {
  private readonly reported = new Map<string, string>();

  constructor(private readonly log: (message: string) => void) {}

  refused(address: string, reason: string): void {
    if (this.reported.get(address) === reason) return;
    this.reported.set(address, reason);
    this.log(`the API server cannot reach ${address}: ${reason}`);
  }

  open(address: string): void {
    this.reported.delete(address);
  }
}
