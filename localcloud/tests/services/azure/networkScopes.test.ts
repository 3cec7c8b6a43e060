import type { Subnet } from '@azure/arm-network';
import { NetworkManagementClient } from '@azure/arm-network';
import { randomUUID } from 'node:crypto';
import { all, groupId, refusal, withCloud } from '../../support/azure';

const NETWORK_OPERATOR = 'be7a6435-15ae-4171-8f30-4a343eff9e8f';
const FILE_OPERATOR = '0d7aedc0-15fd-4a67-a412-efad370c947e';
const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
const DNS_VERSION = '2018-05-01';
const location = 'westeurope';

describe('networks as scopes, through @azure/arm-network and @azure/arm-resources', () => {
  const cloud = withCloud({ fresh: true });
  const group = groupId('rg');
  const idOf = (type: string, name: string) => `${group}/providers/Microsoft.Network/${type}/${name}`;
  const zoneId = (name: string) => idOf('dnsZones', name);
  const client = (credential = cloud.administrator()) =>
    new NetworkManagementClient(credential, cloud.subscriptionId, cloud.clientOptions());
  const zones = () => cloud.resources().resources;

  const network = (name: string, subnets?: Subnet[], prefix = '10.0.0.0/16') =>
    client().virtualNetworks.createOrUpdate('rg', name, {
      location,
      addressSpace: { addressPrefixes: [prefix] },
      ...(subnets && { subnets }),
    });
  const securityGroup = (name: string, change: object = {}) =>
    client().networkSecurityGroups.createOrUpdate('rg', name, { location, ...change });
  const assign = (scope: string, principalId: string, role: string) =>
    cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId,
      roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${role}`,
      principalType: 'ServicePrincipal',
    });
  const workers: Subnet = { name: 'workers', addressPrefix: '10.0.0.0/24' };

  it('creates, reads, tags, lists and deletes a virtual network with its subnets', async () => {
    const { virtualNetworks, subnets } = client();
    const created = await network('vnet', [workers]);
    const id = idOf('virtualNetworks', 'vnet');
    expect(created).toMatchObject({
      id,
      provisioningState: 'Succeeded',
      addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
      subnets: [{ id: `${id}/subnets/workers`, name: 'workers', addressPrefix: '10.0.0.0/24' }],
    });

    await subnets.createOrUpdate('rg', 'vnet', 'masters', { addressPrefixes: ['10.0.1.0/24'] });
    await virtualNetworks.updateTags('rg', 'vnet', { tags: { for: 'clusters' } });
    await cloud.restart();
    // A write without subnets keeps them.
    await network('vnet');
    const again = await client().virtualNetworks.get('rg', 'vnet');
    expect(again).toMatchObject({ resourceGuid: created.resourceGuid, tags: {} });
    expect(again.subnets?.map(({ name }) => name)).toEqual(['masters', 'workers']);
    expect(await client().subnets.get('rg', 'vnet', 'masters')).toMatchObject({
      id: `${id}/subnets/masters`,
      privateEndpointNetworkPolicies: 'Disabled',
    });
    expect(await all(client().virtualNetworks.list('rg'))).toHaveLength(1);
    expect(await all(client().virtualNetworks.listAll())).toHaveLength(1);
    const tracked = await all(cloud.resources().resources.listByResourceGroup('rg'));
    expect(tracked.map(({ type }) => type)).toEqual(['Microsoft.Network/virtualNetworks']);

    await client().subnets.delete('rg', 'vnet', 'masters');
    expect(await all(client().subnets.list('rg', 'vnet'))).toHaveLength(1);
    await network('vnet', []);
    expect(await all(client().subnets.list('rg', 'vnet'))).toEqual([]);
    await network('vnet', [workers]);
    await client().virtualNetworks.delete('rg', 'vnet');
    expect(await refusal(client().subnets.get('rg', 'vnet', 'workers'))).toMatchObject({
      code: 'ResourceNotFound',
    });
  });

  it.each<[string, Subnet[], string]>([
    ['outside the network', [{ name: 'a', addressPrefix: '10.1.0.0/24' }], 'NetcfgSubnetRangeOutsideVnet'],
    ['over another', [workers, { name: 'a', addressPrefix: '10.0.0.128/25' }], 'NetcfgSubnetRangesOverlap'],
    ['not aligned', [{ name: 'a', addressPrefix: '10.0.0.1/24' }], 'InvalidCIDRNotation'],
    ['that is no range', [{ name: 'a', addressPrefix: 'fd00::/64' }], 'InvalidAddressPrefixFormat'],
    ['without a prefix', [{ name: 'a', defaultOutboundAccess: false }], 'BadRequest'],
    ['of another name', [{ name: '-a', addressPrefix: '10.0.0.0/24' }], 'BadRequest'],
    [
      'with a security group that is not there',
      [{ ...workers, networkSecurityGroup: { id: '/subscriptions/s/none' } }],
      'InvalidResourceReference',
    ],
    ['with a route table', [{ ...workers, routeTable: { id: 'x' } }], 'InvalidRequestContent'],
  ])('refuses a subnet %s', async (_what, subnets, code) => {
    expect(await refusal(network('vnet', subnets))).toMatchObject({ status: 400, code });
    const written = await refusal(client().virtualNetworks.get('rg', 'vnet'));
    expect(written).toMatchObject({ code: 'ResourceNotFound' });
  });

  it('takes the subnets from a network that an older version writes without them', async () => {
    await network('vnet', [workers]);
    const body = { location, properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } };
    const path = `${idOf('virtualNetworks', 'vnet')}?api-version=`;
    expect(await cloud.arm('PUT', `${path}2023-09-01`, body)).toMatchObject({ status: 200 });
    expect(await all(client().subnets.list('rg', 'vnet'))).toHaveLength(1);
    // As the Azure CLI sends it.
    expect(await cloud.arm('PUT', `${path}2022-01-01`, body)).toMatchObject({ status: 200 });
    expect(await all(client().subnets.list('rg', 'vnet'))).toEqual([]);
  });

  it('keeps a network security group while a subnet names it, and its rules as they are written', async () => {
    const rule = {
      name: 'https',
      ...{ access: 'Allow', direction: 'Inbound', priority: 100, protocol: 'Tcp' },
      ...{ sourceAddressPrefix: '*', sourcePortRange: '*' },
      ...{ destinationAddressPrefix: '*', destinationPortRange: '443' },
    };
    const created = await securityGroup('nsg', { securityRules: [rule], tags: { for: 'workers' } });
    expect(created).toMatchObject({ provisioningState: 'Succeeded', securityRules: [rule] });
    const twins = securityGroup('nsg', { securityRules: [rule, { ...rule, name: 'other' }] });
    expect(await refusal(twins)).toMatchObject({ code: 'SecurityRuleConflict' });

    await network('vnet', [{ ...workers, networkSecurityGroup: { id: created.id } }]);
    const { networkSecurityGroups } = client();
    const subnetId = `${idOf('virtualNetworks', 'vnet')}/subnets/workers`;
    expect((await networkSecurityGroups.get('rg', 'nsg')).subnets).toMatchObject([{ id: subnetId }]);
    expect(await refusal(networkSecurityGroups.delete('rg', 'nsg'))).toMatchObject({
      status: 400,
      code: 'InUseNetworkSecurityGroupCannotBeDeleted',
    });
    await network('vnet', [workers]);
    await networkSecurityGroups.updateTags('rg', 'nsg', { tags: {} });
    expect(await all(networkSecurityGroups.list('rg'))).toMatchObject([{ name: 'nsg', tags: {} }]);
    expect(await all(networkSecurityGroups.listAll())).toHaveLength(1);
    await networkSecurityGroups.delete('rg', 'nsg');
    expect(await all(networkSecurityGroups.list('rg'))).toEqual([]);
  });

  it('keeps a subnet while a private endpoint is in it', async () => {
    await network('vnet', [workers]);
    const { id } = await cloud.vaults().vaults.createOrUpdate('rg', 'kv-in-subnet', {
      location,
      properties: { tenantId: cloud.tenantId, sku: { family: 'A', name: 'standard' } },
    });
    const { privateEndpoints, subnets, virtualNetworks } = client();
    await privateEndpoints.createOrUpdate('rg', 'pe', {
      location,
      subnet: { id: `${idOf('virtualNetworks', 'VNET')}/subnets/workers` },
      privateLinkServiceConnections: [{ name: 'vault', privateLinkServiceId: id, groupIds: ['vault'] }],
    });
    const inUse = { status: 400, code: 'InUseSubnetCannotBeDeleted' };
    expect(await refusal(subnets.delete('rg', 'vnet', 'workers'))).toMatchObject(inUse);
    expect(await refusal(virtualNetworks.delete('rg', 'vnet'))).toMatchObject(inUse);
    expect(await refusal(network('vnet', []))).toMatchObject(inUse);
    await privateEndpoints.delete('rg', 'pe');
    await virtualNetworks.delete('rg', 'vnet');
  });

  it('creates, reads, tags, lists and deletes a DNS zone', async () => {
    const id = zoneId('clusters.example.com');
    const write = (zone: object, ifNoneMatch?: string) =>
      zones().createOrUpdateById(
        id,
        DNS_VERSION,
        { location: 'global', ...zone },
        { requestOptions: { headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch } } },
      );
    expect(await write({ tags: { for: 'clusters' } }, '*')).toMatchObject({
      id,
      location: 'global',
      tags: { for: 'clusters' },
      properties: { zoneType: 'Public', numberOfRecordSets: 2 },
    });
    expect(await refusal(write({}, '*'))).toMatchObject({ status: 412 });
    expect(await write({})).toMatchObject({ tags: {} });
    await zones().updateById(id, DNS_VERSION, { tags: { again: 'yes' } });
    expect(await zones().getById(id, DNS_VERSION)).toMatchObject({ tags: { again: 'yes' } });

    expect(await refusal(write({ location }))).toMatchObject({ code: 'InvalidRequestContent' });
    expect(await refusal(write({ properties: { zoneType: 'Private' } }))).toMatchObject({ status: 400 });
    const wrong = zones().createOrUpdateById(zoneId('example'), DNS_VERSION, { location: 'global' });
    expect(await refusal(wrong)).toMatchObject({ status: 400 });
    const record = await refusal(zones().getById(`${id}/A/www`, DNS_VERSION));
    expect(record).toMatchObject({ status: 404, code: 'InvalidResourceType' });

    const listed = await cloud.arm('GET', `${zoneId('').slice(0, -1)}?api-version=${DNS_VERSION}`);
    expect(listed.body).toMatchObject({ value: [{ name: 'clusters.example.com' }] });
    await zones().deleteById(id, DNS_VERSION);
    expect(await refusal(zones().getById(id, DNS_VERSION))).toMatchObject({ code: 'ResourceNotFound' });
  });

  it('enforces a role on a network, a subnet, a security group or a zone', async () => {
    const { id: groupScope = '' } = await securityGroup('nsg');
    const { id: vnet = '' } = await network('vnet', [
      workers,
      { name: 'masters', addressPrefix: '10.0.1.0/24' },
    ]);
    await zones().createOrUpdateById(zoneId('clusters.example.com'), DNS_VERSION, { location: 'global' });
    const operator = cloud.principal('network-operator');
    const files = cloud.principal('file-operator');
    const contributor = cloud.principal('zone-contributor');

    await assign(vnet, operator.objectId, NETWORK_OPERATOR);
    await assign(`${vnet}/subnets/workers`, files.objectId, FILE_OPERATOR);
    await assign(zoneId('clusters.example.com'), contributor.objectId, CONTRIBUTOR);
    const denied = { status: 403, code: 'AuthorizationFailed' };

    const own = client(operator.credential);
    expect(await own.virtualNetworks.get('rg', 'vnet')).toMatchObject({ name: 'vnet' });
    expect(await refusal(own.virtualNetworks.delete('rg', 'vnet'))).toMatchObject(denied);
    expect(await refusal(own.networkSecurityGroups.get('rg', 'nsg'))).toMatchObject(denied);

    const ofFiles = client(files.credential);
    const protect = () =>
      ofFiles.subnets.createOrUpdate('rg', 'vnet', 'workers', {
        addressPrefix: '10.0.0.0/24',
        networkSecurityGroup: { id: groupScope },
      });
    expect(await ofFiles.subnets.get('rg', 'vnet', 'workers')).toMatchObject({ name: 'workers' });
    expect(await refusal(ofFiles.subnets.get('rg', 'vnet', 'masters'))).toMatchObject(denied);
    expect(await refusal(protect())).toMatchObject({ status: 403, code: 'LinkedAuthorizationFailed' });
    await assign(groupScope, files.objectId, FILE_OPERATOR);
    expect(await protect()).toMatchObject({ networkSecurityGroup: { id: groupScope } });

    const ofZone = cloud.resources(contributor.credential).resources;
    const zone = { location: 'global', tags: { mine: 'yes' } };
    await ofZone.createOrUpdateById(zoneId('clusters.example.com'), DNS_VERSION, zone);
    const another = ofZone.createOrUpdateById(zoneId('other.example.com'), DNS_VERSION, zone);
    expect(await refusal(another)).toMatchObject(denied);

    const { roleAssignments } = cloud.authorization();
    const held = async (principalId: string) =>
      all(roleAssignments.listForScope(group, { filter: `principalId eq '${principalId}'` }));
    expect(await held(files.objectId)).toHaveLength(2);
    // Role assignments end with what they are made on.
    await network('vnet', []);
    expect(await held(files.objectId)).toHaveLength(1);
    await client().virtualNetworks.delete('rg', 'vnet');
    expect(await held(operator.objectId)).toEqual([]);
  });

  it('refuses roles on what is not there', async () => {
    const { objectId } = cloud.principal('nowhere');
    await network('vnet', [workers]);
    const missing = { status: 404, code: 'ResourceNotFound' };
    const scopes = [
      idOf('virtualNetworks', 'other'),
      `${idOf('virtualNetworks', 'vnet')}/subnets/other`,
      idOf('networkSecurityGroups', 'nsg'),
      zoneId('none.example.com'),
    ];
    for (const scope of scopes) {
      expect(await refusal(assign(scope, objectId, NETWORK_OPERATOR))).toMatchObject(missing);
    }
  });

  it('obeys locks, has entries in the activity log, and ends with its group', async () => {
    await network('vnet', [workers]);
    await securityGroup('nsg');
    const scope = `${idOf('virtualNetworks', 'vnet')}/subnets/workers`;
    const lock = `${scope}/providers/Microsoft.Authorization/locks/keep`;
    const lockBody = { properties: { level: 'CanNotDelete' } };
    const put = await cloud.arm('PUT', `${lock}?api-version=2020-05-01`, lockBody);
    expect(put).toMatchObject({ status: 201, body: { id: lock } });
    const locked = { status: 409, code: 'ScopeLocked' };
    expect(await refusal(client().subnets.delete('rg', 'vnet', 'workers'))).toMatchObject(locked);
    expect(await refusal(client().virtualNetworks.delete('rg', 'vnet'))).toMatchObject(locked);
    await cloud.arm('DELETE', `${lock}?api-version=2020-05-01`);

    const log = `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Insights/eventtypes/management/values`;
    const filter = "eventTimestamp ge '2020-01-01' and resourceProvider eq 'Microsoft.Network'";
    const entries = await cloud.arm(
      'GET',
      `${log}?api-version=2015-04-01&$filter=${encodeURIComponent(filter)}`,
    );
    const actions = (entries.body as { value: { operationName: { value: string } }[] }).value;
    expect(actions.map(({ operationName }) => operationName.value)).toEqual(
      expect.arrayContaining(['Microsoft.Network/virtualNetworks/write']),
    );

    await cloud.resources().resourceGroups.delete('rg');
    await cloud.group('rg');
    expect(await all(client().virtualNetworks.listAll())).toEqual([]);
    expect(await all(client().networkSecurityGroups.listAll())).toEqual([]);
  });
});
