import { createHash, randomBytes } from 'node:crypto';
import type { CheckOptions } from '../protocol';

const suffixLength = 8;

/** `name-1a2b3c4d`. The engine's seed makes a preview and its update agree on it. */
export function generatedName(options: CheckOptions): string {
  const suffix =
    options.randomSeed.length > 0
      ? createHash('sha256').update(options.randomSeed).update(options.name).digest('hex')
      : randomBytes(suffixLength).toString('hex');
  return `${options.name}-${suffix.slice(0, suffixLength)}`;
}

/** The same few characters for the same resource in the same stack, whoever runs the update. */
export function resourceHash(urn: string): string {
  return createHash('sha256').update(urn).digest('hex').slice(0, suffixLength);
}
