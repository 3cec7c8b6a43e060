/** A request, independent of the HTTP server that received it. */
export interface CloudRequest {
  /** Unique id, which the answer also has. */
  id: string;
  method: string;
  /** Host name without the port, in lower case. */
  host: string;
  /** Scheme, host and port as the client used them: the prefix of links in answers. */
  origin: string;
  /** Path and query as the client sent them. */
  target: string;
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
  /** Serialized as JSON; undefined for an empty body. */
  body?: unknown;
  /** Sent unchanged, in place of `body`. */
  content?: { type: string; bytes: Buffer };
}

/** The reason to refuse a request before any service reads it. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
}

/** Answers requests. A refused request has the path as the client sent it. */
export type Dispatch = (request: CloudRequest, refusal?: Refusal) => Promise<CloudReply>;

/** One of the services of the local cloud. */
export interface CloudService {
  handle(request: CloudRequest): Promise<CloudReply>;
  /** The answer for an injected fault, a refused request or an unexpected error, in the service's own error envelope. */
  fault(status: number, code: string, message: string): CloudReply;
  /** Headers of every answer to the request. @default none */
  headers?(request: CloudRequest): Record<string, string>;
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id that the client gave a request in a header; undefined if it is not a GUID. The service then uses its own id. */
export function requestIdIn({ headers }: CloudRequest, header: string): string | undefined {
  const id = headers[header];
  return id !== undefined && GUID.test(id) ? id : undefined;
}

/** Headers that every service of Azure answers with: the id of the request, and no caching. */
export const commonHeaders = ({ id }: CloudRequest): Record<string, string> => ({
  'cache-control': 'no-cache',
  pragma: 'no-cache',
  expires: '-1',
  'x-content-type-options': 'nosniff',
  'x-ms-request-id': id,
});
