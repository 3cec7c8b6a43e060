import { createHash, randomBytes } from 'node:crypto';
import type { CheckOptions } from '../protocol';

const suffixLength = 8;

/** Returns a name such as `name-1a2b3c4d`. The engine's seed gives a preview and its update the same name. */
export function generatedName(options: CheckOptions): string {
  const suffix =
    options.randomSeed.length > 0
      ? createHash('sha256').update(options.randomSeed).update(options.name).digest('hex')
      : randomBytes(suffixLength).toString('hex');
  return `${options.name}-${suffix.slice(0, suffixLength)}`;
}

/** Returns a short hash of the resource's URN, the same on every machine. */
export function resourceHash(urn: string): string {
  return createHash('sha256').update(urn).digest('hex').slice(0, suffixLength);
}
