import type { Path, Problem } from '../settings/problem';

/**
 * Yields a problem if credentials are renewed so early that more than two would be valid at a time.
 * @param what what is valid for `validityDays`, in the singular
 */
export function* validityProblems(
  path: Path,
  { validityDays, renewBeforeDays }: { readonly validityDays: number; readonly renewBeforeDays: number },
  what: string,
): Generator<Problem> {
  if (renewBeforeDays > validityDays / 2)
    yield {
      path: [...path, 'renewBeforeDays'],
      value: String(renewBeforeDays),
      what: `is more than half of the ${validityDays} days for which each ${what} is valid: more than two would be valid at once`,
      allowed: `at most ${Math.floor(validityDays / 2)} with this \`validityDays\``,
      hint: 'Lower it, or raise `validityDays`.',
    };
}
