import type { AzureClients } from '../../support/azureClients';

/** What the owners of the hosted clusters have made: groups, a network and a vault with the key of hc1. */
export async function makeSurroundings(azure: AzureClients): Promise<void> {
  const groups = ['rg-hc1', 'rg-hc2', 'rg-network'];
  for (const name of groups)
    await azure.resources().resourceGroups.createOrUpdate(name, { location: 'westeurope' });
  const inNetwork = `/subscriptions/${azure.subscriptionId}/resourceGroups/rg-network/providers/Microsoft.Network`;
  const made = [
    await azure.request('PUT', `${inNetwork}/networkSecurityGroups/nsg-hc1?api-version=2024-05-01`, {
      location: 'westeurope',
    }),
    await azure.request('PUT', `${inNetwork}/virtualNetworks/vnet-hc?api-version=2024-05-01`, {
      location: 'westeurope',
      properties: {
        addressSpace: { addressPrefixes: ['10.8.0.0/16'] },
        subnets: [1, 2].map((number) => ({
          name: `hc${number}`,
          properties: { addressPrefix: `10.8.${number}.0/24` },
        })),
      },
    }),
    await azure.request('PUT', `${inNetwork}/dnsZones/hc.example.com?api-version=2018-05-01`, {
      location: 'global',
    }),
    await azure.request(
      'PUT',
      `${inNetwork.replace('Microsoft.Network', 'Microsoft.KeyVault')}/vaults/kv-hc1-etcd?api-version=2024-11-01`,
      {
        location: 'westeurope',
        properties: {
          tenantId: azure.tenantId,
          sku: { family: 'A', name: 'standard' },
          enableRbacAuthorization: true,
        },
      },
    ),
  ];
  for (const { status, body } of made) if (status > 201) throw new Error(JSON.stringify(body));
}
