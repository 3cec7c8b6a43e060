import { image, policed, reused, shop, vaultId } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { gained, less, loud, lost, perhaps } from '../expected';
import { sources } from '../sources';

const roles = from(shop, sources.vaultRoles);
const policies = from(shop, sources.vaultPolicies);
const conditions = from(set('vault.grants', 'condition')(shop), sources.nameConditions);
const all5 = [
  'one/orders/orders',
  'one/invoices/invoices',
  'one/billing/billing',
  'two/reports/reports',
  'edge/kiosk/kiosk',
];
const apart = from(set('vaults', 'perApplication')(shop), sources.vaultRoles);
const central = all(set('vault.access', 'accessPolicy'), set('vault.overreach', 'accepted'))(shop);
const centralPolicies = from(
  all(set('applications.orders.secrets', []), set('applications.orders.roles', []))(central),
  sources.vaultPolicies,
);

const old = all(
  set('vault', { existing: vaultId('kv-old'), access: 'accessPolicy', overreach: 'accepted' }),
  set('applications', [
    { name: 'orders', image, clusters: ['one'], identity: 'application', secrets: ['orders-db'] },
    { name: 'mail', image, clusters: ['two'], identity: 'application' },
  ]),
)(shop);

/** Which secrets applications name, and in which vaults these are. */
export const secretChanges: readonly Change[] = [
  roles(
    'a further secret',
    add('applications.orders.secrets', 'payment'),
    gained('one/orders/orders', 'kv-shop/payment'),
  ),
  conditions(
    'a further secret in a condition',
    add('applications.orders.secrets', 'payment'),
    gained('one/orders/orders', 'kv-shop/payment'),
  ),
  roles(
    'a secret of another application',
    add('applications.orders.secrets', 'invoices-db'),
    gained('one/orders/orders', 'kv-shop/invoices-db'),
  ),
  roles(
    'a further secret of an application that shares its identity',
    add('applications.invoices.secrets', 'payment'),
    gained(['one/invoices/invoices', 'one/billing/billing'], 'kv-shop/payment'),
  ),
  roles(
    'another secret in place of one',
    set('applications.orders.secrets', ['payment']),
    gained('one/orders/orders', 'kv-shop/payment'),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  roles(
    'a secret that moves from one application to another',
    all(set('applications.orders.secrets', []), add('applications.reports.secrets', 'orders-db')),
    gained('two/reports/reports', 'kv-shop/orders-db'),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  roles(
    'another name of the vault',
    set('vault.name', 'kv-other'),
    gained('one/orders/orders', 'kv-other/orders-db'),
    gained(['one/invoices/invoices', 'one/billing/billing'], ['kv-other/invoices-db', 'kv-other/billing-db']),
    gained('two/reports/reports', 'kv-other/reports-db'),
    gained('edge/kiosk/kiosk', 'kv-other/kiosk-db'),
  ),
  roles(
    'a vault that others own in place of the one that is made',
    set('vault', { existing: vaultId('kv-others'), access: 'rbac' }),
    gained('one/orders/orders', 'kv-others/orders-db'),
    gained(
      ['one/invoices/invoices', 'one/billing/billing'],
      ['kv-others/invoices-db', 'kv-others/billing-db'],
    ),
    gained('two/reports/reports', 'kv-others/reports-db'),
    gained('edge/kiosk/kiosk', 'kv-others/kiosk-db'),
    perhaps(/kv-others/, 'not judged'),
  ),
  roles(
    'a vault of its own for an application',
    set('applications.orders.vault', { placement: 'perApplication' }),
    gained('one/orders/orders', 'kv-shop-orders/orders-db'),
    lost('one/orders/orders', 'kv-shop/orders-db'),
  ),
  roles(
    'an existing vault for an application',
    set('applications.orders.vault', {
      placement: 'perApplication',
      existing: vaultId('kv-payments'),
      access: 'rbac',
    }),
    gained('one/orders/orders', 'kv-payments/orders-db'),
    perhaps(/kv-payments/, 'not judged'),
  ),
  apart(
    'the central vault in place of one for each application',
    remove('vaults'),
    gained('one/orders/orders', 'kv-shop/orders-db'),
    gained(['one/invoices/invoices', 'one/billing/billing'], ['kv-shop/invoices-db', 'kv-shop/billing-db']),
    gained('two/reports/reports', 'kv-shop/reports-db'),
    gained('edge/kiosk/kiosk', 'kv-shop/kiosk-db'),
  ),
  from(reused, sources.vaultRoles)(
    'another existing vault of an application',
    set('applications.kiosk.vault.existing', vaultId('kv-payments')),
    gained('edge/kiosk/kiosk', 'kv-payments/kiosk-db'),
    perhaps(/kv-payments/, 'not judged'),
  ),
  policies(
    'access policies in the central vault, which cover all of its secrets',
    all(set('vault.access', 'accessPolicy'), set('vault.overreach', 'accepted')),
    gained(all5, 'every secret of kv-shop'),
    perhaps(/kv-shop/, 'not judged'),
  ),
  policies(
    'a vault of its own with access policies',
    set('applications.orders.vault', { placement: 'perApplication', access: 'accessPolicy' }),
    gained('one/orders/orders', 'every secret of kv-shop-orders'),
    perhaps(/kv-shop-orders/, 'not judged'),
  ),
  centralPolicies(
    'the first secret of an application in a vault with access policies',
    set('applications.orders.secrets', ['orders-db']),
    gained('one/orders/orders', 'every secret of kv-shop'),
    // What is put into the vault, the others read as well.
    perhaps(/kv-shop\/orders-db/, 'gained'),
  ),
  from(policed, sources.vaultPolicies)(
    'a further secret in a vault with access policies, all of which the application reads already',
    add('applications.reports.secrets', 'reports-api'),
    perhaps(/two\/reports\/reports\nkv-shop-reports|two\/reports\/reports[\s\S]*reports-api/, [
      'gained',
      'widened',
    ]),
  ),
  from(policed, sources.vaultPolicies)(
    'a further service account that reads a vault by an access policy',
    set('applications.reports.serviceAccounts', ['job']),
    gained('two/reports/job', 'every secret of kv-shop-reports'),
  ),
  from(policed, sources.vaultRoles)(
    'roles in place of access policies',
    set('applications.reports.vault.access', 'rbac'),
    less('two/reports/reports', /kv-shop-reports/),
    // Whoever has a role above the vault reads it from now on.
    loud(/kv-shop-reports[\s\S]*enableRbacAuthorization/),
  ),
  from(shop, sources.csi)(
    'secrets as variables, which are copied into the namespace',
    set('applications.invoices.delivery', 'environment'),
    loud(/invoices/),
    perhaps(/kv-shop\/(invoices|billing)-db/),
  ),
  from(set('applications.invoices.delivery', 'files')(shop), sources.csi)(
    'secrets as variables in place of files',
    set('applications.invoices.delivery', 'environment'),
    loud(/invoices/),
    perhaps(/kv-shop\/(invoices|billing)-db/),
  ),
  from(old, sources.vaultPolicies)(
    'the first secret of an application in an existing vault with access policies',
    set('applications.mail.secrets', ['mail-key']),
    gained('two/mail/mail', 'every secret of kv-old'),
  ),
];
