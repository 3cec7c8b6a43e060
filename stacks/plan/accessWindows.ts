import type { AccessWindow } from '../../components/access/calendar';
import { durationOf } from '../../components/access/onDemand';
import type { ApplicationSettings, StackSettings } from '../settings/schema';
import type { Granted } from './granted';
import { grantedKey } from './granted';
import { planRoles } from './roles';
import { windowedSecrets } from './secrets';
import { vaultOf } from './vaults';

/** A secret that an application may read at times, or a role that it has at times. */
export type WindowPlan = Granted & Times;

/** When something is granted, where it is not at all times. */
export interface Times {
  /** When it is open. None: only on demand, or never, of an application that is revoked. */
  readonly windows: readonly AccessWindow[];
  /** The longest time for which a person may open it, such as `4h`. */
  readonly onDemand?: string | undefined;
}

/**
 * Every secret that the application may read at times, and every role that it has at times, each once, with all of its
 * windows.
 */
export function planWindows(
  settings: StackSettings,
  application: ApplicationSettings,
  isRevoked: boolean,
): WindowPlan[] {
  const vault = vaultOf(settings, application);
  const { accessWindows } = application;
  const timesIn = (named: WindowSettings[]) => (isRevoked ? { windows: [] } : timesOf(named));
  return [
    ...windowedSecrets(application).map((secret) => ({
      ...{ vault, secret },
      ...timesIn(accessWindows.filter(({ secrets }) => secrets.includes(secret))),
    })),
    ...planRoles(accessWindows.flatMap(({ roles }) => roles)).map((role) => ({
      ...role,
      ...timesIn(
        accessWindows.filter(({ roles }) =>
          planRoles(roles).some((one) => grantedKey(one) === grantedKey(role)),
        ),
      ),
    })),
  ];
}

type WindowSettings = ApplicationSettings['accessWindows'][number];

function timesOf(named: readonly WindowSettings[]): Times {
  const given = named
    .filter(({ onDemand }) => onDemand === undefined)
    .map(({ secrets: _, roles: __, onDemand: ___, timeZone = 'UTC', ...window }) => ({
      ...window,
      timeZone,
    }));
  // Two entries may say the same of a secret.
  const windows = [...new Map(given.map((one) => [JSON.stringify(one), one])).values()];
  const [onDemand] = named
    .flatMap((one) => one.onDemand ?? [])
    .sort((one, other) => (durationOf(other) ?? 0) - (durationOf(one) ?? 0));
  return { windows, ...(onDemand !== undefined && { onDemand }) };
}

/** Whether any application has anything at times. */
export function hasWindows({ applications }: Pick<StackSettings, 'applications'>): boolean {
  return applications.some(({ accessWindows }) => accessWindows.length > 0);
}
