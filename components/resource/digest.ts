import { createHash } from 'node:crypto';

/**
 * A digest for names that are to be different for different content: not against somebody who looks for two of one digest.
 * @param length hexadecimal digits; eight are 32 bits, enough for a few thousand names side by side
 */
export function digestOf(content: string, length = 8): string {
  return createHash('sha256').update(content).digest('hex').slice(0, length);
}
