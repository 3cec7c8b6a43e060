import { containsUnknown, reveal, type CheckFailure, type Properties } from '../protocol';

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns the time without fractions of seconds, as the official provider sends it (Go's `time.RFC3339`). */
export function wholeSeconds(time: string): string {
  return time.replace(/\.\d+/, '');
}

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Returns the milliseconds of a duration in Go's format, such as `240h` or `2400h30m`; undefined for another string. */
export function goDuration(text: string): number | undefined {
  const part = String.raw`(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)`;
  if (!new RegExp(`^(?:${part})+$`).test(text)) return undefined;
  return [...text.matchAll(new RegExp(part, 'g'))].reduce(
    (sum, [, number = '', unit = '']) => sum + Number(number) * (units[unit] ?? 0),
    0,
  );
}

/** Returns failures for `startDate` and `endDate` of a credential; none for values that are not known yet. */
export function checkDates(inputs: Properties): CheckFailure[] {
  return ['startDate', 'endDate'].flatMap((property) => {
    const value = inputs[property];
    const time = value === undefined || containsUnknown(value) ? undefined : reveal(value);
    if (typeof time !== 'string' || (rfc3339.test(time) && !Number.isNaN(Date.parse(time)))) return [];
    return [{ property, reason: `'${time}' is not a time such as 2026-01-31T12:00:00Z (RFC 3339)` }];
  });
}
