import type { Path } from './problem';

// Settings of earlier versions, and what says the same today.

interface Former {
  /** The key of today; undefined if there is none. */
  readonly today?: string;
  readonly remedy: string;
}

/** For each key, the first counts whose key of today is known at the place. */
const keys: Readonly<Record<string, readonly Former[]>> = {
  adopt: [
    { today: 'existing', remedy: 'Call it `existing`.' },
    { today: 'id', remedy: 'Set `mode: existing` and `id` instead.' },
    { remedy: 'Remove it. It is called `existing` today, at the places that docs/configuration.md names.' },
  ],
  adopted: [{ today: 'imported', remedy: 'Call it `imported`.' }],
  deletion: [
    {
      today: 'retainOnDelete',
      remedy:
        'Set `retainOnDelete` instead: `true` for what was `deletion: kept`, `false` for what was `deletion: allowed`.',
    },
  ],
  deletions: [
    {
      remedy:
        'Remove it. What was taken out of the stack file stays in Azure, and `npx aks-wi leftovers` lists it with the command that deletes it.',
    },
  ],
};

const retained: Readonly<Record<string, boolean>> = { kept: true, allowed: false };

/** What to do about a key of an earlier version; undefined for any other key. */
export function formerKey(key: string, known: readonly string[]): string | undefined {
  const former = Object.hasOwn(keys, key) ? keys[key] : undefined;
  return former?.find(({ today }) => today === undefined || known.includes(today))?.remedy;
}

/** What to do about a value of an earlier version; undefined for any other value. */
export function formerValue(path: Path, value: string): string | undefined {
  if (path.at(-1) !== 'retainOnDelete' || !Object.hasOwn(retained, value)) return undefined;
  return `Write \`${String(retained[value])}\`, which is what \`${value}\` was.`;
}
