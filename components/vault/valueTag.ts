import { digestOf } from '../resource/digest';

/**
 * Tag of a secret with the digest of its value: by it, who may write the secret and not read it sees whether it is current.
 * The value is a key that nobody can guess, so the digest tells nothing about it.
 */
export const valueTag = 'aks-workload-identity-digest';

/** The whole digest (SHA-256): no two values have one. */
export function valueDigest(value: string): string {
  return digestOf(value, 64);
}
