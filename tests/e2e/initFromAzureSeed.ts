import { all, type AzureClients } from '../support/azureClients';
import type { LocalCloud } from '../support/localCloud';

const group = 'rg-found';
const location = 'westeurope';
const secretsUser = '4633458b-17de-408a-b874-0445c86b69e6';

/** A subscription that others have used for a while. */
export interface Seeded {
  /** Object id of a principal that reads a secret, and that no identity of the read group has. */
  readonly foreign: string;
  /** Everything that the stack uses, and what is beside it. */
  readonly snapshot: () => Promise<unknown>;
}

/** Makes, with the vendors' clients: a cluster, a vault, identities, trust, grants, and annotated service accounts. */
export async function seedSubscription(cloud: LocalCloud, azure: AzureClients): Promise<Seeded> {
  await azure.resources().resourceGroups.createOrUpdate(group, { location });
  const cluster = azure.clusters().managedClusters.createOrUpdate(group, 'aks-found', {
    ...{ location, dnsPrefix: 'aks-found', tags: { owner: 'others' }, identity: { type: 'SystemAssigned' } },
    oidcIssuerProfile: { enabled: true },
    securityProfile: { workloadIdentity: { enabled: true } },
    agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D4ds_v5' }],
  });
  const vault = await azure.vaults().vaults.createOrUpdate(group, 'kv-wi-found', {
    location,
    tags: { owner: 'others' },
    properties: {
      tenantId: azure.tenantId,
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: true,
    },
  });
  const vaultId = vault.id ?? '';
  for (const secret of ['orders-db', 'jobs-key'])
    await azure.vaults().secrets.createOrUpdate(group, 'kv-wi-found', secret, {
      properties: { value: 'of others' },
    });
  const issuer = (await cluster).oidcIssuerProfile?.issuerURL ?? '';
  const identities = new Map<string, { clientId?: string; principalId?: string }>();
  for (const [name, subjects] of Object.entries({
    'id-orders': ['shop:orders'],
    'id-jobs': ['jobs:nightly', 'jobs:hourly'],
    'id-pipeline': ['shop:gone'],
  })) {
    identities.set(
      name,
      await azure.identities().userAssignedIdentities.createOrUpdate(group, name, { location }),
    );
    for (const [index, subject] of subjects.entries())
      await azure.identities().federatedIdentityCredentials.createOrUpdate(group, name, `by-hand-${index}`, {
        ...{ issuer, subject: `system:serviceaccount:${subject}` },
        audiences: ['api://AzureADTokenExchange'],
      });
  }
  await azure.identities().federatedIdentityCredentials.createOrUpdate(group, 'id-pipeline', 'github', {
    issuer: 'https://token.actions.githubusercontent.com',
    subject: 'repo:example/shop:environment:prod',
    audiences: ['api://AzureADTokenExchange'],
  });
  for (const [name, scope] of [
    ['id-orders', `${vaultId}/secrets/orders-db`],
    ['id-jobs', `${vaultId}/secrets/jobs-key`],
    ['id-pipeline', vaultId],
  ] as const)
    await azure.grant(scope, secretsUser, identities.get(name)?.principalId ?? '');
  // Its group is not read.
  await azure.resources().resourceGroups.createOrUpdate('rg-foreign', { location });
  const foreign = await azure
    .identities()
    .userAssignedIdentities.createOrUpdate('rg-foreign', 'id-foreign', { location });
  await azure.grant(`${vaultId}/secrets/orders-db`, secretsUser, foreign.principalId ?? '');
  const { core } = await cloud.kubernetes('aks-found');
  for (const namespace of ['shop', 'jobs'])
    await core.createNamespace({ body: { metadata: { name: namespace } } });
  for (const [namespace, name, identity] of [
    ['shop', 'orders', 'id-orders'],
    ['jobs', 'nightly', 'id-jobs'],
    ['jobs', 'hourly', 'id-jobs'],
  ] as const)
    await core.createNamespacedServiceAccount({
      namespace,
      body: {
        metadata: {
          name,
          annotations: { 'azure.workload.identity/client-id': identities.get(identity)?.clientId ?? '' },
        },
      },
    });
  return { foreign: foreign.principalId ?? '', snapshot: () => snapshot(cloud, azure, vaultId) };
}

async function snapshot(cloud: LocalCloud, azure: AzureClients, vaultId: string): Promise<unknown> {
  const { userAssignedIdentities, federatedIdentityCredentials } = azure.identities();
  const names = ['id-orders', 'id-jobs', 'id-pipeline'];
  const { core } = await cloud.kubernetes('aks-found');
  const { items } = await core.listServiceAccountForAllNamespaces();
  return {
    cluster: await azure.clusters().managedClusters.get(group, 'aks-found'),
    vault: await azure.vaults().vaults.get(group, 'kv-wi-found'),
    // Each write makes a new version.
    secrets: await Promise.all(
      ['orders-db', 'jobs-key'].map((name) => azure.vaults().secrets.get(group, 'kv-wi-found', name)),
    ),
    identities: await Promise.all(
      names.map(async (name) => ({
        identity: await userAssignedIdentities.get(group, name),
        credentials: await all(federatedIdentityCredentials.list(group, name)),
      })),
    ),
    assignments: await all(azure.authorization().roleAssignments.listForScope(vaultId)),
    accounts: items
      .filter(({ metadata }) => ['shop', 'jobs'].includes(metadata?.namespace ?? ''))
      .map(({ metadata: { name, namespace, annotations = {}, labels } = {} }) => {
        // The stack's own.
        delete annotations['azure.workload.identity/tenant-id'];
        return { name, namespace, annotations, labels };
      }),
  };
}
