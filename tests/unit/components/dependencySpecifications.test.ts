import { addressBounds } from '../../../components/azure/addressRange';
import { dependencyProblems } from '../../../components/dependency/arguments';
import { exportedValues } from '../../../components/dependency/exported';
import type { DependencyService } from '../../../components/dependency/service';
import {
  customResourcesOf,
  dependencyKinds,
  dependencyVariable,
} from '../../../components/dependency/service';
import type { DependencyContext } from '../../../components/dependency/specification';
import { specify } from '../../../components/dependency/specify';
import { postgresql, storage } from './support/services';

// What mocks do not prove: that the operator takes these specifications, and Azure; the end-to-end test does, of a storage
// account and a server of PostgreSQL.

const place: DependencyContext = {
  objectName: 'orders-files',
  groupId: '/g',
  location: 'westeurope',
  tags: {},
  connection: 'identity',
  identity: { identityName: 'id-orders', principalId: 'principal', tenantId: 'tenant' },
  cluster: 'aks-1',
  issuer: 'https://issuer/',
  accounts: [{ namespace: 'orders', serviceAccount: 'orders' }],
};
const told = (service: DependencyService, changes: Partial<DependencyContext> = {}) => {
  const values = exportedValues('orders-files', specify(service, { ...place, ...changes }));
  return values.map(({ from, name, key }) => `${from} ${name} ${key}`);
};

describe('what an application is told', () => {
  it.each<[string, DependencyService, string[]]>([
    [
      'a storage account',
      storage,
      [
        'configMap orders-files blobEndpoint',
        'configMap orders-files tableEndpoint',
        'configMap orders-files-told-a5737f5a accountName',
      ],
    ],
    [
      'PostgreSQL',
      postgresql,
      [
        'configMap orders-files host',
        'configMap orders-files-database database',
        'configMap orders-files-administrator user',
      ],
    ],
    [
      'Redis',
      { kind: 'redis', name: 'r', sku: 'Basic', capacity: 0 },
      ['configMap orders-files host', 'configMap orders-files port', 'configMap orders-files-access user'],
    ],
    [
      'Service Bus',
      { kind: 'serviceBus', name: 'sb-orders', sku: 'Standard', queues: ['a'] },
      ['configMap orders-files endpoint', 'configMap orders-files-told-793a6dc7 queues'],
    ],
    [
      'an identity',
      { kind: 'identity', name: 'id-x' },
      ['clientId', 'principalId', 'tenantId'].map((key) => `configMap orders-files ${key}`),
    ],
    [
      'a vault',
      { kind: 'vault', name: 'kv-orders' },
      ['configMap orders-files uri', 'configMap orders-files-told-bd453fd3 name'],
    ],
    [
      'any other resource, as far as it exports it',
      {
        kind: 'resource',
        apiVersion: 'documentdb.azure.com/v1api20231115',
        resourceKind: 'DatabaseAccount',
        spec: {
          operatorSpec: {
            secrets: { documentEndpoint: { name: 'orders-files', key: 'endpoint' } },
            configMapExpressions: [{ name: 'elsewhere', value: 'self.spec' }],
          },
        },
      },
      ['secret orders-files endpoint'],
    ],
  ])('of %s, without a secret of ours', (_, service, expected) => {
    expect(told(service)).toEqual(expected);
  });

  it.each<[string, DependencyService, string, string[]]>([
    ['a storage account', storage, '-keys-3fb8e9a4', ['accountName', 'key', 'connectionString']],
    ['Redis', { kind: 'redis', name: 'r', sku: 'Basic', capacity: 0 }, '-keys-454349e4', ['key']],
    [
      'Service Bus',
      { kind: 'serviceBus', name: 'sb-orders', sku: 'Standard', queues: [] },
      '',
      ['key', 'connectionString'],
    ],
  ])('of %s by a secret is in that secret', (_, service, suffix, keys) => {
    const secrets = told(service, { connection: 'secret' }).filter((one) => one.startsWith('secret'));
    expect(secrets).toEqual(keys.map((key) => `secret orders-files${suffix} ${key}`));
  });

  it.each<[string, DependencyService]>([
    ['a storage account', storage],
    ['Redis', { kind: 'redis', name: 'r', sku: 'Basic', capacity: 0 }],
  ])('of %s has its keys by a custom resource of their own, which goes with them', (_, service) => {
    const { resources } = specify(service, { ...place, connection: 'secret' });
    const keys = resources.find((one) => one.keys);

    const { operatorSpec, ...spec } = resources[0].spec;
    expect(JSON.stringify(operatorSpec)).not.toContain('secret');
    expect(keys).toMatchObject({
      suffix: expect.stringMatching(/^keys-[0-9a-f]{8}$/) as unknown,
      kind: resources[0].kind,
      spec,
    });
    expect(specify(service, place).resources.some((one) => one.keys)).toBe(false);
  });

  it.each([
    ['blobEndpoint', 'FILES_BLOB_ENDPOINT'],
    ['host', 'FILES_HOST'],
  ])('as %s is in the variable %s', (key, variable) => {
    expect(dependencyVariable('files', key)).toBe(variable);
    expect(dependencyVariable('my-files', key)).toBe(`MY_${variable}`);
  });
});

describe('the specification', () => {
  it('of a storage account takes no keys where the application has its identity, and only then', () => {
    const own = (changes: Partial<DependencyContext>) => specify(storage, { ...place, ...changes });

    expect(own({}).resources[0].spec).toMatchObject({
      azureName: 'stfiles',
      owner: { armId: '/g' },
      kind: 'StorageV2',
      sku: { name: 'Standard_ZRS' },
      allowSharedKeyAccess: false,
      allowBlobPublicAccess: false,
      minimumTlsVersion: 'TLS1_2',
    });
    expect(own({}).dataRoles).toEqual(['storageBlobDataContributor', 'storageTableDataContributor']);
    for (const connection of ['secret', 'vault'] as const) {
      expect(own({ connection }).resources[0].spec).toMatchObject({ allowSharedKeyAccess: true });
      expect(own({ connection }).dataRoles).toEqual([]);
    }
    // With the vault, no key gets into the cluster.
    expect(JSON.stringify(own({ connection: 'vault' }).resources)).not.toContain('secret');
  });

  it('of PostgreSQL knows no password, and has the identity as its administrator', () => {
    const { resources } = specify(postgresql, place);

    expect(resources[0].spec).toMatchObject({
      sku: { name: 'Standard_D2ds_v5', tier: 'GeneralPurpose' },
      storage: { storageSizeGB: 64 },
      authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled', tenantId: 'tenant' },
    });
    expect(resources.slice(1)).toMatchObject([
      { kind: 'FlexibleServersDatabase', spec: { azureName: 'orders', owner: { name: 'orders-files' } } },
      {
        kind: 'FlexibleServersAdministrator',
        access: true,
        spec: { azureName: 'principal', principalName: 'id-orders', principalType: 'ServicePrincipal' },
      },
      {
        kind: 'FlexibleServersFirewallRule',
        suffix: 'allowed-203-0-113-0-24',
        spec: { startIpAddress: '203.0.113.0', endIpAddress: '203.0.113.255' },
      },
    ]);
  });

  it('of Service Bus gives keys of a rule that cannot manage it, and none without', () => {
    const service: DependencyService = {
      kind: 'serviceBus',
      name: 'sb-x',
      sku: 'Premium',
      queues: ['a/B', 'a'],
    };
    const secret = specify(service, { ...place, connection: 'secret' });

    expect(secret.resources[0].spec).toMatchObject({
      disableLocalAuth: false,
      sku: { name: 'Premium', tier: 'Premium', capacity: 1 },
    });
    expect(secret.resources.at(-1)).toMatchObject({
      kind: 'NamespacesAuthorizationRule',
      spec: { rights: ['Listen', 'Send'] },
    });
    expect(specify(service, place).resources[0].spec).toMatchObject({ disableLocalAuth: true });
    const suffixes = secret.resources.flatMap(({ suffix }) => suffix ?? []);
    expect(suffixes[1]).toBe('queue-a');
    expect(suffixes[0]).toMatch(/^queue-a-b-[0-9a-f]{8}$/);
  });

  it('of an identity trusts the accounts of the application, under names that no other cluster has', () => {
    expect(specify({ kind: 'identity', name: 'id-x' }, place).resources[1]).toMatchObject({
      kind: 'FederatedIdentityCredential',
      access: true,
      spec: {
        azureName: 'aks-1_orders_orders',
        issuer: 'https://issuer/',
        subject: 'system:serviceaccount:orders:orders',
      },
    });
  });

  it('of any other resource is its own, in the group if it says no owner', () => {
    const service = { kind: 'resource', apiVersion: 'a.azure.com/v1', resourceKind: 'A' } as const;

    expect(specify({ ...service, spec: { x: 1 } }, place).resources[0].spec).toEqual({
      owner: { armId: '/g' },
      x: 1,
    });
    const owner = { name: 'other' };
    expect(specify({ ...service, spec: { owner } }, place).resources[0].spec).toEqual({ owner });
  });
});

describe('the custom resources that the operator is to install', () => {
  const services: DependencyService[] = [
    storage,
    postgresql,
    { kind: 'redis', name: 'r', sku: 'Basic', capacity: 0 },
    { kind: 'serviceBus', name: 'sb-orders', sku: 'Standard', queues: ['a'] },
    { kind: 'identity', name: 'id-x' },
    { kind: 'vault', name: 'kv-orders' },
    { kind: 'resource', apiVersion: 'web.azure.com/v20220301', resourceKind: 'Site', spec: {} },
  ];

  it.each(services.map((service) => [service.kind, service] as const))(
    'are those that a service is made of, and no others: %s',
    (_kind, service) => {
      const made = (['identity', 'secret'] as const).flatMap((connection) =>
        specify(service, { ...place, connection }).resources.map(
          ({ apiVersion, kind }) => `${apiVersion.split('/')[0] ?? ''}/${kind}`,
        ),
      );

      expect([...new Set(made)].sort()).toEqual([...customResourcesOf(service)].sort());
    },
  );
});

describe('the bounds of a range', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0', '203.0.113.255'],
    ['10.1.2.3/12', '10.0.0.0', '10.15.255.255'],
    ['0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
  ])('%s are %s and %s', (range, first, last) => {
    expect(addressBounds(range)).toEqual({ first, last });
  });
});

describe('a word after a or an', () => {
  it.each(Object.entries(dependencyKinds))('has the right one: %s', (kind, { label }) => {
    const service = { [kind]: { name: 'x', spec: {} } };
    const args = { service, connection: 'none' } as unknown as Parameters<typeof dependencyProblems>[0];
    const article = 'aeiou'.includes(label.charAt(0).toLowerCase()) ? 'an' : 'a';

    expect(dependencyProblems(args).map(({ problem }) => problem)).toEqual([
      `is not possible for ${article} ${label}`,
    ]);
  });
});
