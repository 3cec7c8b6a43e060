import { image, shop } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { gained, loud, loudly, lost, perhaps } from '../expected';
import { sources } from '../sources';

const trust = from(shop, sources.trust);
const considered = from(shop, sources.considerations);
const namespaces = from(shop, sources.namespaces);
const audience = from(shop, sources.audience);
const chosen = from(set('applications.orders.clusters', { labels: { tier: 'front' } })(shop), sources.trust);
const everywhere = from(remove('applications.orders.clusters')(shop), sources.trust);

/** The secrets that applications on cluster one share, since they share its identity. */
const shared = ['kv-shop/invoices-db', 'kv-shop/billing-db'];

const bound = from(set('applications.orders.trust', 'identityBinding')(shop), sources.identityBindings);

/** Whom the identities trust: service accounts, their namespaces, their clusters, and the audience of their tokens. */
export const trustChanges: readonly Change[] = [
  trust(
    'a further service account',
    set('applications.orders.serviceAccounts', ['job']),
    gained('one/orders/job', 'kv-shop/orders-db'),
  ),
  trust(
    'a further service account of an application that shares its identity',
    set('applications.invoices.serviceAccounts', ['job']),
    gained('one/invoices/job', shared),
  ),
  trust(
    'two further service accounts',
    set('applications.orders.serviceAccounts', ['job', 'cron']),
    gained(['one/orders/job', 'one/orders/cron'], 'kv-shop/orders-db'),
  ),
  trust(
    'another service account in place of the first',
    set('applications.orders.serviceAccount', 'runner'),
    gained('one/orders/runner', 'kv-shop/orders-db'),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  trust(
    'the further service account becomes the first, and the first is gone',
    all(set('applications.orders.serviceAccount', 'job'), remove('applications.orders.serviceAccounts')),
    gained('one/orders/job', 'kv-shop/orders-db'),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  trust(
    'an identity binding in place of federated credentials',
    set('applications.orders.trust', 'identityBinding'),
    gained('one/orders/orders', 'kv-shop/orders-db', /AKSIdentityBinding/),
    lost('one/orders/orders', 'kv-shop/orders-db'),
    perhaps(/orders/),
  ),
  bound(
    'a further service account of an identity binding',
    set('applications.orders.serviceAccounts', ['job']),
    gained('one/orders/job', 'kv-shop/orders-db'),
  ),
  namespaces(
    'another namespace',
    set('applications.orders.namespace', 'sales'),
    gained('one/sales/orders', 'kv-shop/orders-db'),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  namespaces(
    'a namespace that others own',
    set('applications.orders.namespace', { name: 'sales', existing: true }),
    gained('one/sales/orders', 'kv-shop/orders-db'),
    perhaps(/sales/),
  ),
  namespaces(
    'the same namespace, which others own from now on',
    set('applications.orders.namespace', { name: 'orders', existing: true }),
    perhaps(/orders/, ['widened', 'not judged']),
  ),
  namespaces(
    'a service account that others own in a namespace that others own',
    all(
      set('applications.orders.namespace', { name: 'sales', existing: true }),
      set('applications.orders.serviceAccount', { name: 'checkout', existing: true }),
    ),
    gained('one/sales/checkout', 'kv-shop/orders-db'),
    perhaps(/checkout/),
  ),
  namespaces(
    'the namespace of another application',
    all(
      set('applications.orders.namespace', 'invoices'),
      set('applications.orders.sharedNamespace', 'accepted'),
      set('applications.invoices.sharedNamespace', 'accepted'),
    ),
    gained('one/invoices/orders', 'kv-shop/orders-db'),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  considered(
    'two applications exchange their service accounts',
    all(
      set('applications.orders.namespace', 'invoices'),
      set('applications.orders.serviceAccount', 'invoices'),
      set('applications.invoices.namespace', 'orders'),
      set('applications.invoices.serviceAccount', 'orders'),
    ),
    gained('one/invoices/invoices', 'kv-shop/orders-db'),
    gained('one/orders/orders', shared),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  considered(
    'another name of the application, and so of its service account',
    set('applications.orders.name', 'sales'),
    gained('one/sales/sales', 'kv-shop/orders-db'),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  considered(
    'another name of the application, with its namespace and service account kept',
    all(
      set('applications.orders.namespace', 'orders'),
      set('applications.orders.serviceAccount', 'orders'),
      set('applications.orders.name', 'sales'),
    ),
    perhaps(/one\/orders\/orders/, 'replaced'),
  ),
  trust(
    'a new application with its own identity',
    add('applications', {
      name: 'mail',
      image,
      clusters: ['two'],
      identity: 'application',
      secrets: ['smtp'],
    }),
    gained('two/mail/mail', 'kv-shop/smtp'),
  ),
  trust(
    'a new application that shares the identity of its cluster',
    add('applications', { name: 'mail', image, clusters: ['one'], secrets: ['smtp'] }),
    gained('one/mail/mail', ['kv-shop/smtp', ...shared]),
    gained(['one/invoices/invoices', 'one/billing/billing'], 'kv-shop/smtp'),
  ),
  trust(
    'a new application without secrets that shares the identity of its cluster',
    add('applications', { name: 'mail', image, clusters: ['one'] }),
    gained('one/mail/mail', shared),
  ),
  trust(
    'one more cluster of an application',
    set('applications.orders.clusters', ['one', 'two']),
    gained('two/orders/orders', 'kv-shop/orders-db'),
  ),
  trust(
    'all clusters of an application, since none is named any more',
    remove('applications.orders.clusters'),
    gained(['two/orders/orders', 'edge/orders/orders'], 'kv-shop/orders-db'),
  ),
  trust(
    'another cluster of an application',
    set('applications.orders.clusters', ['two']),
    gained('two/orders/orders', 'kv-shop/orders-db'),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  trust(
    'a cluster of the applications that share an identity',
    set('applications.invoices.clusters', ['one', 'two']),
    gained('two/invoices/invoices', 'kv-shop/invoices-db'),
  ),
  chosen(
    'a label of a cluster by which an application chooses it',
    set('clusters.two.labels.tier', 'front'),
    gained('two/orders/orders', 'kv-shop/orders-db'),
  ),
  chosen(
    'labels of an application that more clusters have',
    set('applications.orders.clusters.labels', {}),
    gained(['two/orders/orders', 'edge/orders/orders'], 'kv-shop/orders-db'),
  ),
  everywhere(
    'a new cluster, on which applications run that name none',
    add('clusters', { name: 'three' }),
    gained('three/orders/orders', 'kv-shop/orders-db'),
  ),
  everywhere(
    'another name of a cluster, which is another cluster',
    all(set('clusters.two.name', 'three'), set('applications.reports.clusters', ['three'])),
    gained('three/orders/orders', 'kv-shop/orders-db'),
    gained('three/reports/reports', 'kv-shop/reports-db'),
    lost('two/orders/orders', 'kv-shop/orders-db'),
  ),
  audience(
    'another audience of the tokens of an application',
    set('applications.orders.audience', 'openshift'),
    loudly(/orders/, 'orders', 'api://AzureADTokenExchange', 'openshift'),
  ),
  audience(
    'the audience of the API server, which every token of a pod has',
    set('applications.orders.audience', 'https://kubernetes.default.svc'),
    loudly(/orders/, 'orders', 'api://AzureADTokenExchange', 'https://kubernetes.default.svc'),
  ),
  audience(
    'another audience of all tokens',
    set('audience', 'openshift'),
    loud(/one\/orders\/orders|audience/),
    loud(/./),
  ),
];
