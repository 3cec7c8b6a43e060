import type { CloudReply, CloudRequest } from '../server/exchange';
import { ArmError } from './errors';

const idOf = (item: unknown): string => (item as { id: string }).id.toLowerCase();

const invalid = (name: string, value: string, allowed: string): ArmError =>
  new ArmError(
    400,
    'InvalidQueryParameter',
    `The query parameter '${name}' is '${value}'; ${allowed}. What Azure answers is not known.`,
  );

/** Size of a page; undefined for one page with everything. */
function sizeOf(top: string | null): number | undefined {
  if (top === null) return undefined;
  if (!/^\d{1,9}$/.test(top) || Number(top) === 0) throw invalid('$top', top, 'a number from 1 on is needed');
  return Number(top);
}

/** Id of the last item of the previous page; undefined for the first page. */
function lastSeen(token: string | null): string | undefined {
  if (token === null) return undefined;
  const id = Buffer.from(token, 'base64url').toString();
  if (!id.startsWith('/')) throw invalid('$skiptoken', token, 'use a nextLink as it is');
  return id;
}

/**
 * Returns one page of a list, with the link to the next. `$top` is the size of a page, not of the list. A page begins after the
 * last id of the previous page, so that no item is skipped if one is deleted in between.
 *
 * @param query the query in the endpoint's spelling; all pages but the first have `$skiptoken`
 */
export function paged(reply: CloudReply, request: CloudRequest, query: URLSearchParams): CloudReply {
  const { value } = (reply.body ?? {}) as { value?: unknown };
  const [top, token] = [query.get('$top'), query.get('$skiptoken')];
  if (!Array.isArray(value) || (top === null && token === null)) return reply;
  const [size = value.length, seen] = [sizeOf(top), lastSeen(token)];
  const rest = value
    .toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
    .filter((item) => seen === undefined || idOf(item) > seen);
  const page = rest.slice(0, size);
  if (page.length === rest.length) return { ...reply, body: { value: page } };
  const next = new URLSearchParams(query);
  next.set('$skiptoken', Buffer.from(idOf(page.at(-1))).toString('base64url'));
  const path = request.segments.map(encodeURIComponent).join('/');
  return {
    ...reply,
    body: { value: page, nextLink: `${request.origin}/${path}?${next.toString()}` },
  };
}
