import type { AccessWindow } from '../../components/access/calendar';
import { durationOf } from '../../components/access/onDemand';
import type { ApplicationSettings, StackSettings } from '../settings/schema';
import { vaultOf } from './vaults';

/** A secret that an application may read at times. */
export interface WindowPlan {
  readonly vault: string;
  readonly secret: string;
  /** When it is open. None: only on demand, or never, of an application that is revoked. */
  readonly windows: readonly AccessWindow[];
  /** The longest time for which a person may open it. */
  readonly onDemand?: string | undefined;
}

/** Names of the secrets that the application may read at times. */
export function windowedSecrets({ accessWindows }: Pick<ApplicationSettings, 'accessWindows'>): string[] {
  return [...new Set(accessWindows.flatMap(({ secrets }) => secrets))].sort();
}

/** Every secret that the application may read at times, once, with all of its windows. */
export function planWindows(settings: StackSettings, application: ApplicationSettings, isRevoked: boolean) {
  const vault = vaultOf(settings, application);
  return windowedSecrets(application).map((secret): WindowPlan => {
    if (isRevoked) return { vault, secret, windows: [] };
    const named = application.accessWindows.filter(({ secrets }) => secrets.includes(secret));
    const given = named
      .filter(({ onDemand }) => onDemand === undefined)
      .map(({ secrets: _, onDemand: __, timeZone = 'UTC', ...window }) => ({ ...window, timeZone }));
    // Two entries may say the same of a secret.
    const windows = [...new Map(given.map((one) => [JSON.stringify(one), one])).values()];
    const [onDemand] = named
      .flatMap((one) => one.onDemand ?? [])
      .sort((one, other) => (durationOf(other) ?? 0) - (durationOf(one) ?? 0));
    return { vault, secret, windows, ...(onDemand !== undefined && { onDemand }) };
  });
}

/** Whether any application has secrets that it may read at times. */
export function hasWindows({ applications }: Pick<StackSettings, 'applications'>): boolean {
  return applications.some(({ accessWindows }) => accessWindows.length > 0);
}
