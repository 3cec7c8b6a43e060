import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { OTHER_SUBSCRIPTION_ID } from '../../../identity';
import { groupId, withCloud } from '../../support/azure';

type Body = Record<string, unknown> & { properties?: Record<string, unknown> };

const versions: Readonly<Record<string, string>> = {
  'Microsoft.Cache': '2024-11-01',
  'Microsoft.ServiceBus': '2024-01-01',
  'Microsoft.KeyVault': '2025-05-01',
};

describe('services with keys', () => {
  const cloud = withCloud();
  const group = groupId('rg');
  const cache = (name: string) => `${group}/providers/Microsoft.Cache/redis/${name}`;
  const namespace = (name: string) => `${group}/providers/Microsoft.ServiceBus/namespaces/${name}`;

  const send = async (
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    credential = cloud.administrator(),
  ) => {
    const [, provider = ''] = /providers\/([\w.]+)/.exec(path) ?? [];
    const version = versions[provider] ?? '2025-04-01';
    const url = `https://management.azure.com${path}?api-version=${version}`;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const reply = await cloud.raw(url, { method, body: text, credential });
    return { status: reply.status, headers: reply.headers, body: (reply.body ?? {}) as Body };
  };
  const code = ({ body }: { body: Body }) => (body['error'] as { code?: string } | undefined)?.code;
  /** Waits for the end of a creation, as a client that reads the resource. */
  const succeeded = async (path: string) => {
    for (;;) {
      const { body } = await send('GET', path);
      if (body.properties?.['provisioningState'] === 'Succeeded') return body;
      await setTimeout(50);
    }
  };
  const redis = {
    location: 'westeurope',
    properties: { sku: { name: 'Standard', family: 'C', capacity: 1 } },
  };
  const bus = { location: 'westeurope', sku: { name: 'Standard' } };
  const createCache = async (name: string) => {
    const reply = await send('PUT', cache(name), redis);
    await succeeded(cache(name));
    return reply;
  };
  const createNamespace = async (name: string) => {
    const reply = await send('PUT', namespace(name), bus);
    await succeeded(namespace(name));
    return reply;
  };
  const keysAt = async (path: string) =>
    (await send('POST', `${path}/listKeys`)).body as Record<string, string>;

  it('creates, reads, lists and deletes a cache', async () => {
    const created = await createCache('redis-orders');
    expect(created).toMatchObject({ status: 201, body: { properties: { provisioningState: 'Creating' } } });
    expect(created.headers['azure-asyncoperation']).toMatch(/Microsoft.Cache\/locations\/.*asyncOperations/);
    expect(await succeeded(cache('redis-orders'))).toMatchObject({
      id: cache('redis-orders'),
      properties: {
        ...{ hostName: 'redis-orders.redis.cache.windows.net', sslPort: 6380, accessKeys: null },
        ...{ enableNonSslPort: false, disableAccessKeyAuthentication: false },
      },
    });
    const listed = await send('GET', `${group}/providers/Microsoft.Cache/redis`);
    expect(listed.body['value']).toMatchObject([{ name: 'redis-orders' }]);
    const elsewhere = `/subscriptions/${OTHER_SUBSCRIPTION_ID}/resourceGroups/rg-b`;
    await send('PUT', elsewhere, { location: 'westeurope' });
    const taken = await send('PUT', cache('Redis-orders').replace(group, elsewhere), redis);
    expect([taken.status, code(taken)]).toEqual([409, 'NameNotAvailable']);
    const changed = await send('PUT', cache('redis-orders'), {
      ...redis,
      properties: { ...redis.properties, disableAccessKeyAuthentication: true },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { properties: { disableAccessKeyAuthentication: true } },
    });
    expect(
      (
        await send('PUT', cache('redis-p'), {
          ...redis,
          properties: { sku: { ...redis.properties.sku, family: 'P' } },
        })
      ).status,
    ).toBe(400);
    expect((await send('DELETE', cache('redis-orders'))).status).toBe(200);
    expect((await send('GET', cache('redis-orders'))).status).toBe(404);
  });

  it('assigns access policies of a cache', async () => {
    await createCache('redis-policies');
    const at = `${cache('redis-policies')}/accessPolicyAssignments/orders`;
    const properties = { accessPolicyName: 'Data Contributor', objectId: 'o', objectIdAlias: 'orders' };
    expect(await send('PUT', at, { properties })).toMatchObject({ status: 201, body: { properties } });
    expect(await send('GET', at)).toMatchObject({ status: 200, body: { name: 'orders' } });
    expect((await send('GET', at.replace(/\/[^/]+$/, ''))).body['value']).toHaveLength(1);
    expect((await send('DELETE', at)).status).toBe(200);
    expect((await send('GET', at)).status).toBe(404);
  });

  it('lists the keys of a cache, keeps them over a restart, and regenerates one', async () => {
    await createCache('redis-keys');
    const before = await keysAt(cache('redis-keys'));
    expect(Object.keys(before)).toEqual(['primaryKey', 'secondaryKey']);
    expect(before['primaryKey']).not.toBe(before['secondaryKey']);
    await cloud.restart();
    expect(await keysAt(cache('redis-keys'))).toEqual(before);
    expect(await send('POST', `${cache('redis-keys')}/regenerateKey`, { keyType: 'Third' })).toMatchObject({
      status: 400,
    });
    const after = (await send('POST', `${cache('redis-keys')}/regenerateKey`, { keyType: 'Primary' })).body;
    expect(after['secondaryKey']).toBe(before['secondaryKey']);
    expect(after['primaryKey']).not.toBe(before['primaryKey']);
    expect(await keysAt(cache('redis-keys'))).toEqual(after);
    expect(JSON.stringify(await send('GET', cache('redis-keys')))).not.toContain(after['primaryKey']);
  });

  it('creates, reads, lists and deletes a namespace with queues', async () => {
    const created = await createNamespace('sb-orders');
    expect(created).toMatchObject({ status: 201, body: { properties: { provisioningState: 'Creating' } } });
    expect(await succeeded(namespace('sb-orders'))).toMatchObject({
      sku: { name: 'Standard', tier: 'Standard' },
      properties: {
        serviceBusEndpoint: 'https://sb-orders.servicebus.windows.net:443/',
        ...{ status: 'Active', disableLocalAuth: false },
      },
    });
    const queue = `${namespace('sb-orders')}/queues/orders`;
    expect(await send('PUT', queue, {})).toMatchObject({
      status: 200,
      body: { properties: { status: 'Active' } },
    });
    expect((await send('GET', `${namespace('sb-orders')}/queues`)).body['value']).toMatchObject([
      { name: 'orders' },
    ]);
    expect(
      (await send('GET', `${group}/providers/Microsoft.ServiceBus/namespaces`)).body['value'],
    ).toMatchObject([{ name: 'sb-orders' }]);
    expect((await send('DELETE', queue)).status).toBe(200);
    expect((await send('GET', queue)).status).toBe(404);
    expect((await send('PUT', namespace('short'), bus)).status).toBe(400);
    expect((await send('DELETE', namespace('sb-orders'))).status).toBe(200);
    expect((await send('GET', namespace('sb-orders'))).status).toBe(404);
  });

  it('lists and regenerates the keys of one rule of a namespace', async () => {
    await createNamespace('sb-rules');
    const rules = `${namespace('sb-rules')}/AuthorizationRules`;
    const put = (rights: string[]) => send('PUT', `${rules}/application`, { properties: { rights } });
    expect((await put(['Manage'])).status).toBe(400);
    expect((await put(['Send', 'Listen'])).status).toBe(200);
    expect((await send('GET', rules)).body['value']).toMatchObject([
      { name: 'application', properties: { rights: ['Send', 'Listen'] } },
      { name: 'RootManageSharedAccessKey' },
    ]);
    const before = await keysAt(`${rules}/application`);
    expect(before['primaryConnectionString']).toBe(
      `Endpoint=sb://sb-rules.servicebus.windows.net/;SharedAccessKeyName=application;SharedAccessKey=${before['primaryKey']}`,
    );
    expect((await keysAt(`${rules}/RootManageSharedAccessKey`))['primaryKey']).not.toBe(before['primaryKey']);
    const regenerate = async (body: object) =>
      (await send('POST', `${rules}/application/regenerateKeys`, body)).body;
    const after = await regenerate({ keyType: 'SecondaryKey' });
    expect(after['primaryKey']).toBe(before['primaryKey']);
    expect(after['secondaryKey']).not.toBe(before['secondaryKey']);
    expect((await regenerate({ keyType: 'PrimaryKey', key: 'mine' }))['primaryKey']).toBe('mine');
    // The rule stays what it is when it is written again.
    await put(['Send']);
    expect((await keysAt(`${rules}/application`))['primaryKey']).toBe('mine');
    expect((await send('DELETE', `${rules}/application`)).status).toBe(200);
    expect((await send('POST', `${rules}/application/listKeys`)).status).toBe(404);
  });

  it('lets a custom role list the keys of one service, and write one secret', async () => {
    await createCache('redis-rights');
    await createCache('redis-other');
    await createNamespace('sb-rights');
    const vault = `${group}/providers/Microsoft.KeyVault/vaults/kv-rights`;
    await send('PUT', vault, {
      location: 'westeurope',
      properties: {
        ...{ tenantId: cloud.tenantId, sku: { family: 'A', name: 'standard' } },
        ...{ enableRbacAuthorization: true },
      },
    });
    const { roleDefinitions, roleAssignments } = cloud.authorization();
    const role = await roleDefinitions.createOrUpdate(group, randomUUID(), {
      ...{ roleName: `writer ${randomUUID()}`, roleType: 'CustomRole', assignableScopes: [group] },
      permissions: [
        {
          actions: [
            'Microsoft.Cache/redis/listKeys/action',
            'Microsoft.ServiceBus/namespaces/authorizationRules/listKeys/action',
            'Microsoft.KeyVault/vaults/secrets/read',
            'Microsoft.KeyVault/vaults/secrets/write',
          ],
        },
      ],
    });
    const { credential, objectId: principalId } = cloud.principal('writer');
    const rule = `${namespace('sb-rights')}/authorizationRules/RootManageSharedAccessKey`;
    const secret = `${vault}/secrets/connection`;
    for (const scope of [cache('redis-rights'), rule, secret])
      await roleAssignments.create(scope, randomUUID(), {
        ...{ principalId, principalType: 'ServicePrincipal', roleDefinitionId: role.id ?? '' },
      });
    const value = { properties: { value: 'x' } };
    const status = async (...[method, path, body]: Parameters<typeof send>) =>
      (await send(method, path, body, credential)).status;

    expect(await status('POST', `${cache('redis-rights')}/listKeys`)).toBe(200);
    expect(await status('POST', `${rule}/listKeys`)).toBe(200);
    expect(await status('PUT', secret, value)).toBe(201);
    expect(await status('GET', secret)).toBe(200);
    const refused = [
      await status('POST', `${cache('redis-other')}/listKeys`),
      await status('POST', `${cache('redis-rights')}/regenerateKey`, { keyType: 'Primary' }),
      await status('GET', cache('redis-rights')),
      await status('PUT', `${vault}/secrets/other`, value),
    ];
    expect(refused).toEqual([403, 403, 403, 403]);
  });
});
