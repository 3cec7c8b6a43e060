import { createHash, randomBytes } from 'node:crypto';
import type { ResourceType } from './table';

/** The source of a generated name. */
export interface NameSeed {
  /** The resource's name in the program. */
  name: string;
  /** The engine's seed, the same for a preview and its update. May be empty. */
  randomSeed: Uint8Array;
}

/** Returns a name for a resource to which the program gives none. */
export function generateName(kind: NonNullable<ResourceType['autoName']>, seed: NameSeed): string {
  switch (kind) {
    case 'copy':
      return seed.name;
    case 'random':
      return `${seed.name}${hexadecimal(seed, 8)}`;
    case 'guid':
      return asGuid(hexadecimal(seed, 32));
  }
}

function hexadecimal(seed: NameSeed, digits: number): string {
  if (seed.randomSeed.length === 0) return randomBytes(digits / 2).toString('hex');
  return createHash('sha256').update(seed.randomSeed).update(seed.name).digest('hex').slice(0, digits);
}

/** Returns random hexadecimal digits as a GUID of version 4 (RFC 9562). */
function asGuid(digits: string): string {
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
