import { UserError } from '../../components/resource/errors';
import { ownVariables } from './ownVariables';

/** Returns the time for which the program runs: another time than now shows what an update at that time would do. */
export function clock({ [ownVariables.now]: time }: NodeJS.ProcessEnv): Date {
  if (time === undefined) return new Date();
  const date = new Date(time);
  if (!Number.isNaN(date.getTime())) return date;
  throw new UserError(
    `${ownVariables.now} is "${time}". Allowed: a time such as 2027-01-31T12:00:00Z. Correct it, or unset it.`,
  );
}
