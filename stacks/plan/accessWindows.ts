import type { AccessWindow } from '../../components/accessWindows/windows';
import { durationOf } from '../../components/resource/duration';
import { accessWindowsAccount } from '../../components/identity/subjects';
import type { ApplicationSettings, ClusterSettings, StackSettings } from '../settings/schema';
import type { Granted } from './granted';
import { grantedKey } from './granted';
import { type IdentityPlan, programIdentity } from './identities';
import { isRevoked } from './revoked';
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
  revoked: boolean,
): WindowPlan[] {
  const vault = vaultOf(settings, application);
  const { accessWindows } = application;
  const timesIn = (named: WindowSettings[]) => (revoked ? { windows: [] } : timesOf(named));
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

/** Returns the identity of the reconciler that opens and closes access windows, if it runs on the cluster. */
export function planReconciler(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
): IdentityPlan | undefined {
  const trusted = settings.clusters
    .map(({ name }) => name)
    .filter((name) => !isRevoked(settings, 'clusters', name));
  const named = settings.accessWindows?.clusters ?? [];
  // If all named clusters are revoked, another one closes the windows.
  const clusters = named.some((name) => trusted.includes(name)) ? named : trusted.slice(0, 1);
  const hasWindows = settings.applications.some(({ accessWindows }) => accessWindows.length > 0);
  if (!hasWindows || !clusters.includes(cluster.name)) return undefined;
  return programIdentity(environment, settings, cluster, accessWindowsAccount, {
    key: `${cluster.name}-windows`,
  });
}

/** Returns what an identity of a cluster has only at times: what the applications that run as it have. */
export function grantedAtTimes(
  { workloads }: { readonly workloads: readonly { application: { name: string }; windows: WindowPlan[] }[] },
  { applications }: IdentityPlan,
): WindowPlan[] {
  return workloads.flatMap(({ application: { name }, windows }) =>
    applications.includes(name) ? windows : [],
  );
}
