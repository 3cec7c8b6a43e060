import { accessWindowsAccount } from '../../components/identity/subjects';
import type { ApplicationSettings, ClusterSettings, StackSettings } from '../settings/schema';
import { planWindows, type WindowPlan } from './accessWindows';
import { reconcilerIdentity, type IdentityPlan } from './identities';
import { isRevoked } from './revoked';

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
  if (!settings.applications.some(hasWindows) || !clusters.includes(cluster.name)) return undefined;
  return reconcilerIdentity(environment, settings, cluster, `${cluster.name}-windows`, accessWindowsAccount);
}

/** Returns every secret and every role that an identity has only at times. */
export function grantedAtTimes(
  settings: Pick<StackSettings, 'vault' | 'vaults'> & {
    readonly applications: readonly ApplicationSettings[];
  },
  { applications, revoked = [] }: Pick<IdentityPlan, 'applications' | 'revoked'>,
): WindowPlan[] {
  return settings.applications
    .filter((one) => hasWindows(one) && applications.includes(one.name))
    .flatMap((one) => planWindows(settings, one, revoked.includes(one.name)));
}

const hasWindows = ({ accessWindows }: ApplicationSettings): boolean => accessWindows.length > 0;
