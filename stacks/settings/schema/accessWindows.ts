import * as z from 'zod';
import { weekdays } from '../../../components/resource/calendar';
import { durationPattern } from '../../../components/resource/duration';
import { roles } from './roles';
import { choice, field, list, name, object, pattern, reconcilerFields } from './fields';

const time = (description: string, allowed: string, regex = /^([01]\d|2[0-3]):[0-5]\d$/) =>
  pattern(regex, description, `${allowed}, in quotes`).optional();

const date = (description: string) =>
  pattern(
    /^\d{4}-\d\d-\d\d(T([01]\d|2[0-3]):[0-5]\d)?$/,
    description,
    "a local date, or date and time, in quotes, such as '2026-12-01' or '2026-12-01T08:00'",
  ).optional();

const shape = {
  secrets: field(z.array(name('keyVaultSecret', 'Name of a secret in the vault.')).min(1), {
    description:
      'Names of the secrets that the application may read only during the window. They must not be in its `secrets`.',
    allowed: 'a list of at least one name',
  }).default([]),
  roles: roles(
    "Roles that the application's identities have only during the window. They must not be in its `roles`.",
  ),
  days: field(z.array(choice(weekdays, 'A day of the week.')).min(1), {
    description: 'Days of the week on which the window opens. Default: every day.',
    allowed: `a list of ${weekdays.join(', ')}`,
  }).optional(),
  from: time('Local time at which the window opens. Default: 00:00.', '00:00 to 23:59'),
  to: time(
    'Local time at which the window closes, on the next day if it is not after `from`. Default: 24:00.',
    '00:00 to 24:00',
    /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/,
  ),
  timeZone: pattern(
    /^[A-Za-z][\w+/-]{0,63}$/,
    'Time zone of the days, times and dates. Required unless `onDemand` is set.',
    'a time zone of the IANA database, such as Europe/Berlin',
  ).optional(),
  validFrom: date('Local date or time from which the window may open. Default: at once.'),
  validUntil: date('Local date or time from which the window no longer opens. Default: never.'),
  onDemand: pattern(
    durationPattern,
    'Instead of a schedule: the longest time for which a person may open the window with `aks-wi grant`.',
    'minutes or hours, such as 30m or 4h',
  ).optional(),
};

/** Secrets and roles that an application has only at times. */
export const accessWindows = list(
  object('An access window, during which an application may read some secrets or has some roles.', shape),
  "Secrets and roles that the application's own identities have only at certain times. A promotion does not include them: each environment has its own.",
  'a list of objects with `secrets` or `roles`, and with `timeZone` or `onDemand`',
).default([]);

/** Settings of the reconciler that opens and closes access windows. */
export const reconciler = object('The reconciler that opens and closes the access windows of applications.', {
  clusters: field(z.array(name('application', 'Name of a cluster.')).min(1).max(2), {
    description:
      'Clusters on which it runs; with two, one continues if the other fails. Default, also if all of them are revoked: the first cluster that is not revoked.',
    allowed: 'a list of one or two names of clusters',
  }).optional(),
  ...reconcilerFields(
    'Seconds between two runs: the longest delay before a window opens or closes, or an outside change is corrected.',
  ),
}).optional();
