import { grantedKey } from '../plan/granted';
import type { Access, AccessEntry } from './model';

/** An entry of both, which more can use than before, or fewer. */
export interface ChangedAccess {
  readonly before: AccessEntry;
  readonly after: AccessEntry;
  /** `<namespace>/<service account>` and names of identities that only `after` has. */
  readonly more: readonly string[];
  /** Those that only `before` has. */
  readonly fewer: readonly string[];
}

/** What differs in who can read what. */
export interface AccessDifference {
  readonly before: string;
  readonly after: string;
  readonly gained: readonly AccessEntry[];
  readonly lost: readonly AccessEntry[];
  /** More service accounts or identities can read it, or at other times, or it is no longer named. */
  readonly widened: readonly ChangedAccess[];
  readonly narrowed: readonly ChangedAccess[];
}

const keyOf = (entry: AccessEntry): string => [entry.cluster, entry.reader, grantedKey(entry)].join('\n');

/** Compares who can read what before and after a change. */
export function accessDifference(before: Access, after: Access): AccessDifference {
  const was = new Map(before.entries.map((entry) => [keyOf(entry), entry]));
  const is = new Map(after.entries.map((entry) => [keyOf(entry), entry]));
  const changed = after.entries.flatMap((entry): ChangedAccess[] => {
    const held = was.get(keyOf(entry));
    if (held === undefined) return [];
    const [more, fewer] = [without(entry, held), without(held, entry)];
    return more.length + fewer.length === 0 &&
      held.overreach === entry.overreach &&
      held.atTimes === entry.atTimes
      ? []
      : [{ before: held, after: entry, more, fewer }];
  });
  const isWider = ({ before: held, after: entry, more }: ChangedAccess): boolean =>
    more.length > 0 ||
    (entry.overreach && !held.overreach) ||
    // Other times may be more: a person judges them.
    (held.atTimes !== undefined && held.atTimes !== entry.atTimes);
  return {
    before: before.environment,
    after: after.environment,
    gained: after.entries.filter((entry) => !was.has(keyOf(entry))),
    lost: before.entries.filter((entry) => !is.has(keyOf(entry))),
    widened: changed.filter(isWider),
    narrowed: changed.filter((one) => !isWider(one)),
  };
}

function without(one: AccessEntry, other: AccessEntry): string[] {
  const held = new Set([...other.serviceAccounts, ...other.identities]);
  return [...one.serviceAccounts, ...one.identities].filter((name) => !held.has(name));
}
