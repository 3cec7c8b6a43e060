import type { RestartPolicy } from '../api/types';

const firstMs = 1000;
const longestMs = 60_000;

/** Milliseconds after which a running container counts as recovered, so that its next restart is not delayed. */
export const recoveredAfterMs = 60_000;

export function restarts(policy: RestartPolicy, exitCode: number): boolean {
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/**
 * Returns the delay before a restart, by the number of consecutive restarts. Like a kubelet's, it is first 0 and then
 * doubles, but from 1 s to 1 min instead of 10 s to 5 min, because a developer is waiting.
 */
export function backoffMs(restartsInARow: number): number {
  return restartsInARow === 0 ? 0 : Math.min(firstMs * 2 ** (restartsInARow - 1), longestMs);
}
