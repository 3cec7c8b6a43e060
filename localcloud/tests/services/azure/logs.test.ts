import { all, refusal, withCloud } from '../../support/azure';

const BASE = 'https://management.azure.com';
const VERSION = 'api-version=2021-05-01-preview';

describe('log workspaces, through @azure/arm-operationalinsights', () => {
  const cloud = withCloud();
  const workspaces = () => cloud.workspaces().workspaces;

  it('creates, reads, changes, lists and deletes a workspace', async () => {
    const created = await workspaces().createOrUpdate('rg', 'log-one', {
      location: 'westeurope',
      retentionInDays: 90,
    });
    expect(created).toMatchObject({
      name: 'log-one',
      provisioningState: 'Succeeded',
      retentionInDays: 90,
      sku: { name: 'PerGB2018' },
    });
    const changed = await workspaces().update('rg', 'log-one', { tags: { a: 'b' } });
    expect(changed).toMatchObject({ customerId: created.customerId, retentionInDays: 90, tags: { a: 'b' } });
    expect((await all(workspaces().list())).map((each) => each.name)).toEqual(['log-one']);
    expect((await all(workspaces().listByResourceGroup('rg'))).map((each) => each.name)).toEqual(['log-one']);
    await workspaces().delete('rg', 'log-one');
    expect(await refusal(workspaces().get('rg', 'log-one'))).toMatchObject({ code: 'ResourceNotFound' });
  });

  it.each([
    ['the name', 'a-', {}],
    ['a retention that the tier does not have', 'log-short', { retentionInDays: 7 }],
    ['a tier that is not there', 'log-tier', { sku: { name: 'Gold' } }],
  ])('refuses %s', async (_what, name, change) => {
    const created = workspaces().createOrUpdate('rg', name, { location: 'westeurope', ...change });
    expect(await refusal(created)).toMatchObject({ status: 400 });
  });
});

describe('diagnostic settings, by plain HTTPS', () => {
  const cloud = withCloud();
  let vault: string;
  let cluster: string;
  let workspaceId: string;
  beforeAll(async () => {
    vault = await cloud.makeVault('kv-logs');
    const { id } = await cloud.clusters().managedClusters.createOrUpdate('rg', 'aks', {
      location: 'westeurope',
      dnsPrefix: 'dns',
      identity: { type: 'SystemAssigned' },
      agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
    });
    cluster = id ?? '';
    const workspace = await cloud
      .workspaces()
      .workspaces.createOrUpdate('rg', 'log-one', { location: 'westeurope' });
    workspaceId = workspace.id ?? '';
  });

  const request = (method: string, path: string, properties?: object) =>
    cloud.raw(`${BASE}${path}?${VERSION}`, {
      method,
      credential: cloud.administrator(),
      ...(properties === undefined ? {} : { body: JSON.stringify({ properties }) }),
    });
  const at = (target: string, name: string) =>
    `${target}/providers/Microsoft.Insights/diagnosticSettings/${name}`;
  const logs = (...categories: string[]) => categories.map((category) => ({ category, enabled: true }));

  it('creates, reads, lists and deletes settings of vaults and clusters', async () => {
    const settings = { workspaceId, logs: [{ categoryGroup: 'audit', enabled: true }] };
    const created = await request('PUT', at(vault, 'audit'), settings);
    expect(created).toMatchObject({
      status: 200,
      body: { id: at(vault, 'audit'), name: 'audit', properties: { ...settings, metrics: [] } },
    });
    const admin = { workspaceId, logs: logs('kube-audit-admin', 'guard') };
    expect((await request('PUT', at(cluster, 'audit'), admin)).status).toBe(200);
    expect(await request('GET', at(cluster, 'audit'))).toMatchObject({
      status: 200,
      body: { properties: admin },
    });
    const list = await request('GET', `${vault}/providers/Microsoft.Insights/diagnosticSettings`);
    expect(list.body).toMatchObject({ value: [{ name: 'audit' }] });
    const categories = await request(
      'GET',
      `${vault}/providers/Microsoft.Insights/diagnosticSettingsCategories`,
    );
    expect((categories.body as { value: { name: string }[] }).value.map(({ name }) => name)).toEqual([
      'AuditEvent',
      'AzurePolicyEvaluationDetails',
      'AllMetrics',
    ]);

    expect((await request('DELETE', at(cluster, 'audit'))).status).toBe(200);
    expect((await request('DELETE', at(cluster, 'audit'))).status).toBe(204);
    expect(await request('GET', at(cluster, 'audit'))).toMatchObject({
      status: 404,
      body: { error: { code: 'ResourceNotFound' } },
    });
  });

  it('refuses unknown, missing and duplicate settings', async () => {
    const refused = async (target: string, properties: object) => {
      const { status, body } = await request('PUT', at(target, 'refused'), properties);
      return { status, ...(body as { error: { code: string; message: string } }).error };
    };
    expect(await refused(vault, { workspaceId, logs: logs('kube-audit') })).toMatchObject({
      status: 400,
      message: expect.stringContaining("Category 'kube-audit' is not supported.") as string,
    });
    const group = [{ categoryGroup: 'some', enabled: true }];
    expect((await refused(cluster, { workspaceId, logs: group })).message).toContain(
      "'some' is not supported",
    );
    expect(await refused(vault, { workspaceId: `${workspaceId}x`, logs: [] })).toMatchObject({
      status: 404,
      code: 'ResourceNotFound',
    });
    expect((await refused(vault, { logs: [] })).message).toContain('At least one data sink');
    expect((await refused(workspaceId, { workspaceId, logs: [] })).message).toContain('does not support');

    await request('PUT', at(vault, 'audit'), {
      workspaceId,
      logs: [{ categoryGroup: 'audit', enabled: true }],
    });
    expect(await refused(vault, { workspaceId, logs: logs('AuditEvent') })).toMatchObject({
      status: 409,
      code: 'Conflict',
      message: expect.stringContaining("is already used in diagnostic setting 'audit'") as string,
    });
    const rest = { workspaceId, logs: logs('AzurePolicyEvaluationDetails') };
    expect((await request('PUT', at(vault, 'rest'), rest)).status).toBe(200);
  });
});
