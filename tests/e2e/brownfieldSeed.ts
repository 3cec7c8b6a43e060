import type { ManagedCluster } from '@azure/arm-containerservice';
import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import type { LocalCloud } from '../support/localCloud';

const other = '55555555-5555-4555-8555-555555555555';

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

/** Makes the existing resources of the example `reuse`, through the vendors' clients. */
export async function seedBrownfield(cloud: LocalCloud, azure: AzureClients): Promise<Seeded> {
  for (const [subscription, group, location] of [
    [other, 'rg-shared', 'northeurope'],
    [other, 'rg-identities', 'northeurope'],
    [other, 'rg-logs', 'westeurope'],
    [azure.subscriptionId, 'rg-data', 'westeurope'],
    [azure.subscriptionId, 'rg-legacy', 'westeurope'],
    [azure.subscriptionId, 'rg-edge', 'westeurope'],
  ] as const) {
    await azure
      .resources(azure.credential, subscription)
      .resourceGroups.createOrUpdate(group, { location, tags: { owner: 'others' } });
  }
  const [identity, workspaceId] = await Promise.all([
    seedIdentities(azure),
    seedWorkspace(azure),
    seedVault(azure),
  ]);
  const [cluster, edge] = await Promise.all([seedExisting(cloud, azure), seedExternal(azure)]);
  const foreign = () => foreignThings(cloud, azure);
  const foreignBefore = await foreign();
  const snapshot = async () => ({
    foreign: await foreign(),
    cluster: await azure.clusters().managedClusters.get('rg-legacy', 'aks-legacy'),
    group: (
      await all(azure.resources(azure.credential, other).resources.listByResourceGroup('rg-shared'))
    ).map(({ id }) => id),
  });
  return { cluster, identity, workspaceId, edge, foreign, foreignBefore, snapshot };
}

async function seedIdentities(azure: AzureClients): Promise<{ clientId: string }> {
  const shared = azure.identities(azure.credential, other);
  const { clientId = '' } = await shared.userAssignedIdentities.createOrUpdate('rg-identities', 'id-legacy', {
    location: 'northeurope',
    tags: { owner: 'others' },
  });
  await shared.federatedIdentityCredentials.createOrUpdate('rg-identities', 'id-legacy', 'github', {
    issuer: 'https://token.actions.githubusercontent.com',
    subject: 'repo:example/shop:environment:dev',
    audiences: ['api://AzureADTokenExchange'],
  });
  await azure
    .identities()
    .userAssignedIdentities.createOrUpdate('rg-data', 'id-reports', { location: 'westeurope' });
  return { clientId };
}

async function seedWorkspace(azure: AzureClients): Promise<string> {
  const id = `/subscriptions/${other}/resourceGroups/rg-logs/providers/Microsoft.OperationalInsights/workspaces/log-shared`;
  const { status, body } = await azure.request('PUT', `${id}?api-version=2023-09-01`, {
    location: 'westeurope',
    properties: { sku: { name: 'PerGB2018' }, retentionInDays: 90 },
    tags: { owner: 'others' },
  });
  if (status >= 300) throw new Error(`The workspace was refused: ${JSON.stringify(body)}`);
  return id;
}

async function seedVault(azure: AzureClients): Promise<void> {
  const client = azure.vaults();
  await client.vaults.createOrUpdate('rg-data', 'kv-wi-legacy', {
    location: 'westeurope',
    tags: { owner: 'others' },
    properties: {
      tenantId: azure.tenantId,
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: false,
      accessPolicies: [
        {
          tenantId: azure.tenantId,
          objectId: '66666666-6666-4666-8666-666666666666',
          permissions: { secrets: ['get', 'list'] },
        },
      ],
    },
  });
  await client.secrets.createOrUpdate('rg-data', 'kv-wi-legacy', 'legacy-db', {
    properties: { value: 'of-others' },
  });
  await client.vaults.createOrUpdate('rg-data', 'kv-wi-roles', {
    location: 'westeurope',
    tags: { owner: 'others' },
    properties: {
      tenantId: azure.tenantId,
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: true,
      softDeleteRetentionInDays: 30,
    },
  });
  await client.secrets.createOrUpdate('rg-data', 'kv-wi-roles', 'invoices-db', {
    properties: { value: 'of-others' },
  });
}

/** An old AKS cluster, with a namespace and a service account of the application's owner. */
async function seedExisting(cloud: LocalCloud, azure: AzureClients): Promise<ManagedCluster> {
  const made = await azure.clusters().managedClusters.createOrUpdate('rg-legacy', 'aks-legacy', {
    location: 'westeurope',
    dnsPrefix: 'aks-legacy',
    identity: { type: 'SystemAssigned' },
    tags: { team: 'platform' },
    autoUpgradeProfile: { upgradeChannel: 'stable' },
    apiServerAccessProfile: { authorizedIPRanges: ['127.0.0.1/32', '203.0.113.0/24'] },
    securityProfile: { imageCleaner: { enabled: true, intervalHours: 48 } },
    agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D4ds_v5' }],
  });
  const { core } = await cloud.kubernetes('aks-legacy');
  await core.createNamespace({ body: { metadata: { name: 'shop', labels: { owner: 'shop-team' } } } });
  await core.createNamespacedServiceAccount({
    namespace: 'shop',
    body: {
      metadata: { name: 'orders-runner', labels: { owner: 'shop-team' }, annotations: { note: 'ours' } },
    },
  });
  return made;
}

/**
 * A Kubernetes cluster with a public issuer and no webhook: a managed cluster that the stack uses as an
 * external one.
 */
async function seedExternal(azure: AzureClients): Promise<{ issuer: string; kubeconfig: string }> {
  const client = azure.clusters().managedClusters;
  const made = await client.createOrUpdate('rg-edge', 'aks-edge', {
    location: 'westeurope',
    dnsPrefix: 'aks-edge',
    identity: { type: 'SystemAssigned' },
    oidcIssuerProfile: { enabled: true },
    agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D4ds_v5' }],
  });
  const { kubeconfigs } = await client.listClusterAdminCredentials('rg-edge', 'aks-edge');
  return {
    issuer: made.oidcIssuerProfile?.issuerURL ?? '',
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
      (
        await azure.request(
          'GET',
          `/subscriptions/${other}/resourceGroups/rg-logs/providers/Microsoft.OperationalInsights/workspaces/log-shared?api-version=2023-09-01`,
        )
      ).body as { properties: { retentionInDays: number } }
    ).properties.retentionInDays,
    secret: (await azure.vaults().secrets.get('rg-data', 'kv-wi-legacy', 'legacy-db')).properties.attributes
      ?.created,
    labels: [account.metadata?.labels, namespace.metadata?.labels],
    note: account.metadata?.annotations?.note,
  };
}
