import type { ManagedCluster } from '@azure/arm-containerservice';
import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import type { LocalCloud } from '../support/localCloud';
import { makePrerequisites } from './support/documentedSteps';

const other = '55555555-5555-4555-8555-555555555555';
const workspace = `/subscriptions/${other}/resourceGroups/rg-logs/providers/Microsoft.OperationalInsights/workspaces/log-shared`;

/** The resources that exist before the stack. */
export interface Seeded {
  readonly cluster: ManagedCluster;
  readonly identity: { readonly clientId: string };
  readonly workspaceId: string;
  readonly edge: { readonly issuer: string; readonly kubeconfig: string };
  /** The contents of existing resources that belong to others. */
  readonly foreign: () => Promise<unknown>;
  readonly foreignBefore: unknown;
  /** Everything that a refused update must not change. */
  readonly snapshot: () => Promise<unknown>;
}

/** Makes the existing resources of the example `reuse`, as docs/reuse.md says. */
export async function seedBrownfield(cloud: LocalCloud, azure: AzureClients): Promise<Seeded> {
  await makePrerequisites(cloud, 'reuse');
  const { core } = await cloud.kubernetes('aks-legacy');
  await core.createNamespace({ body: { metadata: { name: 'shop', labels: { owner: 'shop-team' } } } });
  await core.createNamespacedServiceAccount({
    namespace: 'shop',
    body: {
      metadata: { name: 'orders-runner', labels: { owner: 'shop-team' }, annotations: { note: 'ours' } },
    },
  });
  const shared = azure.identities(azure.credential, other).userAssignedIdentities;
  const { clientId = '' } = await shared.get('rg-identities', 'id-legacy');
  const clusters = azure.clusters().managedClusters;
  const foreign = () => foreignThings(cloud, azure);
  const foreignBefore = await foreign();
  const snapshot = async () => ({
    foreign: await foreign(),
    cluster: await clusters.get('rg-legacy', 'aks-legacy'),
    group: (
      await all(azure.resources(azure.credential, other).resources.listByResourceGroup('rg-shared'))
    ).map(({ id }) => id),
  });
  return {
    ...{ identity: { clientId }, workspaceId: workspace, edge: await edgeOf(azure) },
    ...{ cluster: await clusters.get('rg-legacy', 'aks-legacy'), foreign, foreignBefore, snapshot },
  };
}

/** The cluster that the stack uses as an external one: with a public issuer, and without a webhook. */
async function edgeOf(azure: AzureClients): Promise<Seeded['edge']> {
  const clusters = azure.clusters().managedClusters;
  const { oidcIssuerProfile } = await clusters.get('rg-edge', 'aks-edge');
  const { kubeconfigs } = await clusters.listClusterAdminCredentials('rg-edge', 'aks-edge');
  return {
    issuer: oidcIssuerProfile?.issuerURL ?? '',
    kubeconfig: Buffer.from(kubeconfigs?.[0]?.value ?? '').toString('utf8'),
  };
}

async function foreignThings(cloud: LocalCloud, azure: AzureClients): Promise<unknown> {
  const { identities, vault } = {
    identities: azure.identities(azure.credential, other),
    vault: await azure.vaults().vaults.get('rg-data', 'kv-wi-legacy'),
  };
  const { core } = await cloud.kubernetes('aks-legacy');
  const account = await core.readNamespacedServiceAccount({ name: 'orders-runner', namespace: 'shop' });
  const namespace = await core.readNamespace({ name: 'shop' });
  return {
    group: (await azure.resources(azure.credential, other).resourceGroups.get('rg-shared')).tags,
    identity: (await identities.userAssignedIdentities.get('rg-identities', 'id-legacy')).tags,
    credential: await identities.federatedIdentityCredentials.get('rg-identities', 'id-legacy', 'github'),
    vault: { tags: vault.tags, ...vault.properties, accessPolicies: undefined },
    roles: await azure.vaults().vaults.get('rg-data', 'kv-wi-roles'),
    policy: vault.properties.accessPolicies?.filter(
      ({ objectId }) => objectId === '66666666-6666-4666-8666-666666666666',
    ),
    retention: (
      (await azure.request('GET', `${workspace}?api-version=2023-09-01`)).body as {
        properties: { retentionInDays: number };
      }
    ).properties.retentionInDays,
    secret: (await azure.vaults().secrets.get('rg-data', 'kv-wi-legacy', 'legacy-db')).properties.attributes
      ?.created,
    labels: [account.metadata?.labels, namespace.metadata?.labels],
    note: account.metadata?.annotations?.note,
  };
}
