import * as pulumi from '@pulumi/pulumi';
import type { WindowedReader } from '../../components/access/accessWindows';
import { AccessWindows } from '../../components/access/accessWindows';
import type { KeyVault } from '../../components/vault/keyVault';
import type { WindowPlan } from '../plan';
import { grantedName, isRole, secretsIn } from '../plan';
import type { ClusterContext } from './context';
import type { ReadyIdentities } from './identities';
import { known } from './known';
import { reconcilerProgram } from './reconcilerProgram';

/** A secret or a role that an identity has only at times. */
export interface DeployedWindow {
  readonly plan: WindowPlan;
  readonly reader: WindowedReader;
}

/**
 * Deploys the reconciler that opens and closes the access windows of all clusters, if it runs on this one.
 * @param windows windows of all clusters
 */
export function deployAccessWindows(
  { plan, settings, cloud, group, cluster, inCluster }: ClusterContext,
  identities: ReadyIdentities,
  windows: readonly DeployedWindow[],
  vaults: ReadonlyMap<string, KeyVault>,
  webhook: readonly pulumi.Resource[],
): void {
  const { reconciler } = plan;
  // A revoked cluster's reconciler is trusted by no identity.
  if (reconciler === undefined || reconciler.subjects.length === 0) return;
  const { identity, before } = known(identities, reconciler.key);
  // Windows on the same scope share one entry: Azure refuses to assign the right on a scope twice.
  const nameOf = (plan: WindowPlan) => (isRole(plan) ? plan.scope.slice(1).toLowerCase() : grantedName(plan));
  const keyOf = (plan: WindowPlan) => nameOf(plan).toLowerCase();
  const scopes = [...new Map(windows.map(({ plan: one }) => [keyOf(one), one])).values()];
  const used = [...new Set(secretsIn(scopes).map(({ vault }) => known(vaults, vault)))];
  const { provider: azure } = group.opts;
  new AccessWindows(
    reconciler.key,
    {
      identity,
      scopes: scopes.map((one) => ({
        name: nameOf(one),
        scope: isRole(one)
          ? one.scope
          : pulumi.interpolate`${known(vaults, one.vault).id}/secrets/${one.secret}`,
        readers: windows.filter(({ plan: other }) => keyOf(other) === keyOf(one)).map(({ reader }) => reader),
      })),
      program: reconcilerProgram('accessWindows/main'),
      intervalSeconds: settings.accessWindows?.intervalSeconds,
      image: settings.accessWindows?.image,
      resourceManager: cloud.resourceManager,
    },
    pulumi.mergeOptions(
      { ...inCluster, providers: [cluster.provider, ...(azure === undefined ? [] : [azure])] },
      // The secrets must exist before anything is assigned on them.
      { dependsOn: [...before, ...webhook, ...used] },
    ),
  );
}
