import { isDate } from '../../components/resource/calendar';
import { isOver } from '../settings/schema/policies';
import type { Check } from './context';
import { repeated } from './context';

/** Tells whether a stack is probably for production, by its name. */
export const looksLikeProduction = (stack: string): boolean => /^prod/i.test(stack);

/** Checks of the settings of the policies: a production stack must say that it is one; exceptions are temporary and unique. */
export const policyChecks: readonly Check[] = [
  function* ({ policies, environment }) {
    if (policies?.production === undefined && looksLikeProduction(environment))
      yield {
        path: ['policies', 'production'],
        what: `is missing: ${environment} looks like a production stack by its name, but only this setting decides which policies apply`,
        allowed: 'true or false',
        hint: 'Set `production: true`, or false if nobody needs its data.',
      };
  },

  function* ({ policies: { exceptions = [] } = {}, now }) {
    const today = now.toISOString().slice(0, 10);
    const inAYear = `${now.getUTCFullYear() + 1}${today.slice(4)}`;
    for (const [index, exception] of exceptions.entries()) {
      const { policy, resource, until } = exception;
      const path = ['policies', 'exceptions', index, 'until'];
      if (!isDate(until)) yield { path, what: 'is not in the calendar', allowed: 'a date in the calendar' };
      else if (isOver(exception, now))
        yield {
          path,
          what: `is past: the exception of ${resource} from the policy ${policy} has expired`,
          allowed: `${today} or later`,
          hint: 'Correct the resource and remove the exception. If it is still needed, approve it again with a later date.',
        };
      else if (until > inAYear)
        yield {
          path,
          what: 'is more than a year ahead: exceptions are temporary',
          allowed: `${inAYear} or earlier`,
          hint: 'Set an earlier date, and approve it again then.',
        };
    }
    const keyed = exceptions.map((exception) => `${exception.policy} ${exception.resource}`);
    for (const { item, index } of repeated(keyed, (exception) => exception))
      yield {
        path: ['policies', 'exceptions', index],
        what: `repeats the exception ${item}`,
        allowed: 'one exception for a policy and a resource',
        hint: 'Remove one of them.',
      };
  },
];
