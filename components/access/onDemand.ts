/** Access that a person opened for a while. */
export interface OnDemand {
  readonly until: Date;
  readonly reason: string;
}

/** Description of a role assignment that is open on demand: the only record of its end. */
export function describeOnDemand({ until, reason }: OnDemand): string {
  return `until ${until.toISOString().slice(0, 19)}Z; ${reason}`;
}

/** What a description says; undefined if it is of another form. */
export function readOnDemand(description: string | undefined): OnDemand | undefined {
  const [, time = '', reason = ''] =
    /^until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ); (\S.*)$/.exec(description ?? '') ?? [];
  const until = new Date(time);
  // Of a date that no calendar has, such as 31 November, JavaScript makes another one.
  const isDate = !Number.isNaN(until.getTime()) && until.toISOString().startsWith(time.slice(0, -1));
  return isDate ? { until, reason } : undefined;
}

/** By how much the clocks of who opens it and of who judges it may differ, in milliseconds. */
const tolerance = 5 * 60_000;

/**
 * What a person opened, if it is open at `now` (in milliseconds since 1970): its end is neither over nor further away than
 * `limit`, a duration, allows.
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

/** Pattern of a duration: minutes or hours. */
export const durationPattern = /^[1-9]\d{0,3}[mh]$/;

/** Milliseconds of a duration such as `30m` or `4h`; undefined if it is none. */
export function durationOf(text: string): number | undefined {
  if (!durationPattern.test(text)) return undefined;
  return Number(text.slice(0, -1)) * (text.endsWith('h') ? 60 : 1) * 60_000;
}
