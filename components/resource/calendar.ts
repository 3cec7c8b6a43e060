// Local dates and times. Without dependencies: the programs in clusters use them too.
// Node 20 has no Temporal. Its polyfill is slower, and larger than what it replaces.

/** Names of the days of the week. */
export const weekdays: [string, ...string[]] = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
];

/** Milliseconds. */
export const minute = 60_000;
export const day = 24 * 60 * minute;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns weekday, time and date in the time zone. */
export function localTime(timeZone: string, time: number) {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, hourCycle: 'h23', weekday: 'long', year: 'numeric' },
      ...{ month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const clock = `${parts.hour}:${parts.minute}`;
  return {
    today: weekdays.indexOf(parts.weekday ?? ''),
    clock,
    date: `${parts.year}-${parts.month}-${parts.day}T${clock}`,
  };
}

const beginnings = new Map<string, number>();

/** Returns the first time at which calendar and clock in the zone show `local`, or a later time if they skip it. */
export function beginningOf(local: string, timeZone: string): number {
  const key = `${local} ${timeZone}`;
  const known = beginnings.get(key);
  if (known !== undefined) return known;
  const last = asInUtc(local) + day;
  let time = last - 2 * day;
  while (time < last && localTime(timeZone, time).date < local) time += minute;
  beginnings.set(key, time);
  return time;
}

/** Returns the local date, or date and time, as if it were UTC: less than a day from the actual time. */
function asInUtc(local: string): number {
  return Date.parse(`${`${local}T00:00`.slice(0, 16)}Z`);
}

/** Tells whether the string is a date, or a date and time, that exists in the calendar. */
export function isDate(local: string): boolean {
  const time = asInUtc(local);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(local);
}

/** Tells whether the name is a time zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && localTime(name, 0).today >= 0;
  } catch {
    return false;
  }
}
