import { clusterId, groupId, identityId, vaultId } from '../ids';
import { application, shared } from '../settings';
import type { Change, Subject } from './table';
import { refused, valid } from './table';

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
/** Each in a namespace of its own. */
const apart = { namespace: undefined, sharedNamespace: undefined };
const provisioning = (own: object, other: object): Change => ({
  applications: [
    application('orders', {
      dependencies: [files],
      provisioning: 'application',
      namespace: 'x',
      ...shared,
      ...own,
    }),
    application('b', { namespace: 'x', ...shared, ...other }),
  ],
});

export const dependencies: Subject = {
  change: on(files),
  rows: {
    'a storage account': valid({}),
    'no service': refused({ [`${at}[0].storageAccount`]: undefined }, `${at}[0]`),
    'two services': refused({ [`${at}[0].vault`]: { name: 'kv-files' } }, `${at}[0].storageAccount`),
    'the same name twice': refused(on(files, { ...more, name: 'files' }), `${at}[1].name`),
    'a secret of a service without one': refused(
      on({ name: 'db', postgresql: { name: 'pg-orders', database: 'orders' }, connection: 'secret' }),
      `${at}[0].connection`,
    ),
    'a vault for a service without a key': refused(
      on({ name: 'db', postgresql: { name: 'pg-orders', database: 'orders' }, connection: 'vault' }),
      `${at}[0].connection`,
    ),
    'a cache whose key is in a vault': valid(on({ ...redis({}), connection: 'vault', key: 'secondary' })),
    'a writer of connection strings where there are none': refused(
      { connections: { intervalSeconds: 30 } },
      'connections',
    ),
    'an interval that is too short': refused(
      { ...on(brought), connections: { intervalSeconds: 1 } },
      'connections.intervalSeconds',
    ),
    'an application whose identity has the name of the writer': refused(
      {
        ...on(brought),
        'applications[1]': application('connections', { identity: 'application' }),
      },
      'clusters[0].name',
    ),
    'a connection string in the vault of another application': valid({
      applications: [
        application('orders', { dependencies: [{ ...brought, connectionVault: 'kv-invoices' }] }),
        application('invoices', {
          vault: { placement: 'perApplication', name: 'kv-invoices' },
          secrets: ['x'],
        }),
      ],
    }),
    'a connection string in an unknown vault': refused(
      on({ ...brought, connectionVault: 'kv-nowhere' }),
      `${at}[0].connectionVault`,
    ),
    'a connection string in the vault where it is by default': refused(
      {
        ...on({ ...brought, connectionVault: 'kv-orders' }),
        'applications[0].vault': { placement: 'perApplication', name: 'kv-orders' },
      },
      `${at}[0].connectionVault`,
    ),
    'a vault for a connection without a string': refused(
      on({ ...files, connectionVault: 'kv-nowhere' }),
      `${at}[0].connectionVault`,
    ),
    'a connection string in a vault that the pods do not mount': refused(
      {
        applications: [
          application('orders', {
            ...{ delivery: 'files', secrets: ['y'] },
            dependencies: [{ ...brought, connectionVault: 'kv-invoices' }],
          }),
          application('invoices', {
            vault: { placement: 'perApplication', name: 'kv-invoices' },
            secrets: ['x'],
          }),
        ],
      },
      'applications[0].delivery',
    ),
    'another key where none is used': refused({ [`${at}[0].key`]: 'secondary' }),
    'a size that Premium does not have': refused(
      on(redis({ sku: 'Premium', capacity: 6 })),
      `${at}[0].redis.capacity`,
    ),
    'the largest size of Premium': valid(on(redis({ sku: 'Premium', capacity: 5 }))),
    'a name that Azure refuses': refused({ [`${at}[0].storageAccount.name`]: 'st-Files' }),
    'data that a storage account does not have': refused(
      { [`${at}[0].storageAccount.data`]: ['blob'] },
      `${at}[0].storageAccount.data[0]`,
    ),
    'a name of Service Bus that Azure keeps for itself': refused(
      on({ name: 'bus', serviceBus: { name: 'orders-mgmt' } }),
      `${at}[0].serviceBus.name`,
    ),
    'the same queue twice': refused(
      on({ name: 'bus', serviceBus: { name: 'sb-orders-a', queues: ['one', 'two', 'One'] } }),
      `${at}[0].serviceBus.queues[2]`,
    ),
    'two services with the same name': refused(
      on(files, { ...files, name: 'more' }),
      `${at}[1].storageAccount.name`,
    ),
    'the name of the vault of the environment': refused(
      on({ name: 'own', vault: { name: 'KV-test' } }),
      `${at}[0].vault.name`,
    ),
    'the same account as a shorthand and written out': refused(
      on(files, { name: 'raw', resource: { ...container, spec: { azureName: 'stfiles' } } }),
      `${at}[1].resource.spec.azureName`,
    ),
    'two objects with the same name': refused(
      on(
        { name: 'a', storageAccount: { name: 'storders' }, connection: 'secret' },
        { name: 'a-keys-15c9d970', serviceBus: { name: 'sb-orders-a' } },
      ),
      `${at}[1].name`,
    ),
    'two objects with the same name in one namespace, of two applications': refused(
      both(
        { dependencies: [{ ...files, name: 'b-c' }], namespace: 'x', ...shared },
        { dependencies: [{ ...more, name: 'c' }], namespace: 'x', ...shared },
      ),
      'applications[1].dependencies[0].name',
    ),
    'two objects of one name in two namespaces': valid(
      both(
        { dependencies: [{ ...files, name: 'b-c' }], namespace: 'x' },
        { dependencies: [{ ...more, name: 'c' }] },
      ),
    ),
    'a name too long for a label': refused({
      'applications[0].name': 'o'.repeat(30),
      [`${at}[0].name`]: 'a'.repeat(40),
    }),
    'an operator that is too old': refused({ 'serviceOperator.version': '2.9.0' }),
    'an operator that is too old, with a v': refused({ 'serviceOperator.version': 'v2.17.0' }),
    'a newer operator': valid({ 'serviceOperator.version': '2.20.0' }),
    'an old operator without any': valid({ ...on(), 'serviceOperator.version': '2.9.0' }),
    'a variable that is in use': refused(
      { 'applications[0].env': { FILES_BLOB_ENDPOINT: 'x' } },
      `${at}[0].name`,
    ),
    'variables of a chart, which are its own affair': valid({
      'applications[0].image': undefined,
      'applications[0].chart': { chart: './charts/x' },
    }),
    'a secret that another brings': refused(
      { ...on(brought), 'applications[1]': application('b', { secrets: ['orders-files'] }) },
      'applications[1].secrets[0]',
    ),
    'a secret that one brings, for a group': refused(
      {
        ...on(brought),
        groups: [{ name: 'readers', secrets: ['Orders-Files'] }],
        'applications[0].groups': ['readers'],
      },
      'groups[0].secrets[0]',
    ),
    'a secret of the same name in another vault': valid({
      ...on(brought),
      'applications[1]': application('b', {
        secrets: ['orders-files'],
        vault: { placement: 'perApplication' },
      }),
    }),
    'a secret that another brings as well': refused(
      both(
        { dependencies: [{ ...brought, name: 'b-c' }] },
        { dependencies: [{ ...more, name: 'c', connection: 'vault' }] },
      ),
      'applications[1].dependencies[0].name',
    ),
    'a value of a secret that one brings': refused({
      ...on(brought),
      'secretValues.orders-files': 'hunter2',
    }),
    'delivery of a secret that one brings': valid({ ...on(brought), 'applications[0].delivery': 'files' }),
    'its own provisioning in a shared namespace': refused(
      provisioning({}, { dependencies: [more] }),
      'applications[0].provisioning',
    ),
    'provisioning of its own where the other depends on nothing': valid(provisioning({}, {})),
    'provisioning of nothing': refused({ ...on(), 'applications[0].provisioning': 'application' }),
    'the same name in two groups, where it must be globally unique': refused(
      provisioning({ ...apart }, { ...apart, dependencies: [files] }),
      'applications[1].dependencies[0].storageAccount.name',
    ),
    'one name in two groups, where it is unique in its group': valid(
      provisioning(
        { ...apart, dependencies: [{ name: 'own', identity: { name: 'id-one' } }] },
        { ...apart, dependencies: [{ name: 'own', identity: { name: 'id-one' } }] },
      ),
    ),
    "the environment's own group": refused({ 'services.resourceGroup': 'RG-test' }),
    'the group of a vault that exists': refused(
      { 'services.resourceGroup.existing': groupId('RG-there'), vault: { existing: vaultId('kv-there') } },
      'services.resourceGroup.existing',
    ),
    'the group of an identity that exists': refused(
      {
        'services.resourceGroup.existing': groupId('rg-there'),
        'clusters[0].identity.existing': identityId('id-there'),
      },
      'services.resourceGroup.existing',
    ),
    'the group of a cluster that exists': refused(
      {
        'services.resourceGroup.existing': groupId('rg-there'),
        'clusters[0].mode': 'existing',
        'clusters[0].id': clusterId('aks-there'),
      },
      'services.resourceGroup.existing',
    ),
    'the node resource group of a cluster': refused(
      { 'services.resourceGroup.existing': groupId('MC_rg-test_aks-1_westeurope') },
      'services.resourceGroup.existing',
    ),
    'several invalid ones': refused(
      {
        'services.resourceGroup': 'rg-test',
        'applications[1]': application('b', { dependencies: [files] }),
      },
      'services.resourceGroup',
      'applications[1].dependencies[0].storageAccount.name',
    ),
  },
};
