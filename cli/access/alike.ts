import { grantedName } from '../../stacks/offline';
import type { AccessEntry } from '../../stacks/access/model';

/** Entries that differ in their secret or role alone. */
export interface AlikeEntries {
  readonly first: AccessEntry;
  /** `<vault>/<secret>`, or `<role> on <scope>`, of all of them. */
  readonly granted: readonly string[];
}

/** Puts the entries together that differ in their secret or role alone. */
export function alike(entries: readonly AccessEntry[]): AlikeEntries[] {
  const rows = new Map<string, { first: AccessEntry; granted: string[] }>();
  for (const entry of entries) {
    const key = JSON.stringify({ ...entry, vault: '', secret: '', role: '', scope: '' });
    const row = rows.get(key) ?? { first: entry, granted: [] };
    row.granted.push(grantedName(entry));
    rows.set(key, row);
  }
  return [...rows.values()];
}
