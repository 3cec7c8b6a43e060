import * as pulumi from '@pulumi/pulumi';
import type { WindowedReader } from '../../components/access/accessWindows';
import { AccessWindows } from '../../components/access/accessWindows';
import type { KeyVault } from '../../components/vault/keyVault';
import type { WindowPlan } from '../plan';
import type { ClusterContext } from './context';
import type { ReadyIdentities } from './identities';
import { known } from './known';
import { reconcilerProgram } from './reconcilerProgram';

/** A secret that an identity reads at times. */
export interface DeployedWindow {
  readonly plan: WindowPlan;
  readonly reader: WindowedReader;
}

/**
 * What opens and closes the access windows of all clusters, if it runs on this one.
 * @param windows those of all clusters
 */
export function deployAccessWindows(
  { plan, settings, cloud, group, cluster, inCluster }: ClusterContext,
  identities: ReadyIdentities,
  windows: readonly DeployedWindow[],
  vaults: ReadonlyMap<string, KeyVault>,
  webhook: readonly pulumi.Resource[],
): void {
  const { reconciler } = plan;
  // On a cluster that is revoked, it trusts nobody.
  if (reconciler === undefined || reconciler.subjects.length === 0) return;
  const { identity, before } = known(identities, reconciler.key);
  const nameOf = ({ vault, secret }: WindowPlan) => `${vault}/${secret}`;
  const secrets = [...new Map(windows.map((one) => [nameOf(one.plan), one.plan])).values()];
  const used = [...new Set(secrets.map(({ vault }) => known(vaults, vault)))];
  const { provider: azure } = group.opts;
  new AccessWindows(
    reconciler.key,
    {
      identity,
      secrets: secrets.map((secret) => ({
        name: nameOf(secret),
        scope: pulumi.interpolate`${known(vaults, secret.vault).id}/secrets/${secret.secret}`,
        readers: windows.filter((one) => nameOf(one.plan) === nameOf(secret)).map(({ reader }) => reader),
      })),
      program: reconcilerProgram('main'),
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
