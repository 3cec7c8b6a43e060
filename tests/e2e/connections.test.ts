import type { Access } from '../../stacks/access/reach';
/**
 * The example of docs/dependencies.md for connection strings in a vault, on a local cloud with one cluster: a storage account,
 * a cache and a Service Bus namespace, provisioned by the real Azure Service Operator. It proves that no key is in the cluster,
 * that a key which is generated anew reaches the vault without an update, and what the writer's identity may not do. The tests
 * are steps of one story and run in order.
 */
import type { TokenCredential } from '@azure/identity';
import { setTimeout as delay } from 'node:timers/promises';
import type { AzureClients } from '../support/azureClients';
import { localCloud, type Update } from '../support/localCloud';
import { exampleFile } from './support/exampleFile';
import { signInAs } from './support/workloads';

jest.setTimeout(15 * 60_000);

const stack = 'connections';
/** The vaults of the connection strings: the application's own, and another that a dependency names. */
const vaults: Readonly<Record<Name, string>> = {
  ...{ files: 'kv-wi-conn-shop', cache: 'kv-wi-conn-shop' },
  bus: 'kv-wi-connections',
};
const example = exampleFile('connections').replace('intervalSeconds: 60', 'intervalSeconds: 5');
const withKey = (key: string) =>
  example.replaceAll('connection: vault', `connection: vault\n          key: ${key}`);

const cloud = localCloud('connections');
let first: Update;
let azure: AzureClients;

beforeAll(async () => {
  first = await cloud.up({ stack, yaml: example });
  azure = await cloud.azure();
});
afterAll(() => cloud.clean());

const names = ['files', 'cache', 'bus'] as const;
type Name = (typeof names)[number];

const group = () => `/subscriptions/${azure.subscriptionId}/resourceGroups/rg-connections-services`;
const holders: Readonly<Record<Name, { path: string; version: string; regenerate: string; key: string }>> = {
  files: {
    path: '/providers/Microsoft.Storage/storageAccounts/stwiconnshop',
    ...{ version: '2025-06-01', regenerate: 'regenerateKey', key: 'keyName' },
  },
  cache: {
    path: '/providers/Microsoft.Cache/redis/redis-wi-conn-shop',
    ...{ version: '2024-11-01', regenerate: 'regenerateKey', key: 'Primary' },
  },
  bus: {
    path: '/providers/Microsoft.ServiceBus/namespaces/sb-wi-conn-shop/authorizationRules/application',
    ...{ version: '2024-01-01', regenerate: 'regenerateKeys', key: 'PrimaryKey' },
  },
};

/** The primary and the secondary key. */
async function keysOf(name: Name): Promise<[string, string]> {
  const { path: holder, version } = holders[name];
  const { body } = await azure.request('POST', `${group()}${holder}/listKeys?api-version=${version}`);
  const { keys, primaryKey, secondaryKey } = body as {
    keys?: { value: string }[];
    primaryKey?: string;
    secondaryKey?: string;
  };
  return [keys?.[0]?.value ?? primaryKey ?? '', keys?.[1]?.value ?? secondaryKey ?? ''];
}

async function regenerate(name: Name): Promise<void> {
  const { path: holder, version, regenerate: action, key } = holders[name];
  const body = name === 'files' ? { keyName: 'key1' } : { keyType: key };
  const { status } = await azure.request(
    'POST',
    `${group()}${holder}/${action}?api-version=${version}`,
    body,
  );
  expect(status).toBe(200);
}

/** What the application connects with, by a key. */
const connectionString: Readonly<Record<Name, (key: string) => string>> = {
  files: (key) =>
    `DefaultEndpointsProtocol=https;AccountName=stwiconnshop;AccountKey=${key};EndpointSuffix=core.windows.net`,
  cache: (key) =>
    `redis-wi-conn-shop.redis.cache.windows.net:6380,password=${key},ssl=True,abortConnect=False`,
  bus: (key) =>
    `Endpoint=sb://sb-wi-conn-shop.servicebus.windows.net/;SharedAccessKeyName=application;SharedAccessKey=${key}`,
};

const signIn = (clientId: string, namespace: string, serviceAccount: string) =>
  signInAs(cloud, azure, clientId, { cluster: 'one', namespace, serviceAccount });

/** As the application. */
async function read(name: Name): Promise<string> {
  const { workloads } = await cloud.outputs(stack);
  const shop = workloads.find(({ application }) => application === 'shop');
  const credential = await signIn(shop?.identity.clientId ?? '', 'shop', 'shop');
  return (await azure.secrets(vaults[name], credential).getSecret(`shop-${name}`)).value ?? '';
}

async function versionsOf(name: Name): Promise<number> {
  let count = 0;
  const { workloads } = await cloud.outputs(stack);
  expect(workloads).toHaveLength(1);
  for await (const _ of azure.secrets(vaults[name]).listPropertiesOfSecretVersions(`shop-${name}`))
    count += 1;
  return count;
}

/** Waits for the next run of the writer, which is five seconds away. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('nothing was written for two minutes');
    await delay(500);
  }
}

/** Everything of the cluster that could have a key in it: secrets, ConfigMaps, events, logs of the writer. */
async function inCluster(): Promise<string> {
  const { core } = await cloud.kubernetes('one');
  const decoded = (await core.listSecretForAllNamespaces()).items.map(({ data = {} }) =>
    Object.values(data).map((value) => Buffer.from(value, 'base64').toString('utf8')),
  );
  const maps = (await core.listConfigMapForAllNamespaces()).items.map(({ data }) => data);
  const events = (await core.listEventForAllNamespaces()).items;
  return JSON.stringify([decoded, maps, events, await log()]);
}

async function log(): Promise<string> {
  const { core } = await cloud.kubernetes('one');
  const { items } = await core.listNamespacedPod({ namespace: 'connection-writer' });
  const name = items[0]?.metadata?.name ?? '';
  return core.readNamespacedPodLog({ name, namespace: 'connection-writer' });
}

describe('connection strings in vaults', () => {
  it('are read by the application, and verified', async () => {
    expect(first.output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    for (const name of names) expect(await read(name)).toBe(connectionString[name]((await keysOf(name))[0]));
    const { report } = await cloud.verify(stack);
    const pods = report.checks.find(({ application }) => application === 'connection-writer');
    expect(pods).toMatchObject({ ok: true, detail: '1 ready' });
    const role = report.checks.find(({ check }) => check === 'may only list keys and write secrets');
    expect(role).toMatchObject({ application: 'id-connections-one-connections', ok: true });
  });

  it('are nowhere else: not in the cluster, in the output, or in plain in the state and its outputs', async () => {
    const state = await cloud.succeed('pulumi', '--stack', stack, 'stack', 'export');
    const places = [first.output, JSON.stringify(await cloud.outputs(stack)), state, await inCluster()];
    for (const key of (await Promise.all(names.map(keysOf))).flat())
      for (const place of places) expect(place.includes(key)).toBe(false);
  });

  it('are named to pods if they are in another vault than the others', async () => {
    const { core } = await cloud.kubernetes('one');
    const { items } = await core.listNamespacedConfigMap({ namespace: 'shop' });
    expect(items.map(({ data }) => data)).toContainEqual({
      ...{ queues: 'orders', connectionVault: vaults.bus, connectionSecret: 'shop-bus' },
    });
  });

  it('are the same after a second update', async () => {
    expect(await cloud.changesOfSecondUpdate({ stack })).toEqual([]);
  });

  it('follow keys that are generated anew, without an update', async () => {
    const before = await Promise.all(names.map(read));
    await Promise.all(names.map(regenerate));

    for (const name of names) {
      const [key] = await keysOf(name);
      await until(async () => (await read(name)) === connectionString[name](key));
    }
    const after = await Promise.all(names.map(read));
    expect(after.filter((value) => before.includes(value))).toEqual([]);
    expect(await log()).toContain('"event":"written","connection":"shop/cache"');
    for (const name of names) expect(await versionsOf(name)).toBe(2);
  });

  it('are no change for the stack: an update leaves what the writer wrote', async () => {
    const { drift } = JSON.parse(await cloud.succeed('drift', '--stack', stack, '--json')) as {
      drift: unknown[];
    };
    expect(drift).toEqual([]);
    expect((await cloud.deploy({ stack, yaml: example })).changed).toEqual([]);
    for (const name of names) expect(await read(name)).toBe(connectionString[name]((await keysOf(name))[0]));
  });

  it('are changed to the secondary keys by an update, which waits for that', async () => {
    await cloud.deploy({ stack, yaml: withKey('secondary') });

    for (const name of names) expect(await read(name)).toBe(connectionString[name]((await keysOf(name))[1]));
  });
});

describe('the writer', () => {
  async function asWriter(): Promise<TokenCredential> {
    const [writer] = (await cloud.outputs(stack)).connectionWriters ?? [];
    return signIn(writer?.clientId ?? '', 'connection-writer', 'connection-writer');
  }
  const send = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', at: string, body?: object) => {
    const url = `https://management.azure.com${at}`;
    const text = body === undefined ? undefined : JSON.stringify(body);
    return (await azure.raw(url, { method, body: text, credential: await asWriter() })).status;
  };

  it('may list the keys of these services, and write their secrets', async () => {
    for (const name of names) {
      const { path: holder, version } = holders[name];
      expect(await send('POST', `${group()}${holder}/listKeys?api-version=${version}`)).toBe(200);
    }
  });

  it('may do nothing else', async () => {
    const [{ path: account }, { path: rule }] = [holders.files, holders.bus];
    const root = rule.replace(/[^/]+$/, 'RootManageSharedAccessKey');
    const { id = '' } = (await cloud.outputs(stack)).vaults[vaults.files] ?? {};
    const secret = { properties: { value: 'x' } };
    const refused = await Promise.all([
      send('POST', `${group()}${account}/regenerateKey?api-version=2025-06-01`, { keyName: 'key1' }),
      send('GET', `${group()}${account}?api-version=2025-06-01`),
      send('DELETE', `${group()}${account}?api-version=2025-06-01`),
      send('POST', `${group()}${root}/listKeys?api-version=2024-01-01`),
      send('PUT', `${id}/secrets/other?api-version=2026-02-01`, secret),
      send('GET', `${id}?api-version=2026-02-01`),
    ]);
    expect(refused).toEqual([403, 403, 403, 403, 403, 403]);
    await expect(azure.secrets(vaults.files, await asWriter()).getSecret('shop-files')).rejects.toMatchObject(
      {
        statusCode: 403,
      },
    );
  });

  it('is among those with access, by its role on each secret and on what has the keys', async () => {
    const access = JSON.parse(
      await cloud.succeed('access', '--stack', stack, '--deployed', '--json'),
    ) as Access;
    const usedBy = (name: string) =>
      access.identities
        .filter(({ subjects }) => subjects.some(({ text }) => text === name))
        .flatMap(({ targets }) => targets.map(({ text }) => text.replace(/^.* on .*\/(secrets\/)/, '$1')));
    expect(usedBy('shop/shop')).toEqual([
      ...['kv-wi-conn-shop/shop-cache', 'kv-wi-conn-shop/shop-files', 'kv-wi-connections/shop-bus'],
    ]);
    const written = usedBy('connection-writer/connection-writer').filter((request) =>
      request.startsWith('secrets/'),
    );
    expect(written.sort()).toEqual(['bus', 'cache', 'files'].map((name) => `secrets/shop-${name}`));
    expect(usedBy('connection-writer/connection-writer')).toHaveLength(6);
  });
});
