import { isDate, isTimeZone, weekdays } from '../../components/resource/calendar';
import { describeWindow, neverOpens } from '../../components/accessWindows/windows';
import { longestCondition, mayAssignEach } from '../../components/azure/assignmentCondition';
import type { Granted } from '../plan';
import {
  grantedAtTimes,
  grantedKey,
  hasOwnVault,
  isRole,
  roleOf,
  rolesByGroup,
  secretsAlwaysReadBy,
  vaultOf,
} from '../plan';
import { didYouMean } from '../settings/nearest';
import type { Path, Problem } from '../settings/problem';
import type { ApplicationSettings } from '../settings/schema';
import type { Check } from './context';
import { inCase } from './context';
import { keyOf } from './roles';
import { unknownCluster } from './selections';

type WindowSettings = ApplicationSettings['accessWindows'][number];

const schedule = ['days', 'from', 'to', 'timeZone', 'validFrom', 'validUntil'] as const;

const guidLength = 36;

export const accessWindowChecks: readonly Check[] = [
  /** A window adds and removes a role assignment of an identity, so the identity must be the application's own. */
  function* (settings) {
    for (const application of settings.applications) {
      const { path: at, accessWindows, vault, identity = settings.identity } = application;
      if (accessWindows.length === 0) continue;
      const path = [...at, 'accessWindows'];
      if (identity === 'cluster')
        yield {
          path,
          what: `would open for every application that runs as the cluster's identity, as ${application.name} does`,
          allowed: 'applications with identities of their own',
          hint: 'Set `identity: application` on the application.',
        };
      // A window with roles only needs no vault.
      if (accessWindows.every(({ secrets }) => secrets.length === 0)) continue;
      const access =
        (hasOwnVault(settings, application) ? vault?.access : undefined) ?? settings.vault.access;
      if (access !== 'rbac')
        yield {
          path,
          what: 'needs a role assignment on a single secret, but the vault uses access policies, which cover all of its secrets',
          allowed: 'vaults with `access: rbac`',
          hint: 'Set `access: rbac` on the vault, or give the application its own vault with `access: rbac`.',
        };
      const vaultName = vaultOf(settings, application);
      if (settings.plan.vaults.some(({ name, lock }) => name === vaultName && lock === true))
        yield {
          path,
          what: `needs role assignments that can be removed, and ${vaultName} has a lock, so Azure would refuse to remove them: no window would close`,
          allowed: 'vaults without `lock: true`',
          hint: 'Remove `lock` from the vault (purge protection still protects it), or give the application its own vault with `lock: false`.',
        };
    }
  },

  /** A window may not contain what the application has at all times. */
  function* ({ applications, groups }) {
    for (const application of applications) {
      const asMember = (group?: string) => (group === undefined ? '' : ` as a member of the group ${group}`);
      const always = secretsAlwaysReadBy(groups, application);
      const roles = new Map([
        ...application.roles.map((role) => [keyOf(role), ''] as const),
        ...rolesByGroup(groups, application).map((role) => [grantedKey(role), asMember(role.group)] as const),
      ]);
      const hint = 'Remove one of the two.';
      for (const [index, window] of application.accessWindows.entries()) {
        const path = [...application.path, 'accessWindows', index];
        for (const [place, role] of window.roles.entries()) {
          const how = roles.get(keyOf(role));
          if (how === undefined) continue;
          const what = `is already granted at all times${how}`;
          yield { path: [...path, 'roles', place], value: JSON.stringify(role.role), what, hint };
        }
        for (const [place, secret] of window.secrets.entries()) {
          const other = always.find((grant) => grant.secret.toLowerCase() === secret.toLowerCase());
          if (other === undefined) continue;
          const what = `can already be read at all times${asMember(other.group)}${inCase(secret, other.secret)}`;
          yield { path: [...path, 'secrets', place], what, hint };
        }
      }
    }
  },

  function* ({ applications }) {
    for (const { path, accessWindows } of applications)
      for (const [index, window] of accessWindows.entries())
        yield* windowProblems([...path, 'accessWindows', index], window);
  },

  function* ({ accessWindows, ...input }) {
    if (accessWindows === undefined) return;
    const path = ['accessWindows', 'clusters'];
    for (const [place, name] of (accessWindows.clusters ?? []).entries())
      if (input.clusters.every((cluster) => cluster.name !== name))
        yield unknownCluster([...path, place], name, input.clusters);
    if (input.applications.every((application) => application.accessWindows.length === 0))
      yield {
        path: ['accessWindows'],
        what: 'has no effect: no application has access windows',
        hint: 'Remove it, or set `accessWindows` on an application.',
      };
  },

  /** The condition of one role assignment names every identity that has a window on the same secret or scope. */
  function* ({ plan, applications }) {
    const identities = plan.clusters.flatMap((cluster) =>
      cluster.identities.map((identity) => ({ ...identity, atTimes: grantedAtTimes(cluster, identity) })),
    );
    for (const { path, name } of applications) {
      const own = identities.find((identity) => identity.applications.includes(name));
      for (const granted of own?.atTimes ?? []) {
        const place = placeOf(granted);
        const readers = identities.flatMap(({ atTimes }, index) =>
          atTimes
            .filter((other) => placeOf(other).toLowerCase() === place.toLowerCase())
            .map((other) => ({
              role: roleOf(other, {}).role,
              principalId: String(index).padStart(guidLength),
            })),
        );
        const condition = mayAssignEach(readers);
        if (condition.length > longestCondition)
          yield {
            path: [...path, 'accessWindows'],
            what: `has ${readers.length} identities with windows on ${place}: a condition that names all of them exceeds the length that Azure allows`,
            allowed: `a condition of ${longestCondition} characters; this one has ${condition.length}`,
            hint: 'Give the application a vault of its own, or split the stack.',
          };
      }
    }
  },
];

/** Returns the secret or the scope of the role assignment that gives the right to open and close the window. */
const placeOf = (granted: Granted): string => (isRole(granted) ? granted.scope : granted.secret);

function* windowProblems(path: Path, window: WindowSettings): Generator<Problem> {
  const ofSchedule = schedule.filter((key) => window[key] !== undefined);
  if (window.secrets.length + window.roles.length === 0)
    yield {
      path,
      what: 'opens nothing: it has neither `secrets` nor `roles`',
      hint: 'Add the secrets or roles that the application may use during the window.',
    };
  if (window.onDemand !== undefined) {
    for (const key of ofSchedule)
      yield {
        path: [...path, key],
        what: 'has no effect with `onDemand`, which has no schedule',
        hint: 'Split it into two entries, one with `onDemand` and one with the schedule.',
      };
    return;
  }
  const { timeZone, from, to, days, validFrom, validUntil } = window;
  if (timeZone === undefined)
    yield {
      path: [...path, 'timeZone'],
      what: 'is missing',
      allowed: 'a time zone of the IANA database, such as Europe/Berlin; or `onDemand` instead of a schedule',
      hint: 'Set it.',
    };
  else if (!isTimeZone(timeZone))
    yield {
      path: [...path, 'timeZone'],
      what: 'is not a time zone',
      allowed: 'a time zone of the IANA database, such as Europe/Berlin',
      hint: didYouMean(timeZone, Intl.supportedValuesOf('timeZone'), 'Correct it.'),
    };
  if ((from === undefined) !== (to === undefined))
    yield {
      path: [...path, from === undefined ? 'from' : 'to'],
      what: `is missing, but \`${from === undefined ? 'to' : 'from'}\` is set`,
      allowed: 'both, or neither for whole days',
      hint: 'Set it.',
    };
  const wrong = (['validFrom', 'validUntil'] as const).filter((key) => !isDate(window[key] ?? '2026-01-01'));
  for (const key of wrong)
    yield { path: [...path, key], what: 'is not a date in the calendar', hint: 'Correct it.' };
  if (timeZone === undefined || !isTimeZone(timeZone) || wrong.length > 0) return;
  // A window from a time to the same time lasts a whole day.
  const isLimited =
    (days ?? weekdays).length < weekdays.length ||
    (from ?? '00:00') !== (to ?? '24:00').replace('24:00', '00:00');
  if (!isLimited && validFrom === undefined && validUntil === undefined)
    yield {
      path,
      what: 'would be open at all times',
      allowed: 'windows with `days`, `from` and `to`, `validFrom` or `validUntil`',
      hint: 'Limit it, or move its secrets and roles to `secrets` and `roles` of the application.',
    };
  else if (neverOpens({ ...window, timeZone }))
    yield {
      path,
      value: describeWindow({ ...window, timeZone }),
      what: 'never opens',
      hint: 'Correct it: `validUntil` must be after `validFrom`, one of the `days` must be between them, and the change to summer time must not skip its hours on that day.',
    };
}
