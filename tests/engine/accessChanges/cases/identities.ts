import { identityId, reused, services, shop } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { gained, maybeGained, less, loud, perhaps, replaced } from '../expected';
import { sources } from '../sources';

const sharing = from(shop, sources.sharing);
const existing = from(reused, sources.sharing);
const rotation = from(shop, sources.rotation);
const sharded = from(set('shard', true)(shop), sources.sharing);
const apart = from(
  all(
    remove('applications.orders.identity'),
    remove('applications.reports.identity'),
    set('identity', 'application'),
  )(shop),
  sources.sharing,
);
const shared = ['kv-shop/invoices-db', 'kv-shop/billing-db'];

/** As which identities applications run, and who shares them. */
export const identityChanges: readonly Change[] = [
  sharing(
    'an application comes to share the identity of its cluster',
    set('applications.orders.identity', 'cluster'),
    gained('one/orders/orders', shared),
    gained(['one/invoices/invoices', 'one/billing/billing'], 'kv-shop/orders-db'),
    perhaps(/one\/orders\/orders/, 'replaced'),
  ),
  sharing(
    'an application has no identity of its own any more',
    remove('applications.orders.identity'),
    gained('one/orders/orders', shared),
    gained(['one/invoices/invoices', 'one/billing/billing'], 'kv-shop/orders-db'),
  ),
  sharing(
    'an identity of its own for an application that shared one',
    set('applications.invoices.identity', 'application'),
    less('one/invoices/invoices', 'kv-shop/billing-db'),
    less('one/billing/billing', 'kv-shop/invoices-db'),
    replaced('one/invoices/invoices', 'kv-shop/invoices-db'),
  ),
  sharing(
    'identities of their own for all applications',
    set('identity', 'application'),
    less('one/invoices/invoices', 'kv-shop/billing-db'),
    less('one/billing/billing', 'kv-shop/invoices-db'),
    replaced('one/invoices/invoices', 'kv-shop/invoices-db'),
  ),
  apart(
    'the identity of the cluster for all applications',
    remove('identity'),
    gained('one/orders/orders', shared),
    gained('one/invoices/invoices', ['kv-shop/orders-db', 'kv-shop/billing-db']),
    gained('one/billing/billing', ['kv-shop/orders-db', 'kv-shop/invoices-db']),
  ),
  sharing(
    'shards apart, where applications shared an identity',
    set('shard', true),
    less('one/invoices/invoices', 'kv-shop/billing-db'),
    less('one/billing/billing', 'kv-shop/invoices-db'),
  ),
  sharded(
    'one identity of the cluster in place of shards',
    remove('shard'),
    gained('one/invoices/invoices', 'kv-shop/billing-db'),
    gained('one/billing/billing', 'kv-shop/invoices-db'),
  ),
  sharing(
    'an existing identity of an application, as which others can sign in',
    set('applications.orders.identity', { existing: { one: identityId('id-orders') } }),
    replaced('one/orders/orders', 'kv-shop/orders-db'),
    maybeGained(/others that sign in as .*id-orders/, 'kv-shop/orders-db'),
    perhaps(/id-orders/, 'not judged'),
  ),
  sharing(
    'an existing identity of a cluster, as which others can sign in',
    set('clusters.one.identity', { existing: identityId('id-one') }),
    maybeGained(/others that sign in as .*id-one/, shared),
    perhaps(/id-one/, 'not judged'),
  ),
  from(remove('applications.orders.secrets')(shop), sources.sharing)(
    'an existing identity of an application without secrets, which others may have granted something',
    set('applications.orders.identity', { existing: { one: identityId('id-orders') } }),
    loud(/id-orders/),
  ),
  from(
    all(
      set('applications.orders.identity', { existing: { one: identityId('id-app', 'rg-a') } }),
      set('applications.reports.identity', { existing: { two: identityId('id-app', 'rg-b') } }),
    )(shop),
    sources.sharing,
  )(
    'a secret of another application, whose identity has the same name in another group',
    set('applications.reports.secrets', ['orders-db', 'reports-db']),
    maybeGained('two/reports/reports', 'kv-shop/orders-db'),
    perhaps(/id-app/),
  ),
  existing(
    'another existing identity of an application',
    set('applications.reports.identity.existing.two', identityId('id-other')),
    maybeGained(/others that sign in as .*id-other/, 'kv-shop/reports-db'),
    perhaps(/id-other/, 'not judged'),
  ),
  existing(
    'the identity of the same name in another resource group',
    set('applications.reports.identity.existing.two', identityId('id-reports', 'rg-others')),
    maybeGained(/others that sign in as .*id-reports/, 'kv-shop/reports-db'),
    perhaps(/id-reports/, 'not judged'),
  ),
  existing(
    'another existing identity of a cluster',
    set('clusters.one.identity.existing', identityId('id-other')),
    maybeGained(/others that sign in as .*id-other/, shared),
    perhaps(/id-other/, 'not judged'),
  ),
  existing(
    'a further secret of an application with an existing identity',
    add('applications.reports.secrets', 'reports-api'),
    gained('two/reports/reports', 'kv-shop/reports-api'),
    maybeGained(/others that sign in as .*id-reports/, 'kv-shop/reports-api'),
  ),
  existing(
    'an application comes to share an existing identity of its cluster',
    set('applications.orders.identity', 'cluster'),
    gained('one/orders/orders', shared),
    gained(['one/invoices/invoices', 'one/billing/billing'], 'kv-shop/orders-db'),
    maybeGained(/others that sign in as .*id-one/, 'kv-shop/orders-db'),
    perhaps(/id-one/, 'not judged'),
  ),
  existing(
    'an identity that is made in place of an existing one',
    set('applications.reports.identity', 'application'),
    replaced('two/reports/reports', 'kv-shop/reports-db'),
    less(/others that sign in as .*id-reports/, 'kv-shop/reports-db'),
  ),
  rotation(
    'a service principal with federation instead of a managed identity',
    set('applications.orders.identity', 'servicePrincipal'),
    replaced('one/orders/orders', 'kv-shop/orders-db'),
    perhaps(/owner|administrator|servicePrincipal|service principal/i),
  ),
  rotation(
    'a second generation of an identity, which the same service accounts use',
    set('applications.orders.identityGenerations', [1, 2]),
    perhaps(/one\/orders\/orders/, 'replaced'),
  ),
  from(set('applications.orders.identityGenerations', [1, 2])(shop), sources.rotation)(
    'the second generation in use',
    set('applications.orders.identityGenerations', [2, 1]),
    perhaps(/one\/orders\/orders/, 'replaced'),
  ),
  rotation(
    'another generation of an identity',
    set('applications.orders.identityGenerations', [2]),
    replaced('one/orders/orders', 'kv-shop/orders-db'),
  ),
  rotation(
    'another generation of the identity of a cluster',
    set('clusters.one.identityGenerations', [2]),
    replaced(['one/invoices/invoices', 'one/billing/billing'], shared),
  ),
  from(services, sources.operator)(
    'an existing identity of the operator, as which others can sign in',
    set('clusters.one.operatorIdentity', { existing: identityId('id-operator') }),
    loud(/id-operator/),
    perhaps(/one\/azureserviceoperator-system/),
  ),
];
