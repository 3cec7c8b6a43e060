import * as pulumi from '@pulumi/pulumi';
import type { WindowedReader } from '../../components/accessWindows/accessWindows';
import { AccessWindows } from '../../components/accessWindows/accessWindows';
import type { KeyVault } from '../../components/vault/keyVault';
import type { ClusterPlan, WindowPlan } from '../plan';
import { grantedAtTimes, grantedName, isRole, secretsIn } from '../plan';
import type { DeployedCluster } from './cluster';
import { inClusterAndGroup } from './context';
import { known } from './known';
import { reconcilerProgram } from './reconcilerProgram';

/**
 * Deploys the reconciler that opens and closes the access windows of all clusters, if it runs on this one.
 * @param clusters all clusters
 */
export function deployAccessWindows(
  { context, identities, webhook }: DeployedCluster,
  clusters: readonly DeployedCluster[],
  vaults: ReadonlyMap<string, KeyVault>,
): void {
  const { plan, settings, cloud } = context;
  const { reconciler } = plan;
  // A revoked cluster's reconciler is trusted by no identity.
  if (reconciler === undefined || reconciler.subjects.length === 0) return;
  const { identity, before } = known(identities, reconciler.key);
  const windows = clusters.flatMap(windowsOf);
  // Windows on the same scope share one entry: Azure refuses to assign the right on a scope twice.
  const nameOf = (plan: WindowPlan) => (isRole(plan) ? plan.scope.slice(1).toLowerCase() : grantedName(plan));
  const keyOf = (plan: WindowPlan) => nameOf(plan).toLowerCase();
  const scopes = [...new Map(windows.map(({ plan: window }) => [keyOf(window), window])).values()];
  const used = [...new Set(secretsIn(scopes).map(({ vault }) => known(vaults, vault)))];
  new AccessWindows(
    reconciler.key,
    {
      identity,
      scopes: scopes.map((window) => ({
        name: nameOf(window),
        scope: isRole(window)
          ? window.scope
          : pulumi.interpolate`${known(vaults, window.vault).id}/secrets/${window.secret}`,
        readers: windows
          .filter(({ plan: other }) => keyOf(other) === keyOf(window))
          .map(({ reader }) => reader),
      })),
      program: reconcilerProgram('accessWindows/main'),
      intervalSeconds: settings.accessWindows?.intervalSeconds,
      image: settings.accessWindows?.image,
      resourceManager: cloud.resourceManager,
    },
    pulumi.mergeOptions(
      inClusterAndGroup(context),
      // The secrets must exist before anything is assigned on them.
      { dependsOn: [...before, ...webhook, ...used] },
    ),
  );
}

/** Returns the secrets and roles that identities of the cluster have only at times, with who has them when. */
function windowsOf({ plan, identities }: DeployedCluster) {
  return plan.identities.flatMap((identity) =>
    grantedAtTimes(plan, identity).map((granted): { plan: WindowPlan; reader: WindowedReader } => ({
      plan: granted,
      reader: {
        principalId: known(identities, identity.key).identity.principalId,
        reader: `${plan.settings.name}/${identity.applications.join(',')}`,
        ...(isRole(granted) && { role: granted.role }),
        windows: granted.windows,
        ...(granted.onDemand !== undefined && { onDemand: granted.onDemand }),
      },
    })),
  );
}

/** Nothing closes access windows if all clusters are revoked. */
export function warnOfUnattended(stack: string, clusters: readonly ClusterPlan[]): void {
  const hasWindows = clusters.some(({ workloads }) => workloads.some(({ windows }) => windows.length > 0));
  const runs = clusters.some(({ reconciler }) => reconciler !== undefined && reconciler.subjects.length > 0);
  if (!hasWindows || runs) return;
  void pulumi.log.warn(
    `Every cluster is revoked, so nothing closes open access windows. Ten minutes after this update, remove the remaining access: ${clusters.map(({ settings }) => `\`aks-wi revoke --stack ${stack} --cluster ${settings.name}\``).join(', ')}.`,
  );
}
