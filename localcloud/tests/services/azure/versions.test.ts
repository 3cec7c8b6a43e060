import { randomUUID } from 'node:crypto';
import { groupId, withCloud } from '../../support/azure';

const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const SECRETS_USER = '4633458b-17de-408a-b874-0445c86b69e6';
const STORAGE = 'Microsoft.Storage/storageAccounts';
const SERVER = 'Microsoft.DBforPostgreSQL/flexibleServers';
const CLUSTER = 'Microsoft.ContainerService/managedClusters';

describe('older api-versions, by plain HTTPS', () => {
  const cloud = withCloud();
  const group = groupId('rg');
  const location = 'westeurope';
  const idOf = (type: string, name = `old${randomUUID().slice(0, 8)}`) =>
    `${group}/providers/${type}/${name}`;
  const arm = async (method: string, path: string, version: string, body?: object) => {
    const reply = await cloud.arm(method, `${path}?api-version=${version}`, body);
    const shown = (reply.body ?? {}) as Record<string, unknown> & { error?: object };
    return { status: reply.status, shown, error: shown.error };
  };
  const stateOf = async (id: string, version: string) => {
    const { properties } = (await arm('GET', id, version)).shown as { properties?: Record<string, unknown> };
    return properties?.['provisioningState'] ?? properties?.['state'];
  };
  const put = async (id: string, version: string, body: object) => {
    const answer = await arm('PUT', id, version, { location, ...body });
    while (/^(Creat|Updat|Provision)ing$/.test(String(await stateOf(id, version))))
      cloud.azure.control.clock.advance(1000);
    return answer;
  };

  const sku = { name: 'Standard_B1ms', tier: 'Burstable' };
  const identity = { type: 'SystemAssigned' };

  it.each([
    [
      ...[STORAGE, '2015-06-15', '2025-06-01'],
      { properties: { accountType: 'Standard_GRS' } },
      { properties: { accountType: 'Standard_GRS', supportsHttpsTrafficOnly: false } },
      { sku: { name: 'Standard_GRS', tier: 'Standard' }, kind: 'Storage' },
    ],
    [
      ...[SERVER, '2020-02-14-preview', '2025-08-01'],
      {
        sku,
        properties: {
          ...{ version: '12', administratorLogin: 'owner', administratorLoginPassword: 'not-secret' },
          storageProfile: { storageMB: 65536, backupRetentionDays: 9 },
          haEnabled: 'Enabled',
        },
      },
      {
        properties: {
          storageProfile: { storageMB: 65536, backupRetentionDays: 9, geoRedundantBackup: 'Disabled' },
          ...{ haEnabled: 'Enabled', haState: 'NotEnabled', publicNetworkAccess: 'Enabled' },
        },
      },
      {
        properties: {
          storage: { storageSizeGB: 64 },
          backup: { backupRetentionDays: 9, geoRedundantBackup: 'Disabled' },
          highAvailability: { mode: 'ZoneRedundant', state: 'NotEnabled' },
          network: { publicNetworkAccess: 'Enabled' },
        },
      },
    ],
    [
      ...[SERVER, '2022-03-08-preview', '2025-08-01'],
      {
        sku,
        properties: {
          version: '14',
          authConfig: { activeDirectoryAuthEnabled: true, passwordAuthEnabled: false },
        },
      },
      {
        properties: {
          authConfig: { activeDirectoryAuthEnabled: true, passwordAuthEnabled: false },
          dataEncryption: { type: 'SystemAssigned' },
        },
      },
      {
        properties: {
          authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled' },
          dataEncryption: { type: 'SystemManaged' },
        },
      },
    ],
    [
      ...[CLUSTER, '2019-06-01', '2025-09-01'],
      {
        identity,
        properties: {
          dnsPrefix: 'old',
          agentPoolProfiles: [{ name: 'pool', count: 1 }],
          apiServerAuthorizedIPRanges: ['203.0.113.0/24'],
        },
      },
      { properties: { apiServerAuthorizedIPRanges: ['203.0.113.0/24'] } },
      {
        properties: {
          agentPoolProfiles: [{ name: 'pool', mode: 'User' }],
          apiServerAccessProfile: { authorizedIPRanges: ['203.0.113.0/24'] },
        },
      },
    ],
    [
      ...[CLUSTER, '2023-01-01', '2023-02-01'],
      {
        ...{ identity, sku: { name: 'Basic', tier: 'Paid' } },
        properties: { dnsPrefix: 'old', agentPoolProfiles: [{ name: 'pool', mode: 'System', count: 1 }] },
      },
      { sku: { name: 'Basic', tier: 'Paid' } },
      { sku: { name: 'Base', tier: 'Standard' } },
    ],
  ] as [string, string, string, object, object, object][])(
    'take and show a resource in their own form: %s %s',
    async (type, older, newer, body, inOlder, inNewer) => {
      const id = idOf(type);
      expect((await put(id, older, body)).error).toBeUndefined();
      const { shown } = await arm('GET', id, older);
      expect(shown).toMatchObject(inOlder);
      const list = await arm('GET', `${group}/providers/${type}`, older);
      expect(list.shown['value']).toContainEqual(shown);
      expect((await arm('GET', id, newer)).shown).toMatchObject(inNewer);
      expect((await arm('GET', id, newer)).shown).not.toMatchObject(inOlder);
    },
  );

  it('have the storage defaults of their time, for new accounts only', async () => {
    const account = { kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
    const shown = async (id: string) => (await arm('GET', id, '2025-06-01')).shown;
    const [older, newer] = [idOf(STORAGE), idOf(STORAGE)];
    await put(older, '2018-11-01', account);
    await put(newer, '2019-04-01', account);
    expect(await shown(older)).toMatchObject({ properties: { supportsHttpsTrafficOnly: false } });
    expect(await shown(newer)).toMatchObject({ properties: { supportsHttpsTrafficOnly: true } });
  });

  it.each([
    ['2022-11-01', { name: 'Base' }, /^Base managed cluster SKU name is invalid\. 'Basic' has been replaced/],
    ['2022-11-01', { tier: 'Standard' }, /^Standard managed cluster SKU tier is invalid\. 'Paid' has been/],
    ['2023-02-01', { name: 'Basic' }, /^Basic managed cluster SKU name is invalid\. 'Basic' has been/],
    ['2023-02-01', { tier: 'Paid' }, /^Paid managed cluster SKU tier is invalid\. 'Paid' has been replaced/],
  ])('of clusters refuse the tiers of others: %s %j', async (version, tier, message) => {
    const properties = { dnsPrefix: 'no', agentPoolProfiles: [{ name: 'pool', mode: 'System' }] };
    expect(await put(idOf(CLUSTER), version, { identity, properties, sku: tier })).toMatchObject({
      status: 400,
      error: { code: 'SkuNotAvailable', message: expect.stringMatching(message) as string },
    });
  });

  it('of clusters need no System pool before 2020-03-01, and keep the one that there is', async () => {
    const properties = (mode?: string) => ({
      dnsPrefix: 'modes',
      agentPoolProfiles: [{ name: 'pool', count: 1, ...(mode === undefined ? {} : { mode }) }],
    });
    const body = (mode?: string) => ({ identity, properties: properties(mode) });
    expect(await put(idOf(CLUSTER), '2020-03-01', body())).toMatchObject({ status: 400 });
    const id = idOf(CLUSTER);
    expect((await put(id, '2020-03-01', body('System'))).status).toBe(201);
    expect(await put(id, '2020-02-01', body())).toMatchObject({
      status: 200,
      shown: { properties: { agentPoolProfiles: [{ mode: 'System' }] } },
    });
  });

  it('of roles have no data actions before 2018-01-01-preview, and no types of principals before 2018-09-01-preview', async () => {
    const definitions = `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions`;
    const assign = (version: string, role: string, more: object = {}) =>
      arm('PUT', `${group}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`, version, {
        properties: {
          roleDefinitionId: `${definitions}/${role}`,
          principalId: cloud.principal(randomUUID()).objectId,
          ...more,
        },
      });
    expect(await assign('2015-07-01', SECRETS_USER)).toMatchObject({
      status: 400,
      error: {
        code: 'UnsupportedApiVersionForRoleDefinitionHasDataActions',
        message:
          "Assignments to roles with DataActions and NotDataActions are not supported on API version '2015-07-01'. The minimum required API version for this operations is '2018-01-01-preview'.",
      },
    });
    expect((await assign('2018-01-01-preview', SECRETS_USER)).status).toBe(201);
    const { status, shown } = await assign('2017-09-01', READER);
    expect([status, Object.keys(shown['properties'] as object)]).toEqual([
      201,
      expect.not.arrayContaining(['principalType']),
    ]);

    const permissions = async (version: string) =>
      (
        (await arm('GET', `${definitions}/${SECRETS_USER}`, version)).shown['properties'] as {
          permissions: object[];
        }
      ).permissions;
    expect(Object.keys((await permissions('2015-07-01'))[0] ?? {})).toEqual(['actions', 'notActions']);
    expect((await permissions('2018-01-01-preview'))[0]).toMatchObject({
      dataActions: expect.any(Array) as unknown,
    });

    const unknown = { principalId: randomUUID(), principalType: 'ServicePrincipal' };
    expect(await assign('2018-07-01', READER, unknown)).toMatchObject({
      error: { code: 'PrincipalNotFound' },
    });
    expect((await assign('2018-09-01-preview', READER, unknown)).status).toBe(201);
    const user = { principalId: randomUUID(), principalType: 'User' };
    expect(await assign('2019-04-01-preview', READER, user)).toMatchObject({
      error: { code: 'PrincipalNotFound' },
    });
    expect((await assign('2020-03-01-preview', READER, user)).status).toBe(201);
  });

  it('of diagnostic settings have one setting, with a location, and metrics by time grain', async () => {
    const vault = idOf('Microsoft.KeyVault/vaults');
    const properties = { tenantId: cloud.tenantId, sku: { family: 'A', name: 'standard' } };
    expect((await put(vault, '2026-02-01', { properties })).status).toBe(201);
    const workspace = idOf('Microsoft.OperationalInsights/workspaces');
    expect((await put(workspace, '2023-09-01', {})).status).toBe(201);
    const at = (name: string) => `${vault}/providers/Microsoft.Insights/diagnosticSettings/${name}`;
    const metrics = [{ timeGrain: 'PT1M', enabled: true }];
    const body = {
      tags: {},
      properties: { workspaceId: workspace, logs: [{ category: 'AuditEvent', enabled: true }], metrics },
    };
    const created = await put(at('service'), '2016-09-01', body);
    expect(created).toMatchObject({ status: 200, shown: { properties: { metrics } } });
    expect((created.shown['properties'] as { metrics: object[] }).metrics).toEqual(metrics);
    expect((await arm('GET', at('service'), '2021-05-01-preview')).shown).toMatchObject({
      properties: { metrics: [{ category: 'AllMetrics', timeGrain: 'PT1M' }] },
    });
    const refused = { status: 400, error: { message: `Path: '${at('other')}' is not supported` } };
    expect(await put(at('other'), '2016-09-01', body)).toMatchObject(refused);
  });
});
