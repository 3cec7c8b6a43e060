import type { CloudReply } from '../server/exchange';
import type { Caller } from '../identity/tokens';

/** A request after routing, authentication and authorization. */
export interface ArmCall {
  /** Values of the path template's `{…}` segments, as the client sent them. */
  params: Record<string, string>;
  /** Id of the resource that an extension resource (`{scope}/providers/…`) extends. */
  scope: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  /** Parsed JSON; `undefined` if the body is empty. */
  body: unknown;
  caller: Caller;
  apiVersion: string;
  /** Prefix of links in the answer, e.g. `https://management.azure.com`. */
  origin: string;
}

/** One operation of the resource manager. */
export interface ArmEndpoint {
  /** Operation id in the service's specification, e.g. `Vaults_CreateOrUpdate`. */
  operation: string;
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * Path template. Literal segments match case-insensitively, `{name}` matches one segment, and a leading `{scope}` matches any
   * number of segments.
   */
  path: string;
  /** Resource type whose api-versions apply. */
  type: string;
  /**
   * Action that a role must allow, e.g. `Microsoft.KeyVault/vaults/write`. @default any caller may use the
   * endpoint
   */
  action?: string | ((params: Readonly<Record<string, string>>) => string);
  /** True if `handle` checks the conditions of roles, because only it knows the attributes that they need. @default false */
  checksConditions?: boolean;
  /** True if the activity log has the request bodies. They must not contain secrets. @default false */
  logsBody?: boolean;
  /**
   * Query parameters besides `api-version`. A list with `$top` is returned in pages of that size, with `$skiptoken` in the link
   * to the next one. @default none
   */
  query?: readonly string[];
  handle(call: ArmCall): CloudReply | Promise<CloudReply>;
}

/** Name of a template's parameter; undefined for a literal segment. */
const parameter = (segment: string): string | undefined =>
  segment.startsWith('{') && segment.endsWith('}') ? segment.slice(1, -1) : undefined;

/** The parameters of a path that matches the template; undefined if it does not match. */
export function matchPath(
  template: string,
  segments: readonly string[],
): { params: Record<string, string>; scope: string } | undefined {
  const pattern = template.split('/').filter((segment) => segment !== '');
  let remaining = segments;
  let scope = '';
  if (pattern[0] === '{scope}') {
    pattern.shift();
    if (remaining.length < pattern.length) return undefined;
    const cut = remaining.length - pattern.length;
    scope = `/${remaining.slice(0, cut).join('/')}`;
    remaining = remaining.slice(cut);
  }
  if (pattern.length !== remaining.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const value = remaining[index] ?? '';
    const name = parameter(segment);
    if (name !== undefined) params[name] = value;
    else if (segment.toLowerCase() !== value.toLowerCase()) return undefined;
  }
  return { params, scope };
}
