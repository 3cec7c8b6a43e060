import type { Clock } from '../clock';
import type { Caller } from '../identity/tokens';
import type { CloudReply } from '../server/exchange';
import type { Store } from '../store/store';

export interface GraphContext {
  store: Store;
  clock: Clock;
}

/** Versions of Microsoft Graph. */
export type GraphVersion = 'v1.0' | 'beta';

/** A request after routing and authentication. */
export interface GraphCall {
  /** Values of the path template's `{…}` segments, as the client sent them. An alternate key is `appId='…'`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** True if the request has the header `ConsistencyLevel: eventual`. */
  eventual: boolean;
  /** Parsed JSON; undefined if the body is empty. */
  body: unknown;
  caller: Caller;
  /** URL of the version, the prefix of links in the answer: `https://graph.microsoft.com/v1.0`. */
  root: string;
  readonly version: GraphVersion;
  /** Path below `root`, encoded as in a link. */
  path: string;
}

/** One operation of Microsoft Graph. */
export interface GraphEndpoint {
  /** Title in the reference, as one word: `CreateApplication`. */
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path template below the version. `{name}` matches one segment. */
  path: string;
  /** True if the version beta has it as well. @default false */
  beta?: boolean;
  /** Query options. @default none */
  query?: readonly string[];
  handle(context: GraphContext, call: GraphCall): CloudReply;
}

/** A time in the format of Graph, which omits milliseconds that are zero. */
export const graphTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('.000Z', 'Z');
