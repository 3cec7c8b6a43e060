import { all, groupId, refusal, withCloud } from '../../support/azure';

const ARM = 'https://management.azure.com';

interface Page {
  value: { name: string }[];
  nextLink?: string;
}

describe('lists', () => {
  const cloud = withCloud({ groups: ['rg', 'rg-a', 'rg-b', 'rg-c'] });
  const group = groupId('rg');
  const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-1`;
  const vault = `${group}/providers/Microsoft.KeyVault/vaults/kv-list-1`;

  beforeAll(async () => {
    const { userAssignedIdentities, federatedIdentityCredentials } = cloud.identities();
    for (const name of ['id-1', 'id-2', 'id-3']) {
      const tags = { owner: name, 'a and b': "it's" };
      await userAssignedIdentities.createOrUpdate('rg', name, { location: 'westeurope', tags });
    }
    for (const name of ['fic-1', 'fic-2', 'fic-3']) {
      await federatedIdentityCredentials.createOrUpdate('rg', 'id-1', name, {
        issuer: 'https://issuer/',
        subject: name,
        audiences: ['api://AzureADTokenExchange'],
      });
    }
    for (const name of ['kv-list-1', 'kv-list-2', 'kv-list-3']) {
      await cloud.vaults().vaults.createOrUpdate('rg', name, {
        location: 'westeurope',
        properties: { tenantId: cloud.tenantId, sku: { family: 'A', name: 'standard' }, accessPolicies: [] },
      });
    }
    for (const name of ['one', 'three', 'two']) {
      await cloud.vaults().secrets.createOrUpdate('rg', 'kv-list-1', name, { properties: { value: 'v' } });
    }
  });

  const get = (url: string) =>
    cloud.raw(url.startsWith('https:') ? url : `${ARM}${url}`, { credential: cloud.administrator() });
  const page = async (url: string): Promise<Page> => {
    const reply = await get(url);
    expect(reply.status).toBe(200);
    return reply.body as Page;
  };
  const names = ({ value }: Page): string[] => value.map(({ name }) => name);

  it.each([
    ['groups', 'SUB/resourceGroups?api-version=2024-03-01', ['rg', 'rg-a', 'rg-b', 'rg-c']],
    [
      'resources',
      'SUB/resources?api-version=2024-03-01',
      ['kv-list-1', 'kv-list-2', 'kv-list-3', 'id-1', 'id-2', 'id-3'],
    ],
    [
      'vaults of a subscription',
      'SUB/providers/Microsoft.KeyVault/vaults?api-version=2024-11-01',
      ['kv-list-1', 'kv-list-2', 'kv-list-3'],
    ],
    ['secrets of a vault', `${vault}/secrets?api-version=2024-11-01`, ['one', 'three', 'two']],
    [
      'credentials of an identity',
      `${identity}/federatedIdentityCredentials?api-version=2023-01-31`,
      ['fic-1', 'fic-2', 'fic-3'],
    ],
  ])('give out %s in pages of $top, which together have them all', async (_what, path, expected) => {
    const url = path.replace('SUB', `/subscriptions/${cloud.subscriptionId}`);
    for (const size of [1, 2, 100]) {
      const found: string[][] = [];
      // The name of a parameter has no case.
      for (let next: string | undefined = `${url}&$Top=${size}`; next !== undefined;) {
        const { nextLink, ...rest }: Page = await page(next);
        found.push(names(rest));
        next = nextLink;
      }
      expect(found.flat()).toEqual(expected);
      expect(found.slice(0, -1).every((each) => each.length === size)).toBe(true);
      expect(found).toHaveLength(Math.ceil(expected.length / size));
    }
    expect(await page(url)).not.toHaveProperty('nextLink');
  });

  it('are followed to the end by the vendor’s clients', async () => {
    const { vaults } = cloud.vaults();
    expect((await all(vaults.listByResourceGroup('rg', { top: 1 }))).map(({ name }) => name)).toEqual([
      'kv-list-1',
      'kv-list-2',
      'kv-list-3',
    ]);
    const { federatedIdentityCredentials } = cloud.identities();
    const found = await all(federatedIdentityCredentials.list('rg', 'id-1', { top: 2 }));
    expect(found.map(({ name }) => name)).toEqual(['fic-1', 'fic-2', 'fic-3']);
    const { resourceGroups } = cloud.resources();
    expect(await all(resourceGroups.list({ top: 3 }))).toHaveLength(4);
  });

  it('leave nothing out when the last item of a page is deleted', async () => {
    const first = await page(
      `/subscriptions/${cloud.subscriptionId}/resourceGroups?api-version=2024-03-01&$top=2`,
    );
    expect(names(first)).toEqual(['rg', 'rg-a']);
    await cloud.resources().resourceGroups.delete('rg-a');
    expect(names(await page(first.nextLink ?? ''))).toEqual(['rg-b', 'rg-c']);
  });

  it.each(['$top=0', '$top=-1', '$top=x', '$skiptoken=nonsense'])('refuse %s', async (query) => {
    const reply = await get(
      `/subscriptions/${cloud.subscriptionId}/resourceGroups?api-version=2024-03-01&${query}`,
    );
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'InvalidQueryParameter' } } });
  });

  it.each([
    ["resourceType eq 'Microsoft.KeyVault/vaults' and name eq 'kv-list-2'", ['kv-list-2']],
    ["name eq 'ID-2' and resourceType eq 'microsoft.managedidentity/userassignedidentities'", ['id-2']],
    ["resourceGroup eq 'RG' and resourceType eq 'Microsoft.KeyVault/vaults' and location eq 'westeurope'", 3],
    ["resourceGroup eq 'rg-b'", 0],
    ["location ne 'westeurope'", 0],
    ["tagname eq 'Owner' and tagvalue eq 'id-1'", ['id-1']],
    ["tagName eq 'a and b' and tagValue eq 'it''s'", 3],
    ["startswith(tagname, 'own')", 3],
    ["startswith(tagname,'other')", 0],
    ["substringof('list-3', name)", ['kv-list-3']],
  ])('of resources are filtered by %s', async (filter, expected) => {
    const found = (await all(cloud.resources().resources.list({ filter }))).map(({ name }) => name);
    if (typeof expected === 'number') expect(found).toHaveLength(expected);
    else expect(found).toEqual(expected);
  });

  it('of resources have the members that $expand asks for, as the Azure CLI does', async () => {
    const url = `/subscriptions/${cloud.subscriptionId}/resources?api-version=2024-03-01&$top=1`;
    const [plain] = (await page(url)).value;
    const [full] = (await page(`${url}&$expand=createdTime,changedTime,provisioningState`)).value;
    const members = {
      createdTime: expect.any(String) as string,
      changedTime: expect.any(String) as string,
      provisioningState: 'Succeeded',
    };
    expect(full).toEqual({ ...plain, ...members });
    expect(plain).not.toHaveProperty('createdTime');
  });

  it.each([
    "name eq 'x",
    "name eq 'x' or name eq 'y'",
    "colour eq 'red'",
    "name lt 'x'",
    'name',
    "tagValue eq 'x'",
    // Azure refuses tags next to another condition.
    "tagName eq 'owner' and resourceType eq 'Microsoft.KeyVault/vaults'",
  ])('of resources refuse the filter %s', async (filter) => {
    const refused = await refusal(all(cloud.resources().resources.list({ filter })));
    expect(refused).toMatchObject({ status: 400, code: 'InvalidFilterInQueryString' });
    // The client's own message says only the status.
    const path = `/subscriptions/${cloud.subscriptionId}/resources?api-version=2024-03-01`;
    const { body } = await get(`${path}&$filter=${encodeURIComponent(filter)}`);
    expect((body as { error: { message: string } }).error.message).toContain(
      `Invalid $filter '${filter}' specified in the query string.`,
    );
  });

  it('of the activity log take the filter of the Azure CLI, whose time has no quotes', async () => {
    const values = (filter: string, more = '') =>
      get(
        `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Insights/eventtypes/management/values?api-version=2015-04-01&$filter=${encodeURIComponent(filter)}${more}`,
      );
    const count = async (filter: string) => ((await values(filter)).body as Page).value.length;
    const since = 'eventTimestamp ge 2020-01-01T00:00:00.000000Z';
    expect(await count(`${since} and eventTimestamp le 2999-01-01T00:00:00Z`)).toBeGreaterThan(5);
    expect(await count(`eventTimestamp le 2020-01-02T00:00:00Z and ${since}`)).toBe(0);
    expect(await count(`${since} and resourceProvider eq Microsoft.KeyVault`)).toBeGreaterThan(2);
    expect(await count(`${since} and status eq 'Failed'`)).toBe(0);
    const selected = await values(`${since} and resourceId eq '${vault}'`, '&$select=caller,status');
    expect(Object.keys((selected.body as Page).value[0] ?? {})).toEqual(['caller', 'status']);
    for (const wrong of ['eventTimestamp ge yesterday', 'eventTimestamp le 2999-01-01', '']) {
      expect(await values(wrong)).toMatchObject({
        status: 400,
        body: { error: { code: 'InvalidFilterInQueryString' } },
      });
    }
  });
});
