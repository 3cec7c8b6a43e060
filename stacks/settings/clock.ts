import { UserError } from '../../components/resource/errors';

/** The time for which the program runs: now, or a time that AKS_WI_NOW gives (ISO 8601), to see what an update then would do. */
export function clock({ AKS_WI_NOW: given }: NodeJS.ProcessEnv): Date {
  if (given === undefined) return new Date();
  const time = new Date(given);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UserError(
    `AKS_WI_NOW is "${given}". Allowed: a time such as 2027-01-31T12:00:00Z. Correct it, or unset it.`,
  );
}
