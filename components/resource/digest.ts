import { createHash } from 'node:crypto';

/**
 * Returns a digest for names: different content gives different names. It is too short to resist a deliberate collision.
 * @param length number of hexadecimal digits; eight (32 bits) are enough for a few thousand names
 */
export function digestOf(content: string, length = 8): string {
  return createHash('sha256').update(content).digest('hex').slice(0, length);
}
