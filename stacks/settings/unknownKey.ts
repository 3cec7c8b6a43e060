import { formerKey } from './formerSettings';
import { nearestOnes } from './nearest';
import type { Path, Problem } from './problem';

/** More known keys than these are not listed beside a suggestion. */
const shortList = 8;

/** For a misspelt key, suggests the right one; for any other, lists the known keys. */
export function unknownKey(path: Path, key: string, known: readonly string[]): Problem {
  const remedy = formerKey(key);
  if (remedy !== undefined) return { path, what: 'is a key of an earlier version', remedy };
  const near = nearestOnes(key, known);
  return {
    path,
    what: 'is not a known key',
    ...((near.length === 0 || known.length <= shortList) && { allowed: known.join(', ') }),
    remedy: near.length === 0 ? 'Remove it.' : `Did you mean ${near.join(' or ')}?`,
  };
}
