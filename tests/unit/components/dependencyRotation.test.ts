import type { DependencyService } from '../../../components/dependency/service';
import type { DependencyContext } from '../../../components/dependency/specification';
import { exportedValues } from '../../../components/dependency/exported';
import { specify } from '../../../components/dependency/specify';
import { postgresql, storage } from './support/services';

// What mocks do not prove: that Azure Service Operator takes these specifications.

const first = { identityName: 'id-orders', principalId: 'first', tenantId: 'tenant', suffix: '' };
const second = { identityName: 'id-orders-g2', principalId: 'second', tenantId: 'tenant', suffix: '-g2' };
const place: DependencyContext = {
  objectName: 'orders-db',
  groupId: '/g',
  location: 'westeurope',
  tags: {},
  connection: 'identity',
  identity: first,
  cluster: 'aks-1',
  issuer: 'https://issuer/',
  accounts: [],
};
const redis: DependencyService = { kind: 'redis', name: 'r', sku: 'Basic', capacity: 0 };
const serviceBus: DependencyService = { kind: 'serviceBus', name: 'sb', sku: 'Standard', queues: [] };

const accessOf = (service: DependencyService, changes: Partial<DependencyContext>) =>
  specify(service, { ...place, ...changes })
    .resources.filter(({ access }) => access)
    .map(({ suffix, spec }) => ({ suffix, azureName: spec['azureName'], exports: 'operatorSpec' in spec }));
const secretsOf = (service: DependencyService, key?: 'primary' | 'secondary') =>
  exportedValues('orders-db', specify(service, { ...place, connection: 'secret', ...(key && { key }) }))
    .filter(({ from }) => from === 'secret')
    .map(({ name, key: of }) => `${name} ${of}`);

describe.each([
  ['postgresql', postgresql, 'administrator'],
  ['redis', redis, 'access'],
])('the access of two identities to %s', (_kind, service, suffix) => {
  it('is in custom resources whose names do not depend on which one is in use', () => {
    const before = accessOf(service, { identity: first, identitiesBeside: [second] });
    const after = accessOf(service, { identity: second, identitiesBeside: [first] });

    expect(before).toEqual([
      { suffix, azureName: 'first', exports: true },
      { suffix: `${suffix}-g2`, azureName: 'second', exports: false },
    ]);
    expect(after).toEqual([
      { suffix: `${suffix}-g2`, azureName: 'second', exports: true },
      { suffix, azureName: 'first', exports: false },
    ]);
  });

  it('tells the pods the user of the one in use', () => {
    const values = exportedValues(
      'orders-db',
      specify(service, { ...place, identity: second, identitiesBeside: [first] }),
    );

    expect(values.filter(({ key }) => key === 'user')).toEqual([
      { from: 'configMap', name: `orders-db-${suffix}-g2`, key: 'user' },
    ]);
  });
});

describe('the other key of a service', () => {
  it.each([
    ['storage', storage],
    ['redis', redis],
    ['service bus', serviceBus],
  ])('of %s is in another secret, so that pods are replaced', (_kind, service) => {
    const primary = secretsOf(service);

    expect(secretsOf(service, 'primary')).toEqual(primary);
    expect(secretsOf(service, 'secondary')).toEqual(primary.map((one) => one.replace(' ', '-secondary ')));
  });

  it.each([
    [storage, /secret\.key2/, /secret\.key1/],
    [redis, /secondaryKey/, /primaryKey/],
    [serviceBus, /secondaryKey.*secondaryConnectionString/, /primary(Key|ConnectionString)/],
  ])('is what the operator exports', (service, wanted, other) => {
    const text = JSON.stringify(specify(service, { ...place, connection: 'secret', key: 'secondary' }));

    expect(text).toMatch(wanted);
    expect(text).not.toMatch(other);
  });
});
