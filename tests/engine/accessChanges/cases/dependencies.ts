import { services, shop } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { gained, less, loud, perhaps } from '../expected';
import { sources } from '../sources';

const orders = 'one/orders/orders';
const dependencies = 'applications.orders.dependencies';
const files = `${dependencies}.files`;
const of = (source: string) => from(services, source);
const operator = perhaps(/azureserviceoperator|one-aso|two-aso/);
const anything = perhaps(/./);
const database = {
  name: 'db',
  postgresql: { name: 'pg-shop', database: 'orders', allowedIpRanges: ['203.0.113.0/24'] },
};
const withDatabase = from(add(dependencies, database)(services), sources.database);

/** Services that applications depend on, how they connect to them, and who provisions them. */
export const dependencyChanges: readonly Change[] = [
  of(sources.storageRoles)(
    'a further kind of data of a storage account',
    set(`${files}.storageAccount.data`, ['blobs', 'queues']),
    gained(orders, /^Storage Queue Data Contributor on .*stshoporders/),
    operator,
  ),
  of(sources.storageRoles)(
    'another kind of data of a storage account',
    set(`${files}.storageAccount.data`, ['tables']),
    gained(orders, /^Storage Table Data Contributor on .*stshoporders/),
    less(orders, /^Storage Blob Data Contributor on .*stshoporders/),
  ),
  of(sources.storageRoles)(
    'a storage account',
    add(dependencies, { name: 'archive', storageAccount: { name: 'stshoparchive', data: ['blobs'] } }),
    gained(orders, /^Storage Blob Data Contributor on .*stshoparchive/),
    operator,
  ),
  of(sources.storageRoles)(
    'another storage account in place of one',
    set(`${files}.storageAccount.name`, 'stshopothers'),
    gained(orders, /^Storage Blob Data Contributor on .*stshopothers/),
    operator,
  ),
  of(sources.storageKeys)(
    'the keys of a storage account in a Kubernetes secret, in place of roles',
    set(files, { name: 'files', storageAccount: { name: 'stshoporders' }, connection: 'secret' }),
    loud(/orders/),
    anything,
  ),
  of(sources.storageKeys)(
    'the keys of a storage account in the vault, in place of roles',
    set(files, { name: 'files', storageAccount: { name: 'stshoporders' }, connection: 'vault' }),
    gained(orders, 'kv-shop/orders-files'),
    gained(/^one\/connection-writer\//, /./),
    anything,
  ),
  from(
    set(files, { name: 'files', storageAccount: { name: 'stshoporders' }, connection: 'vault' })(services),
    sources.storageKeys,
  )(
    'the keys of a storage account in another vault of the stack',
    all(
      set('applications.kiosk.vault', { placement: 'perApplication' }),
      set(`${files}.connectionVault`, 'kv-shop-kiosk'),
    ),
    gained(orders, 'kv-shop-kiosk/orders-files'),
    anything,
  ),
  from(
    all(
      set('applications.reports.vault', { placement: 'perApplication', access: 'accessPolicy' }),
      set('vault.overreach', 'accepted'),
      set(files, { name: 'files', storageAccount: { name: 'stshoporders' }, connection: 'vault' }),
    )(services),
    sources.vaultPolicies,
  )(
    'a connection string in a vault that another application reads by a policy',
    set(`${files}.connectionVault`, 'kv-shop-reports'),
    gained(orders, 'every secret of kv-shop-reports'),
    anything,
  ),
  of(sources.storageKeys)(
    'a connection string in the vault, which an application that shares the identity reads too',
    set('applications.invoices.dependencies', [
      { name: 'cache', redis: { name: 'redis-shop' }, connection: 'vault' },
    ]),
    gained(['one/invoices/invoices', 'one/billing/billing'], 'kv-shop/invoices-cache'),
    gained(/^one\/connection-writer\//, /./),
    anything,
  ),
  of(sources.serviceBus)(
    'a namespace of Service Bus',
    add(dependencies, { name: 'bus', serviceBus: { name: 'sb-shop-orders', queues: ['jobs'] } }),
    gained(orders, /^Azure Service Bus Data Sender on .*sb-shop-orders/),
    gained(orders, /^Azure Service Bus Data Receiver on .*sb-shop-orders/),
    operator,
  ),
  of(sources.serviceBus)(
    'the keys of a namespace of Service Bus in a Kubernetes secret',
    add(dependencies, {
      name: 'bus',
      serviceBus: { name: 'sb-shop-orders', queues: ['jobs'] },
      connection: 'secret',
    }),
    loud(/orders/),
    operator,
  ),
  of(sources.database)(
    'a database, whose server the application administers',
    add(dependencies, database),
    gained(orders, /pg-shop/),
    operator,
    perhaps(/pg-shop/),
  ),
  withDatabase(
    'a wider range that reaches a database',
    set(`${dependencies}.db.postgresql.allowedIpRanges`, ['0.0.0.0/0']),
    loud(/0\.0\.0\.0|pg-shop/),
  ),
  withDatabase(
    'a further range that reaches a database',
    add(`${dependencies}.db.postgresql.allowedIpRanges`, '198.51.100.0/24'),
    loud(/198\.51\.100|pg-shop/),
  ),
  of(sources.roles)(
    'a cache, which the application reads and writes',
    add(dependencies, { name: 'cache', redis: { name: 'redis-shop' } }),
    gained(orders, /redis-shop/),
    operator,
  ),
  of(sources.vaultRoles)(
    'a vault in which the application reads and writes',
    add(dependencies, { name: 'own', vault: { name: 'kv-orders-own' } }),
    gained(orders, /kv-orders-own/),
    operator,
  ),
  of(sources.sharing)(
    'a further identity, to which others may have granted access',
    add(dependencies, { name: 'second', identity: { name: 'id-second' } }),
    loud(/id-second/),
    operator,
  ),
  from(add(dependencies, { name: 'second', identity: { name: 'id-second' } })(services), sources.sharing)(
    'another further identity',
    set(`${dependencies}.second.identity.name`, 'id-third'),
    loud(/id-third/),
    operator,
  ),
  of(sources.operatorResources)(
    'a custom resource of the operator that assigns a role',
    add(dependencies, {
      name: 'right',
      resource: {
        apiVersion: 'authorization.azure.com/v1api20220401',
        kind: 'RoleAssignment',
        spec: { principalId: 'x', roleDefinitionReference: { wellKnownName: 'Owner' } },
      },
    }),
    loud(/right|RoleAssignment/),
    operator,
  ),
  from(
    add(dependencies, {
      name: 'thing',
      resource: {
        apiVersion: 'search.azure.com/v1api20220901',
        kind: 'SearchService',
        spec: { disableLocalAuth: true },
      },
    })(services),
    sources.operatorResources,
  )(
    'another specification of a custom resource, which only its service understands',
    set(`${dependencies}.thing.resource.spec`, { disableLocalAuth: false }),
    loud(/thing|SearchService/),
  ),
  of(sources.operator)(
    'a service of another kind, for which the operator gets a role on the group of the services',
    all(
      add('applications.reports.dependencies', {
        name: 'bus',
        serviceBus: { name: 'sb-shop-reports', queues: ['jobs'] },
      }),
    ),
    gained('two/reports/reports', /^Azure Service Bus Data Sender on .*sb-shop-reports/),
    gained('two/reports/reports', /^Azure Service Bus Data Receiver on .*sb-shop-reports/),
    loud(/two\/azureserviceoperator-system|two-aso/),
  ),
  of(sources.operator)(
    'services in a resource group that others own, of which the operator may change what is there',
    set('services', {
      resourceGroup: {
        existing: '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-others',
      },
    }),
    loud(/azureserviceoperator|-aso/),
    anything,
  ),
  from(set('applications.orders.provisioning', 'application')(services), sources.operator)(
    'the operator provisions as itself what it did as an identity for the application only',
    remove('applications.orders.provisioning'),
    anything,
  ),
  from(shop, sources.operator)(
    'the operator, with an identity on each cluster',
    all(remove('certManager'), remove('serviceOperator')),
    perhaps(/aso|azureserviceoperator|serviceOperator|certManager|cert-manager/),
  ),
  of(sources.trust)(
    'a further service account of an application with a dependency',
    set('applications.orders.serviceAccounts', ['job']),
    gained('one/orders/job', ['kv-shop/orders-db', /^Storage Blob Data Contributor on .*stshoporders/]),
  ),
  of(sources.trust)(
    'a further cluster of an application with a dependency',
    set('applications.orders.clusters', ['one', 'two']),
    gained('two/orders/orders', ['kv-shop/orders-db', /^Storage Blob Data Contributor on .*stshoporders/]),
    operator,
  ),
  of(sources.storageRoles)(
    'a dependency less',
    remove(dependencies),
    less(orders, /^Storage Blob Data Contributor on .*stshoporders/),
  ),
  of(sources.nothing)(
    'the other key of a dependency',
    set('applications.reports.dependencies.files.key', 'secondary'),
  ),
  of(sources.nothing)(
    'another replication of a storage account',
    set(`${files}.storageAccount.sku`, 'Standard_ZRS'),
  ),
  of(sources.nothing)('a dependency that is deleted with its line', set(`${files}.retainOnDelete`, false)),
  of(sources.nothing)(
    'services that are deleted with their lines',
    set('services', { retainOnDelete: false }),
  ),
  of(sources.nothing)(
    'another interval of what writes connection strings',
    set('connections', { intervalSeconds: 30 }),
  ),
  of(sources.nothing)('the default connection by its name', set(`${files}.connection`, 'identity')),
  withDatabase('more storage of a database', set(`${dependencies}.db.postgresql.storageGb`, 64)),
  withDatabase('a newer version of a database', set(`${dependencies}.db.postgresql.version`, '17')),
  withDatabase('no address reaches a database', remove(`${dependencies}.db.postgresql.allowedIpRanges`)),
];
