import { application } from '../settings';
import type { Change, Subject } from './table';
import { valid } from './table';

const at = 'applications[0].dependencies';
const files = { name: 'files', storageAccount: { name: 'stfiles' } };
const more = { name: 'more', storageAccount: { name: 'stmore' } };
const brought = { ...files, connection: 'vault' };
const redis = (settings: object) => ({ name: 'cache', redis: { name: 'redis-orders', ...settings } });
const container = { apiVersion: 'storage.azure.com/v1api20230101', kind: 'StorageAccount' };

/** The application depends on these. */
const on = (...dependencies: unknown[]): Change => ({ [at]: dependencies });
const both = (first: object, second: object): Change => ({
  applications: [application('a', { ...first }), application('a-b', { ...second })],
});
const provisioning = (own: object, other: object): Change => ({
  applications: [
    application('orders', { dependencies: [files], provisioning: 'application', namespace: 'x', ...own }),
    application('b', { namespace: 'x', ...other }),
  ],
});

export const dependencies: Subject = {
  change: on(files),
  rows: [
    ['a storage account', {}, valid],
    ['no service', { [`${at}[0].storageAccount`]: undefined }, [`${at}[0]`]],
    ['two services', { [`${at}[0].vault`]: { name: 'kv-files' } }, [`${at}[0].storageAccount`]],
    ['one name twice', on(files, { ...more, name: 'files' }), [`${at}[1].name`]],
    [
      'one name twice, where the first has something wrong',
      on({ name: 'db' }, { name: 'db', identity: { name: 'id-db' } }),
      [`${at}[0]`, `${at}[1].name`],
    ],
    [
      'a secret of what has none',
      on({ name: 'db', postgresql: { name: 'pg-orders', database: 'orders' }, connection: 'secret' }),
      [`${at}[0].connection`],
    ],
    [
      'a vault for what has no key to put there',
      on({ ...redis({}), connection: 'vault' }),
      [`${at}[0].connection`],
    ],
    ['another key where none is used', { [`${at}[0].key`]: 'secondary' }],
    [
      'a size that Premium does not have',
      on(redis({ sku: 'Premium', capacity: 6 })),
      [`${at}[0].redis.capacity`],
    ],
    ['the largest size of Premium', on(redis({ sku: 'Premium', capacity: 5 })), valid],
    ['a name that Azure refuses', { [`${at}[0].storageAccount.name`]: 'st-Files' }],
    [
      'data that a storage account does not have',
      { [`${at}[0].storageAccount.data`]: ['blob'] },
      [`${at}[0].storageAccount.data[0]`],
    ],
    [
      'a name of Service Bus that Azure keeps for itself',
      on({ name: 'bus', serviceBus: { name: 'orders-mgmt' } }),
      [`${at}[0].serviceBus.name`],
    ],
    [
      'one queue twice',
      on({ name: 'bus', serviceBus: { name: 'sb-orders-a', queues: ['one', 'two', 'One'] } }),
      [`${at}[0].serviceBus.queues[2]`],
    ],
    ['two services of one name', on(files, { ...files, name: 'more' }), [`${at}[1].storageAccount.name`]],
    [
      'the name of the vault of the environment',
      on({ name: 'own', vault: { name: 'KV-test' } }),
      [`${at}[0].vault.name`],
    ],
    [
      'one account by a shorthand and written out',
      on(files, { name: 'raw', resource: { ...container, spec: { azureName: 'stfiles' } } }),
      [`${at}[1].resource.spec.azureName`],
    ],
    [
      'two objects of one name',
      on(
        { name: 'a', storageAccount: { name: 'storders' }, connection: 'secret' },
        { name: 'a-keys-15c9d970', serviceBus: { name: 'sb-orders-a' } },
      ),
      [`${at}[1].name`],
    ],
    [
      'two objects of one name in one namespace, of two applications',
      both(
        { dependencies: [{ ...files, name: 'b-c' }], namespace: 'x' },
        { dependencies: [{ ...more, name: 'c' }], namespace: 'x' },
      ),
      ['applications[1].dependencies[0].name'],
    ],
    [
      'two objects of one name in two namespaces',
      both(
        { dependencies: [{ ...files, name: 'b-c' }], namespace: 'x' },
        { dependencies: [{ ...more, name: 'c' }] },
      ),
      valid,
    ],
    [
      'a name too long for a label',
      { 'applications[0].name': 'o'.repeat(30), [`${at}[0].name`]: 'a'.repeat(40) },
      [`${at}[0].name`],
    ],
    ['an operator that is too old', { 'serviceOperator.version': '2.9.0' }],
    ['an operator that is too old, with a v', { 'serviceOperator.version': 'v2.17.0' }],
    ['a newer operator', { 'serviceOperator.version': '2.20.0' }, valid],
    ['an old operator without any', { ...on(), 'serviceOperator.version': '2.9.0' }, valid],
    ['a variable that is taken', { 'applications[0].env': { FILES_BLOB_ENDPOINT: 'x' } }, [`${at}[0].name`]],
    [
      'variables of a chart, which are its own affair',
      { 'applications[0].image': undefined, 'applications[0].chart': { chart: './charts/x' } },
      valid,
    ],
    [
      'a secret that another brings',
      { ...on(brought), 'applications[1]': application('b', { secrets: ['orders-files'] }) },
      ['applications[1].secrets[0]'],
    ],
    [
      'a secret that another brings as well',
      both(
        { dependencies: [{ ...brought, name: 'b-c' }] },
        { dependencies: [{ ...more, name: 'c', connection: 'vault' }] },
      ),
      ['applications[1].dependencies[0].name'],
    ],
    [
      'a value of a secret that one brings',
      { ...on(brought), 'secretValues.orders-files': 'hunter2' },
      ['secretValues.orders-files'],
    ],
    ['delivery of a secret that one brings', { ...on(brought), 'applications[0].delivery': 'files' }, valid],
    [
      'provisioning of its own in a namespace of two',
      provisioning({}, { dependencies: [more] }),
      ['applications[0].provisioning'],
    ],
    ['provisioning of its own where the other depends on nothing', provisioning({}, {}), valid],
    [
      'provisioning of nothing',
      { ...on(), 'applications[0].provisioning': 'application' },
      ['applications[0].provisioning'],
    ],
    [
      'one name in two groups, where it is unique in all of Azure',
      provisioning({ namespace: undefined }, { namespace: undefined, dependencies: [files] }),
      ['applications[1].dependencies[0].storageAccount.name'],
    ],
    [
      'one name in two groups, where it is unique in its group',
      provisioning(
        { namespace: undefined, dependencies: [{ name: 'own', identity: { name: 'id-one' } }] },
        { namespace: undefined, dependencies: [{ name: 'own', identity: { name: 'id-one' } }] },
      ),
      valid,
    ],
    ["the environment's own group", { 'services.resourceGroup': 'RG-test' }],
    [
      'several, also where one is wrong in itself',
      {
        'services.resourceGroup': 'rg-test',
        ...on({ name: 'db', postgresql: { name: 'pg', database: 'main' } }),
        'applications[1]': application('b', { dependencies: [files, { ...files, name: 'again' }] }),
      },
      [
        `${at}[0].postgresql.name`,
        'services.resourceGroup',
        'applications[1].dependencies[1].storageAccount.name',
      ],
    ],
  ],
};
