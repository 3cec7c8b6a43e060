import { messageOf } from '../../components/resource/errors';
import { hintFor } from './failures';
import { UserError } from '../userError';

/** The result of a check. */
export interface Finding {
  readonly check: string;
  /** `warning`: it works, but part of it does not, or could not be checked. */
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** Next step for the user; undefined for `ok`. */
  readonly hint?: string;
}

/** Result of a check that found something less than an error. */
export type Warning = Pick<Finding, 'detail' | 'hint'>;

/** Runs a check: it returns what is right, or a warning, or throws what is wrong with a hint. Never rejects. */
export async function checked(check: string, judge: () => Promise<string | Warning>): Promise<Finding> {
  try {
    const found = await judge();
    return typeof found === 'string'
      ? { check, state: 'ok', detail: found }
      : { check, state: 'warning', ...found };
  } catch (error) {
    const message = messageOf(error);
    const detail = message.trim().split(/\r?\n/, 1)[0] ?? '';
    const own = error instanceof UserError ? error.hint : undefined;
    const hint = hintFor(message) ?? own ?? 'Correct the cause, and run the command again.';
    return { check, state: 'failed', detail, hint };
  }
}
