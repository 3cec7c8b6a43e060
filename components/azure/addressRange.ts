/** Pattern of IPv4 addresses and ranges that Azure's firewalls accept. */
export const addressRangePattern =
  /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!\/|$)|(?=\/|$))){4}(?:\/(?:3[0-2]|[12]?\d))?$/;

/** Returns a single address as a range of one, which is how Azure returns it. */
export function asRange(range: string): string {
  return range.includes('/') ? range : `${range}/32`;
}

/** Returns the first and the last address of an IPv4 range (`203.0.113.0/24`) or of a single address. */
export function addressBounds(range: string): { readonly first: string; readonly last: string } {
  const [address = '', bits = '32'] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = number - (number % size);
  return { first: dotted(first), last: dotted(first + size - 1) };
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
