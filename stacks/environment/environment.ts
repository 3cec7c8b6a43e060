import { getClientConfigOutput } from '@pulumi/azure-native/authorization';
import * as pulumi from '@pulumi/pulumi';
import type { AzureDependency } from '../../components/dependency/azureDependency';
import { Cluster } from '../cluster/cluster';
import type { Configuration } from '../configuration/configuration';
import type { IdentityOutput, PendingOutputs, VaultOutput } from '../outputs/outputs';
import { environmentLogs } from './logs';
import { environmentGroup } from './resourceGroup';
import type { Subscriptions } from './subscriptions';
import { servicesGroups } from './servicesGroups';
import { environmentTags } from './tags';
import { deployVault } from './vaults';

/**
 * One environment: a resource group, its vaults, and its clusters side by side. Identities are in the
 * environment's group and not in a cluster's, so that a cluster can be made anew without losing their grants.
 */
export function deployEnvironment(
  { environment, settings, plan }: Configuration,
  subscriptions: Subscriptions,
): PendingOutputs {
  warnOfUnnamed(plan.unnamedSecrets);
  const tags = environmentTags(environment, settings);
  const group = environmentGroup(settings, subscriptions, tags, plan.retainResourceGroup);
  const client = getClientConfigOutput(group.opts);
  const logs = environmentLogs(settings, group, subscriptions, tags);
  const { tenantId, subscriptionId } = client;
  const vaultPlace = { settings, group, tenantId, logs, subscriptions, tags };
  const vaults = plan.vaults.map((vaultPlan) => ({
    ...vaultPlan,
    vault: deployVault(vaultPlace, vaultPlan),
  }));
  const groups = servicesGroups(settings, plan.servicesGroups, group, tags);
  const managing = new Map<string, AzureDependency>();
  const clusters = plan.clusters.map(
    (clusterPlan) =>
      new Cluster(clusterPlan.settings.name, {
        settings,
        plan: clusterPlan,
        group,
        logs,
        tenantId,
        subscriptionId,
        subscriptions,
        vaults: new Map(vaults.map(({ name, vault }) => [name, vault])),
        servicesGroups: groups,
        managing,
        tags,
      }),
  );
  // After all grants, which a lock would keep.
  for (const { vault, lock } of vaults) if (lock === true) vault.lock();
  return {
    environment: pulumi.output(environment),
    tenantId: client.tenantId,
    subscriptionId: client.subscriptionId,
    resourceGroup: group.name,
    vaults: pulumi.output(
      Object.fromEntries(
        vaults.map(({ name, access, secrets, vault }): [string, pulumi.Output<VaultOutput>] => [
          name,
          pulumi.output({ id: vault.id, uri: vault.uri, access, secrets: [...secrets] }),
        ]),
      ),
    ),
    clusters: pulumi.output(
      Object.fromEntries(
        clusters.map(({ name, mode, cluster, identity }) => [
          name,
          {
            mode,
            ...(cluster.id !== undefined && { id: cluster.id }),
            issuer: cluster.issuerUrl,
            identity: identityOutput(identity),
          },
        ]),
      ),
    ),
    kubeconfigs: pulumi.secret(
      Object.fromEntries(clusters.map(({ name, cluster }) => [name, cluster.kubeconfig])),
    ),
    dependencies: pulumi.output(clusters.flatMap((cluster) => cluster.dependencyOutputs())),
    workloads: pulumi.output(clusters.flatMap((cluster) => cluster.workloadOutputs())),
  };
}

/** Such a value may be that of an application that was removed. */
function warnOfUnnamed(secrets: readonly string[]): void {
  if (secrets.length === 0) return;
  void pulumi.log.warn(
    `No application names ${secrets.join(', ')}: the values in secretValues are written nowhere.`,
  );
}

function identityOutput({
  id,
  clientId,
  principalId,
}: {
  readonly [Key in keyof IdentityOutput]: pulumi.Output<string>;
}) {
  return { id, clientId, principalId };
}
