import {
  container,
  grouped,
  hosted,
  identityId,
  image,
  operators,
  podIdentity,
  reused,
  services,
  shop,
  stored,
  windows,
  withRoles,
} from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, reverse, set } from '../edit';
import { gained, maybeGained, less, loud, lost, narrowed, perhaps, role, widened } from '../expected';
import { sources } from '../sources';

const apart = set('vaults', 'perApplication')(shop);
const vaults = from(
  all(
    set('applications.orders.vault', { placement: 'perApplication', name: 'kv-a' }),
    set('applications.reports.vault', { placement: 'perApplication', name: 'kv-b' }),
    set('applications.orders.secrets', ['db']),
    set('applications.reports.secrets', ['db']),
  )(shop),
  sources.vaultRoles,
);
const identities = from(
  set('applications.kiosk.identity', { existing: { edge: identityId('id-kiosk') } })(reused),
  sources.sharing,
);
const unplaced = remove('accessWindows')(windows);
const warehouse = 'kv-shop/warehouse';
const reports = 'two/reports/reports';
const window = 'applications.reports.accessWindows';

/** The same names for something else, two changes that hide each other, and what follows from what is elsewhere. */
export const roundaboutChanges: readonly Change[] = [
  vaults(
    'two vaults exchange their names',
    all(set('applications.orders.vault.name', 'kv-b'), set('applications.reports.vault.name', 'kv-a')),
    gained('one/orders/orders', 'kv-b/db'),
    gained(reports, 'kv-a/db'),
    lost('one/orders/orders', 'kv-a/db'),
  ),
  identities(
    'two existing identities are exchanged',
    all(
      set('applications.reports.identity.existing.two', identityId('id-kiosk')),
      set('applications.kiosk.identity.existing.edge', identityId('id-reports')),
    ),
    maybeGained(/others that sign in as .*id-kiosk/, 'kv-shop/reports-db'),
    maybeGained(/others that sign in as .*id-reports/, 'kv-kiosk/kiosk-db'),
    perhaps(/id-kiosk|id-reports/, 'not judged'),
  ),
  from(shop, sources.considerations)(
    'another application under the same service account, with a further secret',
    all(
      remove('applications.kiosk'),
      add('applications', {
        ...{
          name: 'mail',
          image,
          clusters: ['edge'],
          identity: 'application',
          secrets: ['kiosk-db', 'smtp'],
        },
        ...{ namespace: 'kiosk', serviceAccount: 'kiosk' },
      }),
    ),
    gained('edge/kiosk/kiosk', 'kv-shop/smtp'),
  ),
  from(shop, sources.considerations)(
    'another application under the same service account, with other secrets',
    all(
      remove('applications.kiosk'),
      add('applications', {
        ...{ name: 'mail', image, clusters: ['edge'], identity: 'application', secrets: ['smtp'] },
        ...{ namespace: 'kiosk', serviceAccount: 'kiosk' },
      }),
    ),
    gained('edge/kiosk/kiosk', 'kv-shop/smtp'),
    lost('edge/kiosk/kiosk', 'kv-shop/kiosk-db'),
  ),
  from(shop, sources.sharing)(
    'one application leaves a shared identity and another comes',
    all(set('applications.billing.identity', 'application'), set('applications.orders.identity', 'cluster')),
    gained('one/orders/orders', 'kv-shop/invoices-db'),
    gained('one/invoices/invoices', 'kv-shop/orders-db'),
    less('one/billing/billing', 'kv-shop/invoices-db'),
  ),
  from(grouped, sources.groups)(
    'another name of a group that is made',
    all(set('groups.readers.name', 'viewers'), set('applications.orders.groups', ['viewers'])),
  ),
  from(add('groups', { name: 'viewers', secrets: [] })(grouped), sources.groups)(
    'a secret that moves to another group of the same application',
    all(
      set('groups.readers.secrets', []),
      set('groups.viewers.secrets', ['shared-key']),
      set('applications.orders.groups', ['readers', 'viewers']),
    ),
    perhaps(/members of group .*viewers/),
  ),
  from(grouped, sources.groups)(
    'a secret that moves to a group of another application',
    all(
      add('groups', { name: 'viewers', secrets: ['shared-key'] }),
      set('groups.readers.secrets', []),
      set('applications.kiosk.groups', ['viewers']),
    ),
    gained('edge/kiosk/kiosk', 'kv-shop/shared-key'),
    less('one/orders/orders', 'kv-shop/shared-key'),
    perhaps(/members of group .*viewers/),
  ),
  from(withRoles, sources.groups)(
    'a role of its own in place of that of a group',
    all(
      remove('applications.reports.groups'),
      set('applications.reports.roles', (withRoles['groups'] as { roles: object[] }[])[0]?.roles),
    ),
    perhaps(/two\/reports\/reports/, 'replaced'),
  ),
  from(withRoles, sources.roles)(
    'a role of an application that another has from now on',
    all(
      remove('applications.orders.roles'),
      set('applications.kiosk.roles', [{ role: 'Storage Blob Data Reader', scope: container }]),
    ),
    gained('edge/kiosk/kiosk', role('Storage Blob Data Reader', container)),
    less('one/orders/orders', role('Storage Blob Data Reader', container)),
  ),
  from(apart, sources.vaultRoles)(
    'the central vault for one application',
    set('applications.orders.vault', { placement: 'central' }),
    gained('one/orders/orders', 'kv-shop/orders-db'),
    lost('one/orders/orders', 'kv-shop-orders/orders-db'),
  ),
  from(apart, sources.vaultPolicies)(
    'access policies in the vaults of all applications',
    set('vault.access', 'accessPolicy'),
    gained('one/orders/orders', 'every secret of kv-shop-orders'),
    gained(
      ['one/invoices/invoices', 'one/billing/billing'],
      ['every secret of kv-shop-invoices', 'every secret of kv-shop-billing'],
    ),
    gained(reports, 'every secret of kv-shop-reports'),
    gained('edge/kiosk/kiosk', 'every secret of kv-shop-kiosk'),
    perhaps(/kv-shop/, 'not judged'),
  ),
  from(podIdentity, sources.podIdentityBinding)(
    'aad-pod-identity for an application that shares its identity',
    set('applications.invoices.signIn', 'both'),
    gained(/(^|\/)pods of invoices labelled aadpodidbinding: invoices$/, [
      'kv-shop/invoices-db',
      'kv-shop/billing-db',
    ]),
    perhaps(/node|Managed Identity Operator/i),
  ),
  from(podIdentity, sources.sharing)(
    'pods with a label come to share the identity of the cluster',
    remove('applications.orders.identity'),
    gained(/(^|\/)pods of orders labelled aadpodidbinding: orders$/, [
      'kv-shop/invoices-db',
      'kv-shop/billing-db',
    ]),
    gained(['one/invoices/invoices', 'one/billing/billing'], 'kv-shop/orders-db'),
    perhaps(/node|Managed Identity Operator/i),
  ),
  from(unplaced, sources.conditions)(
    'what opens windows on another cluster, which is the first from now on',
    reverse('clusters'),
    loud(/edge\/access-windows/),
  ),
  from(unplaced, sources.conditions)(
    'what opens windows on another cluster, since the first is revoked',
    set('revoked', { clusters: { one: 'INC-1' } }),
    loud(/two\/access-windows/),
    less('one/orders/orders', 'kv-shop/orders-db'),
  ),
  from(windows, sources.conditions)(
    'the image of what opens windows, from another registry',
    set('accessWindows.image', 'registry.example/node:22'),
    loud(/access-?windows/i),
  ),
  from(services, sources.storageKeys)(
    'the image of what writes connection strings, from another registry',
    set('connections', { image: 'registry.example/node:22' }),
    loud(/connection/),
  ),
  from(
    set('applications', [
      {
        ...{ name: 'orders', image, clusters: ['management'], secrets: ['orders-db'] },
        identity: { existing: { management: identityId('id-orders') } },
      },
    ])(hosted),
    sources.hostedReader,
  )(
    'the identity of an application as what reads the credentials of all components',
    set('hostedClusters.hc1.reader', { existing: identityId('id-orders') }),
    gained('management/orders/orders', /^kv-wi-hypershift\/ingress-hc1-json$/),
    gained('management/orders/orders', /^kv-wi-hypershift\/.*-hc1-json$/),
    loud(/others that sign in as .*id-orders/),
    perhaps(/hc1|id-orders/),
  ),
  from(grouped, sources.administrators)(
    'a group in which an application is, as administrators of a cluster',
    set('clusters.one.administratorGroups', [operators]),
    loud(/33333333|platform|administratorGroups/),
    perhaps(/two\/reports\/reports/),
  ),
  from(set('clusters.one.administratorGroups', [operators])(shop), sources.administrators)(
    'an application in the group that administers a cluster',
    all(
      set('groups', [{ name: 'platform', existing: operators }]),
      set('applications.reports.groups', ['platform']),
    ),
    loud(/33333333|platform/),
  ),
  from(services, sources.operator)(
    'an identity that provisions for one application only',
    set('applications.orders.provisioning', 'application'),
    perhaps(/aso|azureserviceoperator|stshoporders/),
  ),
  from(services, sources.operator)(
    'an operator that others installed, with rights of its own',
    set('serviceOperator', { install: false }),
    perhaps(/aso|azureserviceoperator|serviceOperator/),
  ),
  from(shop, sources.webhook)(
    'a webhook that others installed',
    set('workloadIdentityWebhook', { install: false }),
    perhaps(/webhook/i, 'not judged'),
  ),
  from(shop, sources.csi)(
    'secrets as files, which are mounted into the pods',
    set('applications.invoices.delivery', 'files'),
    perhaps(/invoices/, ['widened', 'not judged']),
  ),
  from(reused, sources.vaultRoles)(
    'a value of a secret in a vault that others own',
    set('secretValues', { 'kiosk-db': 'value' }),
    perhaps(/kv-kiosk/, 'not judged'),
  ),
  from(podIdentity, sources.podIdentityNodes)(
    'an installation of aad-pod-identity that others own',
    set('clusters.one.podIdentity', { install: false }),
    perhaps(/podIdentity|node/i, 'not judged'),
  ),
  from(windows, sources.conditions)(
    'a window in a time zone in which it ends an hour later',
    set(`${window}.1.timeZone`, 'UTC'),
    widened(reports, 'kv-shop/migration'),
  ),
  from(all(set(`${window}.0.from`, '22:00'), set(`${window}.0.to`, '24:00'))(windows), sources.conditions)(
    'the end of the day by its other name',
    set(`${window}.0.to`, '00:00'),
  ),
  from(
    all(
      set(`${window}.0.from`, '22:00'),
      set(`${window}.0.to`, '02:00'),
      set(`${window}.0.days`, ['Monday']),
    )(windows),
    sources.conditions,
  )(
    'a window that passes midnight, in two parts',
    all(
      set(`${window}.0.to`, '24:00'),
      add(window, {
        secrets: ['warehouse'],
        days: ['Tuesday'],
        from: '00:00',
        to: '02:00',
        timeZone: 'Europe/Berlin',
      }),
    ),
  ),
  from(
    all(
      set(`${window}.0.from`, '22:00'),
      set(`${window}.0.to`, '02:00'),
      set(`${window}.0.days`, ['Monday']),
    )(windows),
    sources.conditions,
  )(
    'a window that passed midnight, and ends before it on two days',
    all(set(`${window}.0.to`, '23:00'), set(`${window}.0.days`, ['Monday', 'Tuesday'])),
    widened(reports, warehouse),
  ),
  from(add(window, { secrets: ['warehouse'], onDemand: '1h' })(windows), sources.conditions)(
    'one of two windows for a secret less',
    remove(`${window}.4`),
    narrowed(reports, warehouse),
  ),
  from(
    add(window, { secrets: ['warehouse'], from: '12:00', to: '13:00', timeZone: 'Europe/Berlin' })(windows),
    sources.conditions,
  )(
    'two windows of a secret exchange their times, one of them on every day',
    all(
      set(`${window}.4.from`, '01:00'),
      set(`${window}.4.to`, '03:00'),
      set(`${window}.0.from`, '12:00'),
      set(`${window}.0.to`, '13:00'),
    ),
    widened(reports, warehouse),
  ),
  from(set('revoked', { applications: { orders: 'INC-1' } })(shop), sources.nothing)(
    'another reason of what is revoked',
    set('revoked.applications.orders', 'INC-2, not over yet'),
  ),
  from(set('revoked', { identities: { 'id-test-one-orders': 'INC-1' } })(shop), sources.nothing)(
    'the application revoked in place of its only identity',
    set('revoked', { applications: { orders: 'INC-1' } }),
  ),
  from(set('revoked', { identities: { 'id-test-one-orders': 'INC-1' } })(shop), sources.rotation)(
    'another generation in place of a revoked identity',
    set('applications.orders.identityGenerations', [1, 2]),
    perhaps(/one\/orders\/orders/),
  ),
  from(set('revoked', { identities: { 'id-test-one': 'INC-1' } })(shop), sources.sharing)(
    'an identity of its own in place of a revoked one',
    set('applications.invoices.identity', 'application'),
    gained('one/invoices/invoices', 'kv-shop/invoices-db'),
  ),
  from(set('revoked', { applications: { orders: 'INC-1' } })(stored), sources.appCredentials)(
    'a stored credential of a revoked application that is put back',
    remove('revoked'),
    gained(/stored credential of .*orders/, 'kv-shop/orders-db'),
    perhaps(/orders/),
  ),
  from(hosted, sources.hostedSpec)(
    'another release of a hosted cluster',
    set('hostedClusters.hc1.spec.release.image', 'quay.io/openshift-release-dev/ocp-release:4.20.1-x86_64'),
    perhaps(/hc1|HostedCluster/, 'not judged'),
  ),
  from(hosted, sources.nothing)(
    'who makes the SecretProviderClasses of a hosted cluster',
    set('hostedClusters.hc1.secretProviderClasses', 'stack'),
    perhaps(/hc1/, 'not judged'),
  ),
];
