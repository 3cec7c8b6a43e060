import { charted, released, reused, services, shop, vaultId } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { gained, less, loud, lost, perhaps } from '../expected';
import { sources } from '../sources';

const places = from(shop, sources.places);
const others = '/subscriptions/66666666-6666-4666-8666-666666666666/resourceGroups/rg-others';
const shared = ['kv-shop/invoices-db', 'kv-shop/billing-db'];
const revoked = (what: string, name: string, base = shop) =>
  from(set(`revoked`, { [what]: { [name]: 'INC-1' } })(base), sources.trust);
const release = 'applications.orders.release';
const files = './tests/engine/accessChanges/files';
const versions = from(released, sources.vaultRoles);
const excepted = {
  policy: 'no-public-vault',
  resource: 'kv-shop',
  reason: 'The office has no private network yet.',
  until: '2027-03-31',
};

/** Other places, what is put back, releases, and what is let through. */
export const placeChanges: readonly Change[] = [
  places(
    'everything in a resource group of another subscription, which others own',
    set('resourceGroup', { existing: others }),
    loud(/rg-others|66666666|resourceGroup/),
    perhaps(/./),
  ),
  from(set('resourceGroup', { existing: `${others}-1` })(shop), sources.places)(
    'everything in another resource group that others own',
    set('resourceGroup.existing', `${others}-2`),
    loud(/rg-others-2|resourceGroup/),
    perhaps(/./),
  ),
  places('everything in another resource group that is made', set('resourceGroup', 'rg-other'), perhaps(/./)),
  from(reused, sources.places)(
    'the vault of the same name in another resource group',
    set('applications.kiosk.vault.existing', vaultId('kv-kiosk', 'rg-others')),
    perhaps(/kv-kiosk/),
  ),
  revoked('applications', 'orders')(
    'a revoked application that is put back',
    remove('revoked'),
    gained('one/orders/orders', 'kv-shop/orders-db'),
  ),
  revoked('applications', 'invoices')(
    'a revoked application that is put back to those that share its identity',
    remove('revoked'),
    gained('one/invoices/invoices', shared),
    gained('one/billing/billing', 'kv-shop/invoices-db'),
  ),
  revoked('clusters', 'one')(
    'a revoked cluster that is put back',
    remove('revoked'),
    gained('one/orders/orders', 'kv-shop/orders-db'),
    gained(['one/invoices/invoices', 'one/billing/billing'], shared),
  ),
  revoked('identities', 'id-test-one')(
    'a revoked identity that is put back',
    remove('revoked'),
    gained(['one/invoices/invoices', 'one/billing/billing'], shared),
  ),
  revoked('clusters', 'one', services)(
    'a revoked cluster that is put back with its operator',
    remove('revoked'),
    gained('one/orders/orders', ['kv-shop/orders-db', /^Storage Blob Data Contributor on .*stshoporders/]),
    gained(['one/invoices/invoices', 'one/billing/billing'], shared),
    loud(/azureserviceoperator|-aso/),
    perhaps(/azureserviceoperator|-aso/),
  ),
  from(set('revoked', { applications: { orders: 'INC-1', reports: 'INC-2' } })(shop), sources.trust)(
    'one of two revoked applications that is put back',
    remove('revoked.applications.reports'),
    gained('two/reports/reports', 'kv-shop/reports-db'),
  ),
  from(set('revoked', { clusters: { one: 'INC-1' } })(shop), sources.trust)(
    'a revoked cluster that is put back, and one of its applications revoked in its place',
    set('revoked', { applications: { orders: 'INC-1' } }),
    gained(['one/invoices/invoices', 'one/billing/billing'], shared),
  ),
  from(set('revoked', { applications: { orders: 'INC-1' } })(shop), sources.nothing)(
    'a further secret of a revoked application',
    add('applications.orders.secrets', 'payment'),
  ),
  from(shop, sources.nothing)(
    'an application is revoked',
    set('revoked', { applications: { orders: 'INC-1' } }),
    less('one/orders/orders', 'kv-shop/orders-db'),
  ),
  from(shop, sources.nothing)(
    'an application that shares its identity is revoked',
    set('revoked', { applications: { invoices: 'INC-1' } }),
    less('one/invoices/invoices', shared),
    less('one/billing/billing', 'kv-shop/invoices-db'),
  ),
  from(shop, sources.nothing)(
    'a cluster is revoked',
    set('revoked', { clusters: { two: 'INC-1' } }),
    less('two/reports/reports', 'kv-shop/reports-db'),
  ),
  versions(
    'another release with a further secret',
    set(release, `${files}/orders-promoted.yaml`),
    gained('one/orders/orders', 'kv-shop/invoices-db'),
    loud(/image/),
  ),
  versions(
    'settings in the stack file in place of a release, with a further secret',
    all(
      remove(release),
      set('applications.orders.image', 'ghcr.io/aks-workload-identity/reader:0.1.0'),
      set('applications.orders.secrets', ['orders-db', 'payment']),
    ),
    gained('one/orders/orders', 'kv-shop/payment'),
  ),
  versions('a release with a chart', set(release, `${files}/orders-chart.yaml`), loud(/orders/)),
  versions('a release with another image', set(release, `${files}/orders-image.yaml`), loud(/image/)),
  versions(
    'the same settings in the stack file in place of a release',
    all(
      remove(release),
      set('applications.orders.image', 'ghcr.io/aks-workload-identity/reader:0.1.0'),
      set('applications.orders.secrets', ['orders-db']),
    ),
  ),
  from(released, sources.vaultRoles, 'next')(
    'a further service account of the release of another environment',
    set('applications.orders.serviceAccounts', ['job']),
    gained('one/orders/job', ['kv-shop/orders-db', 'kv-shop/invoices-db']),
  ),
  places(
    'an exception from a policy',
    set('policies', { exceptions: [excepted] }),
    perhaps(/polic|kv-shop/, 'not judged'),
  ),
  places('policies that only report', set('policies', { level: 'advisory' }), perhaps(/polic/, 'not judged')),
  places(
    'an environment that is not for production',
    set('policies', { production: false }),
    perhaps(/polic/, 'not judged'),
  ),
  places(
    'overreach accepted where nothing has access policies',
    set('vault.overreach', 'accepted'),
    perhaps(/overreach/, 'not judged'),
  ),
  places(
    'much at once: a secret, a service account, and a cluster',
    all(
      add('applications.reports.secrets', 'payment'),
      set('applications.orders.serviceAccounts', ['job']),
      set('applications.kiosk.clusters', ['edge', 'two']),
    ),
    gained('two/reports/reports', 'kv-shop/payment'),
    gained('one/orders/job', 'kv-shop/orders-db'),
    gained('two/kiosk/kiosk', 'kv-shop/kiosk-db'),
  ),
  places(
    'a secret less and a secret more, of two applications',
    all(set('applications.orders.secrets', []), add('applications.kiosk.secrets', 'reports-db')),
    gained('edge/kiosk/kiosk', 'kv-shop/reports-db'),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  from(charted, sources.charts)(
    'a secret of a chart',
    add('applications.archive.secrets', 'payment'),
    gained('two/archive/archive', 'kv-shop/payment'),
    perhaps(/archive/, 'not judged'),
  ),
];
