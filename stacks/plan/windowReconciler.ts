import { accessWindowsAccount } from '../../components/identity/subjects';
import type { ClusterSettings, StackSettings } from '../settings/schema';
import type { WindowPlan } from './accessWindows';
import { programIdentity, type IdentityPlan } from './identities';
import { isRevoked } from './revoked';
import type { WorkloadPlan } from './workloads';

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
  { workloads }: { readonly workloads: readonly WorkloadPlan[] },
  { applications }: IdentityPlan,
): WindowPlan[] {
  return workloads.flatMap(({ application: { name }, windows }) =>
    applications.includes(name) ? windows : [],
  );
}
