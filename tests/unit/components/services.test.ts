import { addressBounds } from '../../../components/azure/addressRange';
import { exportedValues } from '../../../components/dependency/exported';
import type { DependencyService } from '../../../components/dependency/service';
import { customResourcesOf, dependencyVariable } from '../../../components/dependency/service';
import type { DependencyContext } from '../../../components/dependency/specification';
import { specify } from '../../../components/dependency/specify';

// The specifications of services as such; the goldens dependencies and every-service show what is registered of them.
// What mocks do not prove: that Azure Service Operator takes these specifications.

const first = { identityName: 'id-orders', principalId: 'first', tenantId: 'tenant', suffix: '' };
const second = { identityName: 'id-orders-g2', principalId: 'second', tenantId: 'tenant', suffix: '-g2' };
const place: DependencyContext = {
  ...{ objectName: 'orders-db', groupId: '/g', location: 'westeurope', tags: {}, connection: 'identity' },
  ...{ identity: first, cluster: 'aks-1', issuer: 'https://issuer/' },
  accounts: [{ namespace: 'orders', serviceAccount: 'orders' }],
};
const storage: DependencyService = {
  ...{ kind: 'storageAccount', name: 'stfiles', sku: 'Standard_ZRS', data: ['blobs', 'tables'] },
};
const postgresql: DependencyService = {
  ...{ kind: 'postgresql', name: 'pg-orders', version: '17', sku: 'Standard_D2ds_v5', storageGb: 64 },
  ...{ database: 'orders', allowedIpRanges: ['203.0.113.0/24'] },
};
const redis: DependencyService = { kind: 'redis', name: 'r', sku: 'Basic', capacity: 0 };
const serviceBus: DependencyService = { kind: 'serviceBus', name: 'sb', sku: 'Standard', queues: ['a'] };

describe.each([
  ['postgresql', postgresql, 'administrator'],
  ['redis', redis, 'access'],
])('the access of two identities to %s', (_kind, service, suffix) => {
  const accessOf = (changes: Partial<DependencyContext>) =>
    specify(service, { ...place, ...changes })
      .resources.filter(({ access }) => access)
      .map(({ suffix: name, spec }) => ({ name, of: spec['azureName'], exports: 'operatorSpec' in spec }));

  it('is in custom resources whose names do not depend on which one is in use', () => {
    const before = accessOf({ identity: first, identitiesBeside: [second] });
    const after = accessOf({ identity: second, identitiesBeside: [first] });

    expect(before).toEqual([
      { name: suffix, of: 'first', exports: true },
      { name: `${suffix}-g2`, of: 'second', exports: false },
    ]);
    expect(after).toEqual([
      { name: `${suffix}-g2`, of: 'second', exports: true },
      { name: suffix, of: 'first', exports: false },
    ]);
  });

  it('gives the pods the user of the key in use', () => {
    const specification = specify(service, { ...place, identity: second, identitiesBeside: [first] });

    expect(exportedValues('orders-db', specification).filter(({ key }) => key === 'user')).toEqual([
      { from: 'configMap', name: `orders-db-${suffix}-g2`, key: 'user' },
    ]);
  });
});

describe('the other key of a service', () => {
  const secretsOf = (service: DependencyService, key?: 'primary' | 'secondary') =>
    exportedValues('orders-db', specify(service, { ...place, connection: 'secret', ...(key && { key }) }))
      .filter(({ from }) => from === 'secret')
      .map(({ name, key: of }) => `${name} ${of}`);

  it.each<[string, DependencyService, RegExp, RegExp]>([
    ['storage', storage, /secret\.key2/, /secret\.key1/],
    ['redis', redis, /secondaryKey/, /primaryKey/],
    ['service bus', serviceBus, /secondaryKey.*secondaryConnectionString/, /primary(Key|ConnectionString)/],
  ])(
    'of %s is what the operator exports, in another secret, so that pods are replaced',
    (_, service, wanted, other) => {
      const text = JSON.stringify(specify(service, { ...place, connection: 'secret', key: 'secondary' }));

      expect(text).toMatch(wanted);
      expect(text).not.toMatch(other);
      expect(secretsOf(service, 'primary')).toEqual(secretsOf(service));
      expect(secretsOf(service, 'secondary')).toEqual(
        secretsOf(service).map((line) => line.replace(' ', '-secondary ')),
      );
    },
  );
});

describe('the custom resources that the operator is to install', () => {
  const services: DependencyService[] = [
    ...[storage, postgresql, redis, serviceBus],
    { kind: 'identity', name: 'id-x' },
    { kind: 'vault', name: 'kv-orders' },
    { kind: 'resource', apiVersion: 'web.azure.com/v20220301', resourceKind: 'Site', spec: {} },
  ];

  it.each(services.map((service) => [service.kind, service] as const))(
    'are those of the service, and no others: %s',
    (_kind, service) => {
      const created = (['identity', 'secret'] as const).flatMap((connection) =>
        specify(service, { ...place, connection }).resources.map(
          ({ apiVersion, kind }) => `${apiVersion.split('/')[0] ?? ''}/${kind}`,
        ),
      );

      expect([...new Set(created)].sort()).toEqual([...customResourcesOf(service)].sort());
    },
  );
});

it.each([
  ['files', 'blobEndpoint', 'FILES_BLOB_ENDPOINT'],
  ['my-files', 'host', 'MY_FILES_HOST'],
])('%s exports %s in the variable %s', (dependency, key, variable) => {
  expect(dependencyVariable(dependency, key)).toBe(variable);
});

it.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['203.0.113.7/24', '203.0.113.0', '203.0.113.255'],
  ['10.1.2.3/12', '10.0.0.0', '10.15.255.255'],
  ['0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
])('the bounds of the range %s are %s and %s', (range, first, last) => {
  expect(addressBounds(range)).toEqual({ first, last });
});
