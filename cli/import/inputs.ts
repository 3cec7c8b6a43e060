import { isUnknown, secretValue, type Inputs } from './preview';

/** Where what exists is not as the configuration wants it. */
export interface Difference {
  /** `properties.publicNetworkAccess`. */
  path: string;
  actual: unknown;
  wanted: unknown;
}

/**
 * The inputs to record for a resource that was taken in: of what the program says, what really is. What it leaves to
 * Azure is left out, as it is of a resource that the program made: a provider reads everything that could have been
 * an input, and the next update would try to unset it, or replace the resource for it (pulumi-azure-native #3586).
 * @param read what the provider read from Azure
 * @param wanted what the program says
 */
export function recordedInputs(read: Inputs, wanted: Inputs): { inputs: Inputs; differences: Difference[] } {
  const differences: Difference[] = [];
  const inputs = objectOf(read, wanted, '', differences);
  return { inputs, differences };
}

function objectOf(read: Inputs, wanted: Inputs, path: string, differences: Difference[]): Inputs {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(wanted)) {
    const place = path === '' ? key : `${path}.${key}`;
    const recorded = valueOf(read[key], value, place, differences);
    if (recorded !== undefined) result[key] = recorded;
  }
  return result;
}

function valueOf(read: unknown, wanted: unknown, path: string, differences: Difference[]): unknown {
  // Not told: what is there stays, and the next update compares.
  if (isUnknown(wanted) || wanted === secretValue) return read;
  if (isRecord(read) && isRecord(wanted)) return objectOf(read, wanted, path, differences);
  if (Array.isArray(read) && Array.isArray(wanted) && read.length === wanted.length) {
    if (sameSet(read, wanted)) return wanted;
    return wanted.map((item: unknown, index) => valueOf(read[index], item, `${path}[${index}]`, differences));
  }
  if (same(read, wanted, path)) return wanted;
  // An empty list or a false is how many services are told nothing.
  if (read === undefined && (wanted === false || (Array.isArray(wanted) && wanted.length === 0)))
    return wanted;
  differences.push({ path, actual: read, wanted });
  return read;
}

/** Azure compares ids and names without regard to case, and writes regions with and without spaces; not so tags. */
function same(one: unknown, other: unknown, path: string): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string' || path.startsWith('tags')) return false;
  if (path === 'location')
    return one.replaceAll(' ', '').toLowerCase() === other.replaceAll(' ', '').toLowerCase();
  return one.toLowerCase() === other.toLowerCase();
}

function sameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  const texts = (list: readonly unknown[]) =>
    list.map((item) => (typeof item === 'string' ? item.toLowerCase() : undefined)).sort();
  const [a, b] = [texts(one), texts(other)];
  return a.every((item, index) => item !== undefined && item === b[index]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
