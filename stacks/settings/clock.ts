import { UserError } from '../../components/resource/errors';

/**
 * Returns the time for which the program runs: now, or the time in AKS_WI_NOW (ISO 8601), which shows what an update at that
 * time would do.
 */
export function clock({ AKS_WI_NOW: time }: NodeJS.ProcessEnv): Date {
  if (time === undefined) return new Date();
  const date = new Date(time);
  if (!Number.isNaN(date.getTime())) return date;
  throw new UserError(
    `AKS_WI_NOW is "${time}". Allowed: a time such as 2027-01-31T12:00:00Z. Correct it, or unset it.`,
  );
}
