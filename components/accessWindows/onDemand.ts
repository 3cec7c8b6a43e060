import { durationOf } from '../resource/duration';

/** Access that a person opened for a limited time. */
export interface OnDemand {
  readonly until: Date;
  readonly reason: string;
}

/** Returns the description of a role assignment that is open on demand. It is the only record of the end. */
export function describeOnDemand({ until, reason }: OnDemand): string {
  return `until ${until.toISOString().slice(0, 19)}Z; ${reason}`;
}

/** Parses a description; undefined if it has another form. */
export function readOnDemand(description: string | undefined): OnDemand | undefined {
  const [, time = '', reason = ''] =
    /^until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ); (\S.*)$/.exec(description ?? '') ?? [];
  const until = new Date(time);
  // JavaScript turns a date that does not exist, such as 31 November, into another one.
  const isDate = !Number.isNaN(until.getTime()) && until.toISOString().startsWith(time.slice(0, -1));
  return isDate ? { until, reason } : undefined;
}

/** Tolerated difference, in milliseconds, between the clocks of the machines that open and that check access. */
const tolerance = 5 * 60_000;

/**
 * Returns what a person opened, if it is open at `now` (in milliseconds since 1970): its end is in the future, and not further
 * away than `limit`, a duration, allows.
 */
export function openOnDemand(
  description: string | undefined,
  limit: string | undefined,
  now: number,
): OnDemand | undefined {
  const opened = readOnDemand(description);
  const longest = durationOf(limit ?? '');
  if (opened === undefined || longest === undefined) return undefined;
  const left = opened.until.getTime() - now;
  return left > 0 && left <= longest + tolerance ? opened : undefined;
}
