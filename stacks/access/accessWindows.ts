import type { AccessWindow } from '../../components/accessWindows/windows';
import { weekdays } from '../../components/resource/calendar';

const day = 24 * 60;
const week = 7 * day;

/** Tells whether the inner windows are open only while the outer ones are. Only windows in the same time zone are compared. */
export function isWithin(inner: readonly AccessWindow[], outer: readonly AccessWindow[]): boolean {
  return inner.every((window) => {
    const { validFrom: start, validUntil: end } = window;
    const comparable = outer.filter(
      ({ timeZone, validFrom, validUntil }) =>
        sameZone(timeZone, window.timeZone) &&
        (validFrom === undefined || (start !== undefined && start >= validFrom)) &&
        (validUntil === undefined || (end !== undefined && end <= validUntil)),
    );
    const open = new Set(comparable.flatMap(minutesOf));
    return minutesOf(window).every((minute) => open.has(minute));
  });
}

/** Returns the minutes of the week in which a window is open, from Monday at midnight. */
function minutesOf({ days = weekdays, from = '00:00', to = '24:00' }: AccessWindow): number[] {
  const [start, end] = [minuteOf(from), minuteOf(to)];
  const length = end > start ? end - start : end + day - start;
  return days.flatMap((name) => {
    const first = weekdays.indexOf(name) * day + start;
    return Array.from({ length }, (_, index) => (first + index) % week);
  });
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Compares time zones by their canonical names. */
function sameZone(one: string, other: string): boolean {
  const [first, second] = [one, other].map(
    (timeZone) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone,
  );
  return first === second;
}
