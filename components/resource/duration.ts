/** Pattern of a duration: minutes or hours. */
export const durationPattern = /^[1-9]\d{0,3}[mh]$/;

/** Returns the milliseconds of a duration such as `30m` or `4h`; undefined if the string is not a duration. */
export function durationOf(text: string): number | undefined {
  if (!durationPattern.test(text)) return undefined;
  return Number(text.slice(0, -1)) * (text.endsWith('h') ? 60 : 1) * 60_000;
}
