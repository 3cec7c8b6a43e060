import { randomUUID } from 'node:crypto';
import { OTHER_SUBSCRIPTION_ID } from '../../../identity';
import { all, refusal, withCloud } from '../../support/azure';

const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';

describe('a second subscription, through the vendors’ clients', () => {
  const cloud = withCloud();
  const other = OTHER_SUBSCRIPTION_ID;
  beforeAll(async () => {
    const groups = cloud.resources(cloud.administrator(), other).resourceGroups;
    await groups.createOrUpdate('rg', { location: 'westeurope' });
    await groups.createOrUpdate('rg-elsewhere', { location: 'northeurope' });
  });

  const vault = () => ({
    location: 'westeurope',
    properties: {
      tenantId: cloud.tenantId,
      sku: { family: 'A', name: 'standard' as const },
      enableRbacAuthorization: true,
    },
  });

  it('has its own groups, identities, vaults and clusters', async () => {
    const admin = cloud.administrator();
    const ids = (await all(cloud.resources().resourceGroups.list())).map((each) => each.id);
    const there = (await all(cloud.resources(admin, other).resourceGroups.list())).map((each) => each.id);
    expect(ids).toEqual([`/subscriptions/${cloud.subscriptionId}/resourceGroups/rg`]);
    expect(there).toEqual([
      `/subscriptions/${other}/resourceGroups/rg`,
      `/subscriptions/${other}/resourceGroups/rg-elsewhere`,
    ]);

    const identities = (subscription: string) => cloud.identities(admin, subscription).userAssignedIdentities;
    const twins = await Promise.all(
      [cloud.subscriptionId, other].map((subscription) =>
        identities(subscription).createOrUpdate('rg', 'id-app', { location: 'westeurope' }),
      ),
    );
    expect(twins[0]?.principalId).not.toBe(twins[1]?.principalId);
    expect((await all(identities(other).listBySubscription())).map((each) => each.id)).toEqual([
      `/subscriptions/${other}/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-app`,
    ]);

    const { managedClusters } = cloud.clusters(admin, other);
    const cluster = await managedClusters.createOrUpdate('rg', 'aks', {
      location: 'westeurope',
      dnsPrefix: 'dns',
      identity: { type: 'UserAssigned', userAssignedIdentities: { [twins[0]?.id ?? '']: {} } },
      agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
    });
    expect(cluster.id).toContain(`/subscriptions/${other}/`);
    expect(cluster.identityProfile?.['kubeletidentity']?.resourceId).toContain(
      `/subscriptions/${other}/resourceGroups/MC_rg_aks_westeurope/`,
    );
    expect(await all(cloud.clusters().managedClusters.list())).toEqual([]);
    await managedClusters.delete('rg', 'aks');
    expect(await all(cloud.resources(admin, other).resourceGroups.list())).toHaveLength(2);
  });

  it('shares the names of vaults with the first', async () => {
    const admin = cloud.administrator();
    const created = await cloud.vaults(admin, other).vaults.createOrUpdate('rg', 'kv-shared', vault());
    expect(created.id).toContain(`/subscriptions/${other}/`);
    const twin = cloud.vaults().vaults.createOrUpdate('rg', 'kv-shared', vault());
    expect(await refusal(Promise.resolve(twin))).toMatchObject({ status: 409, code: 'VaultAlreadyExists' });
    await cloud.secrets('kv-shared').setSecret('one', 'value');
    expect((await cloud.secrets('kv-shared').getSecret('one')).value).toBe('value');

    await cloud.vaults(admin, other).vaults.delete('rg', 'kv-shared');
    expect(await all(cloud.vaults().vaults.listDeleted())).toEqual([]);
    expect(await all(cloud.vaults(admin, other).vaults.listDeleted())).toHaveLength(1);
    const elsewhere = cloud.vaults().vaults.getDeleted('kv-shared', 'westeurope');
    expect(await refusal(elsewhere)).toMatchObject({ status: 404 });
  });

  it('applies role assignments in their own subscription only, and lists a subscription for callers with a role in it', async () => {
    const reader = cloud.principal('reader');
    const admin = cloud.administrator();
    await cloud
      .authorization(admin, other)
      .roleAssignments.create(`/subscriptions/${other}/resourceGroups/rg`, randomUUID(), {
        principalId: reader.objectId,
        principalType: 'ServicePrincipal',
        roleDefinitionId: `/subscriptions/${other}/providers/Microsoft.Authorization/roleDefinitions/${READER}`,
      });
    const groups = (subscription: string) => cloud.resources(reader.credential, subscription).resourceGroups;
    expect(await groups(other).get('rg')).toMatchObject({ name: 'rg' });
    expect(await refusal(groups(cloud.subscriptionId).get('rg'))).toMatchObject({
      status: 403,
      code: 'AuthorizationFailed',
    });

    const list = async (credential: typeof admin) => {
      const url = 'https://management.azure.com/subscriptions?api-version=2022-12-01';
      const { body } = await cloud.raw(url, { credential });
      const { value } = body as { value: { subscriptionId: string; displayName: string }[] };
      return value.map(({ subscriptionId, displayName }) => [subscriptionId, displayName]);
    };
    expect(await list(admin)).toEqual([
      [cloud.subscriptionId, 'Local cloud'],
      [other, 'Other subscription'],
    ]);
    expect(await list(reader.credential)).toEqual([[other, 'Other subscription']]);
    const missing = cloud.resources(admin, randomUUID()).resourceGroups.get('rg');
    expect(await refusal(missing)).toMatchObject({ status: 404, code: 'SubscriptionNotFound' });
  });
});
