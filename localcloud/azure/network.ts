import { BlockList, isIPv4 } from 'node:net';

const BITS = 32;

/** Address and prefix length of an IPv4 address or CIDR range; undefined for any other text. */
export function parseRange(text: string): { address: string; prefix: number } | undefined {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0 || !isIPv4(address)) return undefined;
  if (length === undefined) return { address, prefix: BITS };
  const prefix = /^\d{1,2}$/.test(length) ? Number(length) : BITS + 1;
  return prefix <= BITS ? { address, prefix } : undefined;
}

export const isRange = (text: string): boolean => parseRange(text) !== undefined;

/** Whether an address is in one of the ranges. */
export function inRanges(address: string, ranges: readonly string[]): boolean {
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseRange(text);
    if (range !== undefined) list.addSubnet(range.address, range.prefix, 'ipv4');
  }
  return list.check(address, 'ipv4');
}

/** The address of all callers: the local cloud listens on loopback only. */
export const CLIENT_ADDRESS = '127.0.0.1';
