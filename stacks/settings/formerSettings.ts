import type { Path } from './problem';

// Settings of earlier versions, and what says the same today.

const keys: Readonly<Record<string, string>> = {
  adopt: 'Today, what exists is named by `existing`, a cluster by `mode: existing` and `id`.',
  adopted: 'Call it `imported`.',
  deletion:
    'Set `retainOnDelete` instead: `true` for what was `deletion: kept`, `false` for what was `deletion: allowed`.',
  deletions:
    'Remove it. What was taken out of the stack file stays in Azure, and `npx aks-wi leftovers` lists it with the command that deletes it.',
};

const formerRetention: Readonly<Record<string, boolean>> = { kept: true, allowed: false };

/** What to do about a key of an earlier version; undefined for any other key. */
export function formerKey(key: string): string | undefined {
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/** What to do about a value of an earlier version; undefined for any other value. */
export function formerValue(path: Path, value: string): string | undefined {
  if (path.at(-1) !== 'retainOnDelete' || !Object.hasOwn(formerRetention, value)) return undefined;
  return `Write \`${String(formerRetention[value])}\`, which is what \`${value}\` was.`;
}
