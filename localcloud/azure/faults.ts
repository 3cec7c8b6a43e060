import type { Clock } from './clock';
import type { CloudRequest } from './server/exchange';

/** A fault that answers, or delays, the requests it matches. */
export interface Fault {
  /** HTTP method. @default any */
  method?: string;
  /** Matched against `https://host/path` as the client sent it, without the query. @default any */
  url?: RegExp;
  /** Milliseconds of the local cloud's clock before the request goes on or is answered. @default 0 */
  delay?: number;
  /** Answers with this instead of the service. @default the service answers, after `delay` */
  reply?: { status: number; code: string; message: string; headers?: Record<string, string> };
  /** How many requests it applies to. @default every one until removed */
  times?: number;
}

/** Faults injected by tests. */
export class Faults {
  private active: { fault: Fault; left: number }[] = [];
  /** Milliseconds after its creation during which a federated credential is not seen by Entra. @default 0 */
  federatedCredentialPropagation = 0;

  /** Adds a fault; the function returned removes it. */
  add(fault: Fault): () => void {
    const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
    this.active.push(entry);
    return () => {
      this.active = this.active.filter((other) => other !== entry);
    };
  }

  clear(): void {
    this.active = [];
    this.federatedCredentialPropagation = 0;
  }

  /** Applies the first fault that matches; gives what to answer with, if it says so. */
  async apply(request: CloudRequest, clock: Clock): Promise<Fault['reply']> {
    const entry = this.active.find(
      ({ fault, left }) =>
        left > 0 &&
        (fault.method === undefined || fault.method.toUpperCase() === request.method) &&
        (fault.url === undefined || fault.url.test(`https://${request.host}/${request.segments.join('/')}`)),
    );
    if (entry === undefined) return undefined;
    entry.left -= 1;
    if (entry.fault.delay !== undefined) await clock.sleep(entry.fault.delay);
    return entry.fault.reply;
  }
}
