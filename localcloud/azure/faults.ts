import type { Clock } from './clock';
import type { CloudRequest } from './server/exchange';

/** The answer that replaces the service's. */
export interface FaultReply {
  status: number;
  code: string;
  message: string;
  headers?: Record<string, string>;
}

/** A fault that answers or delays matching requests. */
export interface Fault {
  /** HTTP method. @default any */
  method?: string;
  /** Matched against `https://host/path` as the client sent it, without the query. @default any */
  url?: RegExp;
  /** Delay in milliseconds of the local cloud's clock. @default 0 */
  delay?: number;
  /** The answer. @default the service answers, after `delay` */
  reply?: FaultReply | ((request: CloudRequest) => FaultReply);
  /** Number of requests that it applies to. @default all, until the fault is removed */
  times?: number;
}

/** A fault of a long-running operation: the operation is accepted and fails later. */
export interface ProvisioningFault {
  /** Matched against the resource id. */
  resource: RegExp;
  code: string;
  /** The message, or a function that makes it from the resource id. */
  message: string | ((resourceId: string) => string);
  /** Number of operations that it applies to. @default all, until the fault is removed */
  times?: number;
}

/** Faults injected by tests. */
export class Faults {
  private active: { fault: Fault; remaining: number }[] = [];
  private provisioning: { fault: ProvisioningFault; remaining: number }[] = [];
  /** Milliseconds until Entra sees a new federated credential. @default 0 */
  federatedCredentialPropagation = 0;

  /** Adds a fault and returns a function that removes it. */
  add(fault: Fault): () => void {
    const entry = { fault, remaining: fault.times ?? Number.POSITIVE_INFINITY };
    this.active.push(entry);
    return () => {
      this.active = this.active.filter((other) => other !== entry);
    };
  }

  /** Adds a fault of long-running operations and returns a function that removes it. */
  failProvisioning(fault: ProvisioningFault): () => void {
    const entry = { fault, remaining: fault.times ?? Number.POSITIVE_INFINITY };
    this.provisioning.push(entry);
    return () => {
      this.provisioning = this.provisioning.filter((other) => other !== entry);
    };
  }

  /** The injected error of a long-running operation on the resource, if any. */
  provisioningError(resourceId: string): { code: string; message: string } | undefined {
    const entry = this.provisioning.find(
      ({ fault, remaining }) => remaining > 0 && fault.resource.test(resourceId),
    );
    if (entry === undefined) return undefined;
    entry.remaining -= 1;
    const { code, message } = entry.fault;
    return { code, message: typeof message === 'function' ? message(resourceId) : message };
  }

  clear(): void {
    this.active = [];
    this.provisioning = [];
    this.federatedCredentialPropagation = 0;
  }

  /** Applies the first matching fault and returns its answer, if it has one. */
  async apply(request: CloudRequest, clock: Clock): Promise<FaultReply | undefined> {
    const entry = this.active.find(
      ({ fault, remaining }) =>
        remaining > 0 &&
        (fault.method === undefined || fault.method.toUpperCase() === request.method) &&
        (fault.url === undefined || fault.url.test(`https://${request.host}/${request.segments.join('/')}`)),
    );
    if (entry === undefined) return undefined;
    entry.remaining -= 1;
    if (entry.fault.delay !== undefined) await clock.sleep(entry.fault.delay);
    const { reply } = entry.fault;
    return typeof reply === 'function' ? reply(request) : reply;
  }
}
