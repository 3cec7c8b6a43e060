import { nearestOnes } from './nearest';
import type { Path, Problem } from './problem';

/** More known keys than these are not listed beside a suggestion. */
const shortList = 8;

/** Keys of earlier versions, with the key of today that replaces each. */
const formerKeys: Readonly<Record<string, { readonly today?: string; readonly remedy: string }>> = {
  adopt: { today: 'existing', remedy: 'Call it `existing`.' },
  adopted: { today: 'imported', remedy: 'Call it `imported`.' },
  deletion: {
    today: 'retainOnDelete',
    remedy:
      'Set `retainOnDelete` instead: `true` for what was `deletion: kept`, `false` for what was `deletion: allowed`.',
  },
  deletions: {
    remedy:
      'Remove it. What was taken out of the stack file stays in Azure, and `npx aks-wi leftovers` lists it with the command that deletes it.',
  },
};

/** For a misspelt key, suggests the right one; for any other, lists the known keys. */
export function unknownKey(path: Path, key: string, known: readonly string[]): Problem {
  const former = Object.hasOwn(formerKeys, key) ? formerKeys[key] : undefined;
  if (former !== undefined && (former.today === undefined || known.includes(former.today)))
    return { path, what: 'is a key of an earlier version', remedy: former.remedy };
  const near = nearestOnes(key, known);
  return {
    path,
    what: 'is not a known key',
    ...((near.length === 0 || known.length <= shortList) && { allowed: known.join(', ') }),
    remedy: near.length === 0 ? 'Remove it.' : `Did you mean ${near.join(' or ')}?`,
  };
}
