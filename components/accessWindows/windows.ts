// Computes when access windows are open. Pure and without dependencies: the program, the reconciler and the verification get
// the same results.
import { beginningOf, day, localTime, minute, weekdays } from '../resource/calendar';

/** The times at which a grant is open, in the local time of one time zone. */
export interface AccessWindow {
  /** Days of the week on which it opens: `Monday` to `Sunday`. Default: every day. */
  readonly days?: string[];
  /** Time at which it opens, `00:00` to `23:59`. Default: `00:00`. */
  readonly from?: string;
  /** Time at which it closes, `00:00` to `24:00`; on the next day if this is not after `from`. Default: `24:00`. */
  readonly to?: string;
  /** Time zone of these dates and times: a name of the IANA database, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** Date, or date and time, before which it stays closed: `2026-12-01` or `2026-12-01T08:00`. Default: none. */
  readonly validFrom?: string;
  /** Date, or date and time, from which it stays closed. Default: none. */
  readonly validUntil?: string;
}

/**
 * Time before the opening of a window at which its role is assigned. Azure takes up to 10 minutes for a direct role
 * assignment and for its removal (azure-docs articles/role-based-access-control/troubleshooting.md).
 */
export const lead = 10 * minute;

/** Search span that contains every weekday at every time of day. */
const horizon = 8 * day;
/** Search span that contains every weekday twice: if the clocks skip a time on one, it exists on the other. */
const twoWeeks = 15 * day;

/** Reference time for windows without dates. */
const anyTime = Date.UTC(2026, 0, 19);

/**
 * Tells whether the window is open at the time (in milliseconds since 1970). The local clock decides: a time that the
 * clocks skip is in no window, and an hour that they repeat is in it twice. `validFrom` and `validUntil` take effect once.
 */
export function isOpen(window: AccessWindow, time: number): boolean {
  const { days = weekdays, from = '00:00', to = '24:00', timeZone, validFrom, validUntil } = window;
  if (validFrom !== undefined && time < beginningOf(validFrom, timeZone)) return false;
  if (validUntil !== undefined && time >= beginningOf(validUntil, timeZone)) return false;
  const { today, clock } = localTime(timeZone, time);
  const begins = (weekday: number) => days.includes(weekdays[weekday % 7] ?? '');
  if (from < to) return begins(today) && clock >= from && clock < to;
  return (begins(today) && clock >= from) || (begins(today + 6) && clock < to);
}

const anyOpen = (windows: readonly AccessWindow[], time: number) =>
  windows.some((window) => isOpen(window, time));

/** Tells whether one of the windows is open at any minute from `start` to `end`. */
export function opensWithin(windows: readonly AccessWindow[], start: number, end: number): boolean {
  for (let time = start; time <= end; time += minute) if (anyOpen(windows, time)) return true;
  return false;
}

/** Tells whether the role must be assigned at the time: a window is open, or opens within the time that Azure needs. */
export function isWanted(windows: readonly AccessWindow[], time: number): boolean {
  return opensWithin(windows, time, time + lead);
}

/** Returns when the windows next open or close; undefined if they do not within 8 days. */
export function nextChange(windows: readonly AccessWindow[], now: number): Date | undefined {
  const open = anyOpen(windows, now);
  const start = now - (now % minute) + minute;
  for (let time = start; time <= now + horizon; time += minute)
    if (anyOpen(windows, time) !== open) return new Date(time);
  return undefined;
}

/** Tells whether the window is never open. */
export function neverOpens(window: AccessWindow): boolean {
  const { timeZone, validFrom, validUntil } = window;
  const last = validUntil === undefined ? anyTime : beginningOf(validUntil, timeZone);
  const first = validFrom === undefined ? last - twoWeeks : beginningOf(validFrom, timeZone);
  const end = first + twoWeeks;
  return !opensWithin([window], first, validUntil === undefined ? end : Math.min(end, last));
}

/** Describes briefly when the window is open. */
export function describeWindow({ days, from, to, timeZone, validFrom, validUntil }: AccessWindow): string {
  return [
    days === undefined ? 'every day' : days.join(', '),
    ...(from === undefined ? [] : [`${from} to ${to ?? '24:00'}${from === to ? ' (24 hours)' : ''}`]),
    ...[timeZone, validFrom && `from ${validFrom}`, validUntil && `until ${validUntil}`].filter(Boolean),
  ].join(' ');
}
