import { NetworkManagementClient } from '@azure/arm-network';
import { randomUUID } from 'node:crypto';
import { all, refusal, withCloud } from '../../support/azure';

const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
const NETWORKS =
  '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/net/providers/Microsoft.Network';
const SUBNET = `${NETWORKS}/virtualNetworks/vnet/subnets/apps`;
const ZONE = `${NETWORKS}/privateDnsZones/privatelink.vaultcore.azure.net`;

describe('a vault’s network, through @azure/arm-keyvault and @azure/arm-network', () => {
  const cloud = withCloud();

  const network = () =>
    new NetworkManagementClient(cloud.administrator(), cloud.subscriptionId, cloud.clientOptions());
  const read = (name: string) => refusal(cloud.secrets(name).getSecret('none'));
  const connection = (privateLinkServiceId: string, groupIds = ['vault']) => ({
    location: 'westeurope',
    subnet: { id: SUBNET },
    privateLinkServiceConnections: [{ name: 'vault', privateLinkServiceId, groupIds }],
  });

  it('admits callers by an IP rule for this machine’s address only', async () => {
    const acls = (...values: string[]) => ({
      networkAcls: {
        defaultAction: 'Deny',
        bypass: 'AzureServices',
        ipRules: values.map((value) => ({ value })),
        virtualNetworkRules: [{ id: SUBNET }],
      },
    });
    await cloud.makeVault('kv-rules', acls('203.0.113.7'));
    const held = (await cloud.vaults().vaults.get('rg', 'kv-rules')).properties.networkAcls;
    expect(held).toMatchObject({
      ipRules: [{ value: '203.0.113.7/32' }],
      virtualNetworkRules: [{ id: SUBNET }],
    });
    expect(await read('kv-rules')).toMatchObject({ status: 403 });
    expect(cloud.innerError).toBe('ForbiddenByFirewall');

    await cloud.makeVault('kv-rules', acls('203.0.113.7', '127.0.0.0/8'));
    expect(await read('kv-rules')).toMatchObject({ status: 404, code: 'SecretNotFound' });
  });

  it.each([
    ['a private range', { ipRules: [{ value: '10.0.0.0/8' }] }, 'belongs to forbidden range 10.0.0.0/8'],
    ['what is no address', { ipRules: [{ value: 'here' }] }, "'here' is neither"],
    ['what is no subnet', { virtualNetworkRules: [{ id: 'apps' }] }, "Property id 'apps'"],
    ['an action that is not there', { defaultAction: 'Maybe' }, "'Maybe' is not one of Allow, Deny"],
    [
      'too many rules',
      { ipRules: Array.from({ length: 1001 }, () => ({ value: '203.0.113.7' })) },
      '1001 IP rules',
    ],
  ])('refuses %s in network rules', async (_what, networkAcls, message) => {
    const refused = await refusal(cloud.makeVault('kv-refused', { networkAcls }));
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(message);
  });

  it('connects a private endpoint to a vault, which then admits callers despite disabled public access', async () => {
    const id = await cloud.makeVault('kv-private', { publicNetworkAccess: 'Disabled' });
    expect(await read('kv-private')).toMatchObject({ status: 403 });
    expect(cloud.innerError).toBe('ForbiddenByConnection');

    const { privateEndpoints, privateDnsZoneGroups } = network();
    const created = await privateEndpoints.createOrUpdate('rg', 'pe-kv', connection(id));
    expect(created).toMatchObject({
      provisioningState: 'Succeeded',
      subnet: { id: SUBNET },
      privateLinkServiceConnections: [{ privateLinkServiceConnectionState: { status: 'Approved' } }],
    });
    const zones = { privateDnsZoneConfigs: [{ name: 'vault', privateDnsZoneId: ZONE }] };
    await privateDnsZoneGroups.createOrUpdate('rg', 'pe-kv', 'default', zones);
    expect(await privateDnsZoneGroups.get('rg', 'pe-kv', 'default')).toMatchObject(zones);
    const second = privateDnsZoneGroups.createOrUpdate('rg', 'pe-kv', 'second', zones);
    expect(await refusal(second)).toMatchObject({ status: 400 });
    const { properties } = await cloud.vaults().vaults.get('rg', 'kv-private');
    expect(properties.privateEndpointConnections).toEqual([
      expect.objectContaining({
        id: `${id}/privateEndpointConnections/vault`,
        privateEndpoint: { id: created.id },
      }),
    ]);
    expect(await read('kv-private')).toMatchObject({ status: 404, code: 'SecretNotFound' });

    expect(await all(privateEndpoints.list('rg'))).toHaveLength(1);
    await privateEndpoints.delete('rg', 'pe-kv');
    expect(await read('kv-private')).toMatchObject({ status: 403 });
    await privateEndpoints.createOrUpdate('rg', 'pe-kv', connection(id));
    expect(await all(privateDnsZoneGroups.list('rg', 'pe-kv'))).toEqual([]);
  });

  it('keeps the members of a private endpoint that only newer versions have', async () => {
    const id = await cloud.makeVault('kv-versions');
    const { privateEndpoints } = network();
    const { id: endpoint = '' } = await privateEndpoints.createOrUpdate('rg', 'pe-versions', connection(id));
    const at = (version: string) => `${endpoint}?api-version=${version}`;
    const { body } = await cloud.arm('GET', at('2026-01-01'));
    const { location, properties } = body as { location: string; properties: object };
    const newer = { ipVersionType: 'IPv4', billingSku: 'Fixed' };
    const put = (change: object) =>
      cloud.arm('PUT', at('2026-01-01'), { location, properties: { ...properties, ...change } });
    expect(await put(newer)).toMatchObject({ body: { properties: newer } });
    for (const refused of [{ ipVersionType: 'IPv6' }, { colour: 'red' }])
      expect(await put(refused)).toMatchObject({ status: 400 });
    const older = await cloud.arm('GET', at('2022-01-01'));
    expect(older).toMatchObject({ status: 200, body: { properties: { provisioningState: 'Succeeded' } } });
    expect(JSON.stringify(older.body)).not.toMatch(/ipVersionType|billingSku/);
  });

  it('leaves a manual connection pending', async () => {
    const id = await cloud.makeVault('kv-pending', { publicNetworkAccess: 'Disabled' });
    const { privateLinkServiceConnections, ...rest } = connection(id);
    await network().privateEndpoints.createOrUpdate('rg', 'pe-pending', {
      ...rest,
      manualPrivateLinkServiceConnections: privateLinkServiceConnections,
    });
    expect(await read('kv-pending')).toMatchObject({ status: 403 });
  });

  it('refuses invalid connections, and those that the caller may not approve', async () => {
    const id = await cloud.makeVault('kv-target');
    const make = (parameters: object) =>
      refusal(network().privateEndpoints.createOrUpdate('rg', 'pe-refused', parameters));
    expect(await make(connection(`${id}x`))).toMatchObject({ status: 404, code: 'ResourceNotFound' });
    expect((await make(connection(id, ['blob']))).message).toContain("['vault']");
    expect(await make({ ...connection(id), subnet: { id: 'apps' } })).toMatchObject({
      status: 400,
      code: 'LinkedInvalidPropertyId',
    });

    const contributor = cloud.principal('network');
    await cloud.group('rg-network');
    await cloud
      .authorization()
      .roleAssignments.create(
        `/subscriptions/${cloud.subscriptionId}/resourceGroups/rg-network`,
        randomUUID(),
        {
          principalId: contributor.objectId,
          principalType: 'ServicePrincipal',
          roleDefinitionId: CONTRIBUTOR,
        },
      );
    const own = new NetworkManagementClient(
      contributor.credential,
      cloud.subscriptionId,
      cloud.clientOptions(),
    );
    const created = own.privateEndpoints.createOrUpdate('rg-network', 'pe-own', connection(id));
    expect(await refusal(created)).toMatchObject({ status: 403, code: 'LinkedAuthorizationFailed' });
  });
});
