import { UserError } from '../../components/resource/errors';

/**
 * Returns the time for which the program runs: now, or the time in AKS_WI_NOW (ISO 8601), which shows what an update at that
 * time would do.
 */
export function clock({ AKS_WI_NOW: given }: NodeJS.ProcessEnv): Date {
  if (given === undefined) return new Date();
  const time = new Date(given);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UserError(
    `AKS_WI_NOW is "${given}". Allowed: a time such as 2027-01-31T12:00:00Z. Correct it, or unset it.`,
  );
}
