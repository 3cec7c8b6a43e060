import { QueryError } from './errors';

/** A time range in milliseconds since the epoch. */
export interface Range {
  from: number;
  to: number;
}

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

function durationOf(text: string): number | undefined {
  const match = /\d/.test(text) ? DURATION.exec(text) : null;
  if (match === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part) || 0);
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/**
 * Parses an ISO 8601 range: a duration that ends now, or two of beginning, duration and end. Years, months and weeks are not
 * supported.
 */
export function rangeOf(timespan: string | undefined, now: number): Range {
  if (timespan === undefined) return { from: 0, to: Infinity };
  const parts = timespan.split('/');
  const [left = '', right] = parts;
  const [first, second] = [durationOf(left), durationOf(right ?? '')];
  const [begin, end] = [Date.parse(left), right === undefined ? now : Date.parse(right)];
  const range =
    first === undefined
      ? { from: begin, to: second === undefined ? end : begin + second }
      : { from: end - first, to: end };
  const complete = right !== undefined || first !== undefined;
  if (parts.length <= 2 && complete && !Number.isNaN(range.from + range.to)) return range;
  throw new QueryError(400, 'BadArgumentError', 'The request had some invalid properties', {
    code: 'InvalidTimespan',
    message: `'${timespan}' is not a timespan of ISO 8601 that the local cloud knows.`,
  });
}
