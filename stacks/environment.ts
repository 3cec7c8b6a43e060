import { getClientConfigOutput } from '@pulumi/azure-native/authorization';
import { ResourceGroup } from '@pulumi/azure-native/resources';
import * as pulumi from '@pulumi/pulumi';
import { KeyVault } from '../components/keyVault';
import { Cluster } from './cluster';
import { tagsOf } from './tags';
import type { Configuration } from './configuration';
import type { IdentityOutput, PendingOutputs } from './outputs';
import type { VaultPlan } from './plan';
import type { StackSettings } from './schema';

/**
 * One environment: a resource group, its vaults, and its clusters side by side. Identities are in the
 * environment's group and not in a cluster's, so that a cluster can be made anew without losing their grants.
 */
export function deployEnvironment({ environment, settings, plan }: Configuration): PendingOutputs {
  const { location, protect } = settings;
  warnOfKept(plan.kept);
  const client = getClientConfigOutput();
  const group = new ResourceGroup(
    settings.resourceGroup,
    { resourceGroupName: settings.resourceGroup, location, ...tagsOf(settings) },
    { protect },
  );
  const vaults = plan.vaults.map((vaultPlan) => ({
    ...vaultPlan,
    vault: deployVault(vaultPlan, settings, group, client.tenantId),
  }));
  const clusters = plan.clusters.map(
    (clusterPlan) =>
      new Cluster(clusterPlan.settings.name, {
        settings,
        plan: clusterPlan,
        resourceGroupName: group.name,
        subscriptionId: client.subscriptionId,
        vaults: new Map(vaults.map(({ name, vault }) => [name, vault])),
      }),
  );
  return {
    environment: pulumi.output(environment),
    tenantId: client.tenantId,
    subscriptionId: client.subscriptionId,
    resourceGroup: group.name,
    vaults: pulumi.output(
      Object.fromEntries(
        vaults.map(({ name, access, secrets, vault }) => [
          name,
          { id: vault.id, uri: vault.uri, access, secrets: [...secrets] },
        ]),
      ),
    ),
    clusters: pulumi.output(
      Object.fromEntries(
        clusters.map(({ name, cluster, identity }) => [
          name,
          { id: cluster.id, issuer: cluster.issuerUrl, identity: identityOutput(identity) },
        ]),
      ),
    ),
    kubeconfigs: pulumi.secret(
      Object.fromEntries(clusters.map(({ name, cluster }) => [name, cluster.kubeconfig])),
    ),
    workloads: pulumi.output(clusters.flatMap((cluster) => cluster.workloadOutputs())),
  };
}

function warnOfKept(names: readonly string[]): void {
  if (names.length === 0) return;
  void pulumi.log.warn(
    `No application names ${names.join(', ')}: kept in the central vault, readable for nobody. Remove the value from ` +
      'secretValues to forget it here; it stays in the vault even then.',
  );
}

function deployVault(
  { name, access, secrets }: VaultPlan,
  settings: StackSettings,
  group: ResourceGroup,
  tenantId: pulumi.Output<string>,
): KeyVault {
  const { secretValues, location, vault, protect } = settings;
  return new KeyVault(name, {
    resourceGroupName: group.name,
    vaultName: name,
    tenantId,
    location,
    access,
    publicAccess: vault.publicAccess,
    softDeleteRetentionInDays: vault.softDeleteRetentionInDays,
    purgeProtection: vault.purgeProtection,
    ...tagsOf(settings),
    protect,
    // A secret without a value is in the vault already: it is granted, and not written.
    secrets: Object.fromEntries(
      secrets.flatMap((secret) => {
        const value = secretValues[secret];
        return value === undefined ? [] : [[secret, pulumi.secret(value)]];
      }),
    ),
  });
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
