import type { HttpClient, PipelineResponse } from '@azure/core-rest-pipeline';
import { createHttpHeaders } from '@azure/core-rest-pipeline';
import type {
  ConnectionDocument,
  WrittenConnection,
} from '../../../components/dependency/connectionDocument';
import { connectionString, connectionTemplate } from '../../../components/dependency/keys';
import { publicSuffixes } from '../../../components/azure/clouds';
import { valueDigest } from '../../../components/vault/valueTag';
import { azureConnections } from '../../../reconciler/azureConnections';
import type { Connections } from '../../../reconciler/connectionWriting';
import { ConnectionWriting } from '../../../reconciler/connectionWriting';

// What these do not prove: what Azure answers; tests/e2e/connections.test.ts has the local one.

const group = '/subscriptions/s/resourceGroups/rg/providers';
const files: WrittenConnection = {
  ...{ name: 'shop/files', kind: 'storageAccount', key: 'primary', tags: { 'pulumi-stack': 'dev' } },
  keyHolder: `${group}/Microsoft.Storage/storageAccounts/stshop`,
  template: 'AccountKey={key};',
  secret: `${group}/Microsoft.KeyVault/vaults/kv/secrets/shop-files`,
};
const cache: WrittenConnection = {
  ...{ name: 'shop/cache', kind: 'redis', key: 'secondary', tags: {} },
  keyHolder: `${group}/Microsoft.Cache/redis/redis-shop`,
  template: 'password={key}',
  secret: `${group}/Microsoft.KeyVault/vaults/kv/secrets/shop-cache`,
};

/** Keys and secrets of an Azure, which a test changes as people and other programs do. */
class Cloud implements Connections {
  readonly answers = new Map<string, unknown>([
    [files.name, { keys: [{ keyName: 'key1', value: 'one$&' }] }],
    [cache.name, { primaryKey: 'first', secondaryKey: 'second' }],
  ]);
  readonly digests = new Map<string, string>();
  readonly written: string[] = [];

  listKeys({ name }: WrittenConnection): Promise<unknown> {
    const answer = this.answers.get(name);
    return answer === undefined ? Promise.reject(new Error('Azure answered 403')) : Promise.resolve(answer);
  }

  digestOf({ secret }: WrittenConnection): Promise<string | undefined> {
    return Promise.resolve(this.digests.get(secret));
  }

  write({ secret }: WrittenConnection, value: string): Promise<void> {
    this.written.push(value);
    this.digests.set(secret, valueDigest(value));
    return Promise.resolve();
  }
}

function setting(change: Partial<ConnectionDocument> | string = {}) {
  const cloud = new Cloud();
  const log: Readonly<Record<string, string>>[] = [];
  const document = { resourceManager: 'https://management.azure.com', connections: [files, cache] };
  const state = {
    now: 0,
    text: typeof change === 'string' ? change : JSON.stringify({ ...document, ...change }),
  };
  const writing = new ConnectionWriting({
    read: () => Promise.resolve(state.text),
    azureAt: () => cloud,
    now: () => state.now,
    log: (event) => log.push(event),
  });
  return { cloud, log, state, writing };
}

describe('the writer of connection strings', () => {
  it('writes each that is not in the vault, once', async () => {
    const { cloud, log, writing } = setting();

    expect(await writing.run()).toBe(true);
    expect(await writing.run()).toBe(true);

    expect(cloud.written.sort()).toEqual(['AccountKey=one$&;', 'password=second']);
    expect(log).toHaveLength(2);
    expect(writing.ready()).toBe(true);
  });

  it('writes one again when its key has changed, and no other', async () => {
    const { cloud, writing } = setting();
    await writing.run();
    cloud.answers.set(cache.name, { primaryKey: 'another', secondaryKey: 'third' });

    await writing.run();

    expect(cloud.written.slice(2)).toEqual(['password=third']);
  });

  it('overwrites one that somebody else has written', async () => {
    const { cloud, writing } = setting();
    await writing.run();
    cloud.digests.delete(files.secret);

    await writing.run();

    expect(cloud.written.slice(2)).toEqual(['AccountKey=one$&;']);
  });

  it('continues with the others after an error, and is not ready before a run without one', async () => {
    const { cloud, log, writing } = setting();
    cloud.answers.delete(files.name);

    expect(await writing.run()).toBe(false);
    expect(cloud.written).toEqual(['password=second']);
    expect(writing.ready()).toBe(false);
    expect(log).toContainEqual({
      ...{ event: 'failed', connection: 'shop/files', secret: files.secret },
      reason: 'Azure answered 403',
    });

    cloud.answers.set(files.name, { keys: [{ keyName: 'key1', value: 'one' }] });
    expect(await writing.run()).toBe(true);
    expect(writing.ready()).toBe(true);
  });

  it('logs no key', async () => {
    const { cloud, log, writing } = setting();
    await writing.run();
    cloud.answers.set(files.name, { keys: [] });
    await writing.run();

    expect(log.some(({ event }) => event === 'failed')).toBe(true);
    expect(JSON.stringify(log)).not.toMatch(/one\$&|first|second"/);
  });

  it.each([
    ['no JSON', 'x', /nothing is written: /],
    ['no connections', '{}', /no `resourceManager` or no `connections`/],
    ['a kind without keys', { connections: [{ ...files, kind: 'vault' as 'redis' }] }, /kind is not allowed/],
    ['no secret', { connections: [{ ...files, secret: undefined as unknown as string }] }, /lacks one of/],
    ['a third key', { connections: [{ ...files, key: 'third' as 'primary' }] }, /key is not allowed/],
  ])('writes nothing by a document with %s', async (_, change, reason) => {
    const { cloud, log, writing } = setting(change);

    expect(await writing.run()).toBe(false);
    expect(cloud.written).toEqual([]);
    expect(log).toEqual([{ event: 'failed', reason: expect.stringMatching(reason) as string }]);
  });

  it('knows when it last ran', async () => {
    const { state, writing } = setting();
    expect(writing.ranWithin(1000)).toBe(false);
    await writing.run();
    state.now = 999;
    expect(writing.ranWithin(1000)).toBe(true);
    state.now = 1000;
    expect(writing.ranWithin(1000)).toBe(false);
  });
});

describe('requests to Azure', () => {
  function answering(status: number, body: object) {
    const asked: { request: string; body: unknown }[] = [];
    const client: HttpClient = {
      sendRequest: (request): Promise<PipelineResponse> => {
        const sent = typeof request.body === 'string' ? (JSON.parse(request.body) as unknown) : undefined;
        asked.push({ request: `${request.method} ${request.url}`, body: sent });
        const headers = createHttpHeaders();
        return Promise.resolve({ request, status, bodyAsText: JSON.stringify(body), headers });
      },
    };
    const credential = {
      getToken: () => Promise.resolve({ token: 'token', expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    return { asked, azure: azureConnections('https://management.azure.com', credential, client) };
  }

  it('list keys, and write a secret with the digest of its value, and its tags', async () => {
    const { asked, azure } = answering(200, { tags: { 'aks-workload-identity-digest': 'd' } });
    await azure.listKeys(files);
    expect(await azure.digestOf(files)).toBe('d');
    await azure.write(files, 'value');

    const secret = `https://management.azure.com${files.secret}?api-version=2026-02-01`;
    expect(asked).toEqual([
      {
        request: `POST https://management.azure.com${files.keyHolder}/listKeys?api-version=2025-06-01`,
        body: undefined,
      },
      { request: `GET ${secret}`, body: undefined },
      {
        request: `PUT ${secret}`,
        body: {
          properties: { value: 'value' },
          tags: { 'pulumi-stack': 'dev', 'aks-workload-identity-digest': valueDigest('value') },
        },
      },
    ]);
  });

  it('fail without the content of the request and the answer', async () => {
    const { azure } = answering(403, { error: { code: 'AuthorizationFailed', message: 'key XYZ' } });
    const failure: unknown = await azure.write(files, 'value').catch((error: unknown) => error);
    expect(String(failure)).toBe(`Error: Azure answered 403 AuthorizationFailed to PUT ${files.secret}`);
  });
});

describe('a connection string', () => {
  it.each([
    [
      'storageAccount',
      'DefaultEndpointsProtocol=https;AccountName=name;AccountKey=second;EndpointSuffix=core.windows.net',
    ],
    ['redis', 'name.redis.cache.windows.net:6380,password=second,ssl=True,abortConnect=False'],
    [
      'serviceBus',
      'Endpoint=sb://name.servicebus.windows.net/;SharedAccessKeyName=application;SharedAccessKey=second',
    ],
  ] as const)('of a %s is as the portal shows it', (kind, text) => {
    const answer = { keys: [{ keyName: 'key2', value: 'second' }], secondaryKey: 'second' };
    const template = connectionTemplate(kind, 'name', publicSuffixes);
    expect(connectionString(kind, template, answer, 'secondary')).toBe(text);
    expect(() => connectionString(kind, template, answer, 'primary')).toThrow('Azure lists no primary key');
  });
});
