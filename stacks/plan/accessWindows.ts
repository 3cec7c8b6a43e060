import type { AccessWindow } from '../../components/access/windowCalendar';
import { durationOf } from '../../components/access/onDemand';
import type { ApplicationSettings, StackSettings } from '../settings/schema';
import type { Granted } from './granted';
import { grantedKey } from './granted';
import { planRoles } from './roles';
import { vaultOf } from './placement';

/** A secret or a role that an application has only at times. */
export type WindowPlan = Granted & Times;

/** The times of a temporary grant. */
export interface Times {
  /** Schedules on which it is open. If empty, it opens only on demand, or never if the application is revoked. */
  readonly windows: AccessWindow[];
  /** The longest time for which a person may open it, such as `4h`. */
  readonly onDemand?: string;
}

/** Returns every secret and every role that the application has only at times, each once, with all of its windows. */
export function planWindows(
  settings: Pick<StackSettings, 'vault' | 'vaults'>,
  application: ApplicationSettings,
  isRevoked: boolean,
): WindowPlan[] {
  const vault = vaultOf(settings, application);
  const { accessWindows } = application;
  const timesIn = (named: WindowSettings[]) => (isRevoked ? { windows: [] } : timesOf(named));
  return [
    ...[...new Set(accessWindows.flatMap(({ secrets }) => secrets))].sort().map((secret) => ({
      ...{ vault, secret },
      ...timesIn(accessWindows.filter(({ secrets }) => secrets.includes(secret))),
    })),
    ...planRoles(accessWindows.flatMap(({ roles }) => roles)).map((role) => ({
      ...role,
      ...timesIn(
        accessWindows.filter(({ roles }) =>
          planRoles(roles).some((planned) => grantedKey(planned) === grantedKey(role)),
        ),
      ),
    })),
  ];
}

type WindowSettings = ApplicationSettings['accessWindows'][number];

function timesOf(named: readonly WindowSettings[]): Times {
  const scheduled = named
    .filter(({ onDemand }) => onDemand === undefined)
    .map(({ secrets: _, roles: __, onDemand: ___, timeZone = 'UTC', ...window }) => ({
      ...window,
      timeZone,
    }));
  // Two entries may have the same window for a secret.
  const windows = [...new Map(scheduled.map((window) => [JSON.stringify(window), window])).values()];
  const [onDemand] = named
    .flatMap((window) => window.onDemand ?? [])
    .sort((one, other) => (durationOf(other) ?? 0) - (durationOf(one) ?? 0));
  return { windows, ...(onDemand !== undefined && { onDemand }) };
}
