import { BlockList, isIPv4 } from 'node:net';

const BITS = 32;

/** Address and prefix length of an IPv4 address or CIDR range; undefined for any other string. */
export function parseRange(text: string): { address: string; prefix: number } | undefined {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0 || !isIPv4(address)) return undefined;
  if (length === undefined) return { address, prefix: BITS };
  const prefix = /^\d{1,2}$/.test(length) ? Number(length) : BITS + 1;
  return prefix <= BITS ? { address, prefix } : undefined;
}

export const isRange = (text: string): boolean => parseRange(text) !== undefined;

/** Tells whether an address is in one of the ranges. */
export function inRanges(address: string, ranges: readonly string[]): boolean {
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseRange(text);
    if (range !== undefined) list.addSubnet(range.address, range.prefix, 'ipv4');
  }
  return list.check(address, 'ipv4');
}

const number = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 2 ** 8 + Number(part), 0);

/** First and last address of a range, as numbers; undefined for any other string. */
function boundsOf(text: string): { first: number; last: number } | undefined {
  const range = parseRange(text);
  if (range === undefined) return undefined;
  const size = 2 ** (BITS - range.prefix);
  const first = Math.floor(number(range.address) / size) * size;
  return { first, last: first + size - 1 };
}

/** Tells whether a range begins with its first address: 10.0.0.0/16 does, 10.0.1.0/16 does not. */
export function isAligned(text: string): boolean {
  const range = parseRange(text);
  return range !== undefined && boundsOf(text)?.first === number(range.address);
}

/** Tells whether a range lies within another one or equals it. */
export function isWithin(inner: string, outer: string): boolean {
  const [a, b] = [boundsOf(inner), boundsOf(outer)];
  return a !== undefined && b !== undefined && b.first <= a.first && a.last <= b.last;
}

/** Tells whether two ranges have an address in common. */
export function overlap(first: string, second: string): boolean {
  const [a, b] = [boundsOf(first), boundsOf(second)];
  return a !== undefined && b !== undefined && a.first <= b.last && b.first <= a.last;
}

/** The address of all callers: the local cloud listens on loopback only. */
export const CLIENT_ADDRESS = '127.0.0.1';
