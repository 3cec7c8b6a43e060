import { digestOf } from '../resource/digest';

/**
 * Tag of a secret with the digest of its value. It shows whether the secret is current to a writer that may not read it.
 * The value is a key that cannot be guessed, so the digest reveals nothing about it.
 */
export const valueTag = 'aks-workload-identity-digest';

/** Returns the whole digest (SHA-256): different values have different digests. */
export function valueDigest(value: string): string {
  return digestOf(value, 64);
}
