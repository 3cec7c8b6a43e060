import type { Clock } from './clock';
import type { CloudRequest } from './server/exchange';

/** What a request is answered with instead. */
export interface FaultReply {
  status: number;
  code: string;
  message: string;
  headers?: Record<string, string>;
}

/** A fault that answers, or delays, the requests it matches. */
export interface Fault {
  /** HTTP method. @default any */
  method?: string;
  /** Matched against `https://host/path` as the client sent it, without the query. @default any */
  url?: RegExp;
  /** Milliseconds of the local cloud's clock before the request goes on or is answered. @default 0 */
  delay?: number;
  /** Answers with this instead of the service. @default the service answers, after `delay` */
  reply?: FaultReply | ((request: CloudRequest) => FaultReply);
  /** How many requests it applies to. @default every one until removed */
  times?: number;
}

/** A change that the resource manager accepts and that fails while it is under way. */
export interface ProvisioningFault {
  /** Matched against the id of the resource. */
  resource: RegExp;
  code: string;
  /** Made of the id of the resource, if it is a function. */
  message: string | ((resourceId: string) => string);
  /** How many changes it applies to. @default every one until removed */
  times?: number;
}

/** Faults injected by tests. */
export class Faults {
  private active: { fault: Fault; left: number }[] = [];
  private provisioning: { fault: ProvisioningFault; left: number }[] = [];
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

  /** Adds a fault of changes under way; the function returned removes it. */
  failProvisioning(fault: ProvisioningFault): () => void {
    const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
    this.provisioning.push(entry);
    return () => {
      this.provisioning = this.provisioning.filter((other) => other !== entry);
    };
  }

  /** What the change of a resource that is under way ends with; nothing if it succeeds. */
  provisioningError(resourceId: string): { code: string; message: string } | undefined {
    const entry = this.provisioning.find(({ fault, left }) => left > 0 && fault.resource.test(resourceId));
    if (entry === undefined) return undefined;
    entry.left -= 1;
    const { code, message } = entry.fault;
    return { code, message: typeof message === 'function' ? message(resourceId) : message };
  }

  clear(): void {
    this.active = [];
    this.provisioning = [];
    this.federatedCredentialPropagation = 0;
  }

  /** Applies the first fault that matches; gives what to answer with, if it says so. */
  async apply(request: CloudRequest, clock: Clock): Promise<FaultReply | undefined> {
    const entry = this.active.find(
      ({ fault, left }) =>
        left > 0 &&
        (fault.method === undefined || fault.method.toUpperCase() === request.method) &&
        (fault.url === undefined || fault.url.test(`https://${request.host}/${request.segments.join('/')}`)),
    );
    if (entry === undefined) return undefined;
    entry.left -= 1;
    if (entry.fault.delay !== undefined) await clock.sleep(entry.fault.delay);
    const { reply } = entry.fault;
    return typeof reply === 'function' ? reply(request) : reply;
  }
}
