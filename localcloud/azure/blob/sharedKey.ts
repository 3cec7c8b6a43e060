import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock';
import type { CloudRequest } from '../server/exchange';
import { authenticationFailed } from './errors';

// Source: learn.microsoft.com, rest/api/storageservices/authorize-with-shared-key, as of version 2015-02-21.

/** Greatest accepted difference between a request's date and the clock. */
const MINUTES = 15;

const SIGNED_HEADERS = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
];

/** The string that is signed in a request for the account itself. */
function stringToSign({ method, headers, query }: CloudRequest, account: string): string {
  const values = SIGNED_HEADERS.map((name) => {
    if (name === 'date' && headers['x-ms-date'] !== undefined) return '';
    const value = headers[name] ?? '';
    return name === 'content-length' && value === '0' ? '' : value;
  });
  const own = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${(headers[name] ?? '').trim()}`);
  const parameters = [...new Set(query.keys())]
    .map((name) => `${name.toLowerCase()}:${query.getAll(name).sort().join(',')}`)
    .sort();
  return [method, ...values, ...own, `/${account}/`, ...parameters].join('\n');
}

const sign = (text: string, key: string): Buffer =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest();

/**
 * Refuses a request that no key of the account has signed, or whose date is too far from the clock's.
 *
 * @param keys in Base64
 * @throws BlobError
 */
export function checkSharedKey(
  request: CloudRequest,
  account: string,
  keys: readonly string[],
  clock: Pick<Clock, 'now'>,
): void {
  const [, name, signature = ''] =
    /^SharedKey ([a-z0-9]+):(.+)$/.exec(request.headers['authorization'] ?? '') ?? [];
  if (name !== account) throw authenticationFailed('The Authorization header is for another account.');
  const date = request.headers['x-ms-date'] ?? request.headers['date'] ?? '';
  if (!(Math.abs(clock.now() - Date.parse(date)) <= MINUTES * 60_000)) {
    throw authenticationFailed(`Request date header too old: '${date}'`);
  }
  const text = stringToSign(request, account);
  const presented = Buffer.from(signature, 'base64');
  const matches = keys
    .map((key) => sign(text, key))
    .some((expected) => expected.length === presented.length && timingSafeEqual(expected, presented));
  if (matches) return;
  throw authenticationFailed(
    `The MAC signature found in the HTTP request '${signature}' is not the same as any computed signature. Server used following string to sign: '${text}'.`,
  );
}
