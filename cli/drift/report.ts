import pc from 'picocolors';
import type { ForeignAccess } from '../../verification/removal';
import { shownInLine } from '../shownOnTerminal';
import type { Authored } from './authors';
import type { Drifted } from './drifted';

/** A difference between what is in Azure or in a cluster and what the stack deployed. */
export type Drift = ((Drifted & { readonly hint?: string | undefined }) | Added) & {
  /** Undefined if the activity log does not show the author. */
  readonly author?: Authored | undefined;
};

/** Access that somebody granted outside the stack. */
type Added = ForeignAccess & { readonly change: 'added' };

/** Result of the command, which it prints with `--json`. */
export interface DriftReport {
  readonly stack: string;
  readonly drift: readonly Drift[];
  /** Notes on clusters and resources that could not be compared. */
  readonly notes: readonly string[];
  /** The next step for the user; undefined if there is none. */
  readonly hint?: string | undefined;
}

const changes = ['changed', 'deleted', 'added'] as const;
const colors = { changed: pc.yellow, deleted: pc.red, added: pc.red };

/** Returns counts by kind: `2 changed, 1 added`. */
export function countDrift(drift: readonly Drift[]): string {
  return changes
    .map((change) => ({ change, count: drift.filter((entry) => entry.change === change).length }))
    .filter(({ count }) => count > 0)
    .map(({ change, count }) => `${count} ${change}`)
    .join(', ');
}

/** Returns a short title of what drifted. */
export const titleOf = (entry: Drift): string =>
  entry.change === 'added' ? `${entry.on} ${entry.what}` : `${entry.type} ${entry.name}`;

/** Returns each difference or other details; the author is the last. */
export function detailsOf(entry: Drift): string[] {
  const { author } = entry;
  const own =
    entry.change === 'added'
      ? [`remove it: ${entry.removal}`]
      : [
          ...entry.differences.map(({ path, was, is }) => `${path}: ${shown(was)} → ${shown(is)}`),
          ...(entry.hint === undefined ? [] : [entry.hint]),
        ];
  if (author === undefined) return own;
  return [...own, `by ${author.by} at ${author.time.toISOString().slice(0, 19)}Z`];
}

/** Returns a value on one line. */
function shown(value: unknown): string {
  if (value === undefined) return 'not set';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function renderDrift({ stack, drift, notes, hint }: DriftReport): string {
  const below = notes.map((note) => `\n${pc.yellow('!')} ${shownInLine(note)}\n`).join('');
  if (drift.length === 0) return `Stack ${stack} has no drift.\n${below}`;
  const blocks = drift.map((entry) =>
    [
      `${colors[entry.change](entry.change.padEnd(7))}  ${pc.bold(shownInLine(titleOf(entry)))}`,
      ...detailsOf(entry).map((line) => `         ${shownInLine(line)}`),
    ].join('\n'),
  );
  const advice = hint === undefined ? '' : `\n→ ${hint}\n`;
  return `${blocks.join('\n')}\n\n${pc.red('✗')} Stack ${stack} has drift: ${countDrift(drift)}.\n${below}${advice}`;
}
