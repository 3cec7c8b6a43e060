import type { AccessEntry } from '../../stacks/access/model';

/** Entries that differ in their secret alone. */
export interface AlikeEntries {
  readonly first: AccessEntry;
  /** `<vault>/<secret>` of all of them. */
  readonly secrets: readonly string[];
}

/** Puts the entries together that differ in their secret alone. */
export function alike(entries: readonly AccessEntry[]): AlikeEntries[] {
  const rows = new Map<string, { first: AccessEntry; secrets: string[] }>();
  for (const entry of entries) {
    const key = JSON.stringify({ ...entry, vault: '', secret: '' });
    const row = rows.get(key) ?? { first: entry, secrets: [] };
    row.secrets.push(`${entry.vault}/${entry.secret}`);
    rows.set(key, row);
  }
  return [...rows.values()];
}
