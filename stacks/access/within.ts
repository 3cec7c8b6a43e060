import type { AccessWindow } from '../../components/access/calendar';
import { weekdays } from '../../components/access/calendar';

const day = 24 * 60;
const week = 7 * day;

/** Whether some windows are open only when the others are: known of windows with the same time zone and the same validity. */
export function isWithin(inner: readonly AccessWindow[], outer: readonly AccessWindow[]): boolean {
  return inner.every((one) => {
    const alike = outer.filter(
      ({ timeZone, validFrom, validUntil }) =>
        sameZone(timeZone, one.timeZone) &&
        // A validity within the other, or none there.
        (validFrom === undefined || (one.validFrom !== undefined && one.validFrom >= validFrom)) &&
        (validUntil === undefined || (one.validUntil !== undefined && one.validUntil <= validUntil)),
    );
    const open = new Set(alike.flatMap(minutesOf));
    return minutesOf(one).every((minute) => open.has(minute));
  });
}

/** The minutes of the week in which a window is open, from Monday at midnight. */
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

/** Time zones have several names. */
function sameZone(one: string, other: string): boolean {
  const [first, second] = [one, other].map(
    (timeZone) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone,
  );
  return first === second;
}
