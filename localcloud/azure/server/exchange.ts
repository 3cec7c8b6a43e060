/** A request as every service of the local cloud gets it, whatever server received it. */
export interface CloudRequest {
  method: string;
  /** Host name as sent, without the port, in lower case. */
  host: string;
  /** Scheme, host and port as the client used them; links in answers start with it. */
  origin: string;
  /** Path segments, decoded; empty ones (`//subscriptions/…`) are dropped. */
  segments: string[];
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  /** Raw body, empty if there is none. */
  body: string;
}

export interface CloudReply {
  status: number;
  headers?: Record<string, string>;
  /** Serialised as JSON; nothing is sent if it is undefined. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  content?: { type: string; bytes: Buffer };
}

/** One of the services behind a host name. */
export interface CloudService {
  handle(request: CloudRequest): Promise<CloudReply>;
  /** An error in the service's own envelope, for injected faults. */
  fault(status: number, code: string, message: string): CloudReply;
}
