import { isValidName } from '../../../components/azure/naming';
import type { KeyVaultArgs, NewKeyVault } from '../../../components/vault/arguments';
import { KeyVault } from '../../../components/vault/keyVault';
import { group, guidOf, ids } from './support/azure';
import { record } from './support/recorder';

// What mocks do not prove: that the vault keeps policies which others wrote (the provider's work, as long as
// the program says nothing of them, which is asserted), that a grant lets anybody read, that values are
// encrypted in the state.

const endpointType = 'azure-native:network:PrivateEndpoint';
const zoneType = 'azure-native:network:PrivateDnsZoneGroup';
const vaultId = `${group}/providers/Microsoft.KeyVault/vaults/kv-dev`;

const sdkSubnetDefaults = {
  privateEndpointNetworkPolicies: 'Disabled',
  privateLinkServiceNetworkPolicies: 'Enabled',
};
const create: NewKeyVault = { resourceGroupName: 'rg', vaultName: 'kv-dev', tenantId: ids.tenant };
const args: KeyVaultArgs = { create, access: 'rbac' };
const grant = (grantee: string, ...secrets: string[]) => ({
  grantee,
  principalId: guidOf(`principal-${grantee}`),
  secrets,
});

const zone = `${group}/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net`;

describe('a KeyVault with private endpoints', () => {
  it('is reached through private endpoints, which its readers wait for', async () => {
    const subnet = (name: string) =>
      `${group}/providers/Microsoft.Network/virtualNetworks/vnet/subnets/${name}`;
    const zone = `${group}/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net`;
    const { find, names, result } = await record(
      () =>
        new KeyVault('central', {
          ...args,
          create: {
            ...create,
            location: 'westeurope',
            tags: { environment: 'dev' },
            privateEndpoints: [{ subnet: subnet('apps'), privateDnsZone: zone }, { subnet: subnet('ops') }],
          },
          grants: [grant('aks-1', 'db')],
        }),
    );

    expect(names(endpointType)).toEqual(['central/vnet/apps/1d67de6b', 'central/vnet/ops/c176fe71']);
    expect(find(endpointType, 'central/vnet/apps/1d67de6b').inputs).toEqual({
      resourceGroupName: 'rg',
      privateEndpointName: 'pe-kv-dev-vnet-apps-1d67de6b',
      location: 'westeurope',
      subnet: { id: subnet('apps'), ...sdkSubnetDefaults },
      privateLinkServiceConnections: [{ name: 'kv-dev', privateLinkServiceId: vaultId, groupIds: ['vault'] }],
      tags: { environment: 'dev' },
    });
    expect(names(zoneType)).toEqual(['central/vnet/apps/1d67de6b']);
    expect(find(zoneType, 'central/vnet/apps/1d67de6b').inputs).toMatchObject({
      privateDnsZoneGroupName: 'default',
      privateDnsZoneConfigs: [{ name: 'vaultcore', privateDnsZoneId: zone }],
    });
    // The assignment, two endpoints and a zone group.
    expect(result.readableBy('aks-1', ['db'])).toHaveLength(4);
  });

  it('has an endpoint for each subnet, whatever these have in common', async () => {
    const subnet = (place: string, network: string, name: string) =>
      `/subscriptions/${place}/providers/Microsoft.Network/virtualNetworks/${network}/subnets/${name}`;
    const here = `${ids.subscription}/resourceGroups/rg`;
    const long = 'n'.repeat(60);
    const subnets = [
      subnet(here, 'a', 'b-c'),
      subnet(here, 'a-b', 'c'),
      subnet(`${ids.subscription}/resourceGroups/other`, 'a', 'b-c'),
      subnet(`${ids.tenant}/resourceGroups/rg`, 'a', 'b-c'),
      subnet(here, long, 'one'),
      subnet(here, long, 'two'),
    ];
    const { find, names } = await record(
      () =>
        new KeyVault('central', {
          ...args,
          create: {
            ...create,
            privateEndpoints: subnets.map((id) => ({ subnet: id, privateDnsZone: zone })),
          },
        }),
    );

    const inAzure = names(endpointType).map((name) => find(endpointType, name).inputs.privateEndpointName);
    expect(new Set(names(endpointType)).size).toBe(subnets.length);
    expect(names(zoneType)).toEqual(names(endpointType));
    expect(new Set(inAzure).size).toBe(subnets.length);
    expect(inAzure.filter((name) => !isValidName('privateEndpoint', String(name)))).toEqual([]);
  });
});
