import type { AzureReader, AzureResource } from '../../../cli/azureReader';
import { planFromAzure } from '../../../cli/init/fromAzurePlan';
import { readFound } from '../../../cli/init/fromAzureRead';
import { cluster, kindsOf, shop, subscription } from './initFromAzure.fixture';

// What a fake does not prove: which identities AKS creates; tests/e2e/initFromAzure.test.ts reads the local cloud's.

const inGroup = (group: string, name: string) =>
  `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
const kubelet = inGroup('rg-shop', 'id-kubelet');
const ofAddOn = inGroup('rg-shop', 'id-monitoring');
const properties = {
  nodeResourceGroup: 'MC_rg-shop_aks-1_westeurope',
  identityProfile: { kubeletidentity: { resourceId: kubelet.toUpperCase() } },
  addonProfiles: {
    omsagent: { enabled: true, identity: { resourceId: ofAddOn } },
    other: { enabled: false },
  },
};
const resource = (id: string, more: object = {}): AzureResource => ({
  ...{ id, name: id.split('/').at(-1) ?? '', type: '' },
  properties: { clientId: 'c', principalId: 'p', tenantId: 't', ...more },
});

it('an identity that a cluster runs as is not unused, and any other is', async () => {
  const identities = [
    kubelet,
    ofAddOn,
    inGroup('mc_rg-shop_aks-1_westeurope', 'azurepolicy-aks-1'),
    inGroup('rg-shop', 'id-beside'),
  ];
  const azure: AzureReader = {
    get: () => Promise.resolve(undefined),
    list: (path) =>
      Promise.resolve(path.endsWith('/userAssignedIdentities') ? identities.map((id) => resource(id)) : []),
  };
  const place = { subscription, resourceGroups: [] };
  const manager = { endpoint: 'https://arm', read: () => Promise.reject(new Error('not read')) };

  const found = await readFound(
    { azure, manager },
    place,
    [resource(cluster('aks-1').id, { ...properties, location: 'westeurope' })],
    [],
  );

  const { findings } = planFromAzure({ ...found, clusters: shop.clusters, vaults: shop.vaults }, 'prod');
  expect(kindsOf(findings).filter(([kind]) => kind === 'unusedIdentity')).toEqual([
    ['unusedIdentity', 'id-beside'],
  ]);
});
