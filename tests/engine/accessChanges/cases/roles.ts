import { clusterId, container, idOf, identityId, policed, shop, storage, vaultId, withRoles } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { gained, maybeGained, less, perhaps, role } from '../expected';
import { sources } from '../sources';

const roles = from(withRoles, sources.roles);
const scopes = from(withRoles, sources.scopes);
const first = from(shop, sources.roles);
const orders = 'one/orders/orders';
const group = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-data';
const subscription = '/subscriptions/22222222-2222-4222-8222-222222222222';
const tenant = '/providers/Microsoft.Management/managementGroups/everything';
const unknown = '99999999-9999-4999-8999-999999999999';
const wide = { scopeWiderThanResource: 'accepted' };

const gives = (name: string, scope: string, wideScope = false): Change =>
  (wideScope ? scopes : roles)(
    `the role ${name} on ${scope.split('/').slice(-2).join('/')}`,
    add('applications.orders.roles', { role: name, scope, ...(wideScope && wide) }),
    gained(orders, role(name, scope)),
  );

/** Roles on anything in Azure. */
export const roleChanges: readonly Change[] = [
  gives('Storage Blob Data Owner', container),
  gives('Storage Account Contributor', storage),
  gives('Reader', group, true),
  gives('Contributor', group, true),
  gives('Reader', subscription, true),
  gives('Reader', tenant, true),
  gives('Managed Identity Contributor', identityId('id-one')),
  gives('Managed Identity Operator', identityId('id-one')),
  gives('Azure Kubernetes Service Cluster Admin Role', clusterId('aks-one')),
  gives('Virtual Machine Contributor', group, true),
  first(
    'the first role of an application',
    set('applications.orders.roles', [{ role: 'Storage Blob Data Reader', scope: container }]),
    gained(orders, role('Storage Blob Data Reader', container)),
  ),
  first(
    'a role of an application that shares its identity',
    set('applications.invoices.roles', [{ role: 'Storage Blob Data Reader', scope: container }]),
    gained(['one/invoices/invoices', 'one/billing/billing'], role('Storage Blob Data Reader', container)),
  ),
  roles(
    'a role with more in place of one',
    set('applications.orders.roles.0.role', 'Storage Blob Data Owner'),
    gained(orders, role('Storage Blob Data Owner', container)),
  ),
  scopes(
    'the same role on the account in place of the container',
    set('applications.orders.roles.0.scope', storage),
    gained(orders, role('Storage Blob Data Reader', storage)),
  ),
  scopes(
    'the same role on the same resource of another subscription',
    set('applications.orders.roles.0.scope', container.replace(/2{8}/, '77777777')),
    gained(orders, role('Storage Blob Data Reader', container.replace(/2{8}/, '77777777'))),
  ),
  scopes(
    'the same role on the resource group',
    set('applications.orders.roles.0', { role: 'Storage Blob Data Reader', scope: group, ...wide }),
    gained(orders, role('Storage Blob Data Reader', group)),
  ),
  from(withRoles, sources.customRoles)(
    'a role by an id that nobody knows',
    add('applications.orders.roles', { role: unknown, scope: storage }),
    maybeGained(orders, role(unknown, storage)),
    perhaps(new RegExp(unknown), 'not judged'),
  ),
  from(withRoles, sources.customRoles)(
    'a custom role in place of a built-in one',
    set(
      'applications.orders.roles.0.role',
      `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${unknown}`,
    ),
    maybeGained(orders, new RegExp(`${unknown}.* on `)),
    perhaps(new RegExp(unknown), 'not judged'),
  ),
  from(withRoles, sources.groups)(
    'a role of a group',
    add('groups.queues.roles', { role: 'Storage Blob Data Reader', scope: storage }),
    gained('two/reports/reports', role('Storage Blob Data Reader', storage)),
    perhaps(/members of group .*queues/),
  ),
  from(withRoles, sources.groups)(
    'an application in a group with a role',
    set('applications.orders.groups', ['queues']),
    gained(orders, role('Storage Queue Data Reader', storage)),
  ),
  from(policed, sources.vaultContributor)(
    'a role that writes a vault with access policies, and so can open it',
    set('applications.orders.roles', [
      { role: 'Key Vault Contributor', scope: vaultId('kv-shop-reports', 'rg-shop') },
    ]),
    gained(orders, role('Key Vault Contributor', vaultId('kv-shop-reports', 'rg-shop'))),
    perhaps(/kv-shop-reports/),
  ),
  first(
    'a role that reads the logs of all vaults',
    set('applications.orders.roles', [
      {
        role: 'Log Analytics Reader',
        scope: idOf('rg-logs', 'Microsoft.OperationalInsights/workspaces/log'),
      },
    ]),
    gained(
      orders,
      role('Log Analytics Reader', idOf('rg-logs', 'Microsoft.OperationalInsights/workspaces/log')),
    ),
  ),
  from(withRoles, sources.trust)(
    'a further service account of an application with a role',
    set('applications.orders.serviceAccounts', ['job']),
    gained('one/orders/job', ['kv-shop/orders-db', role('Storage Blob Data Reader', container)]),
  ),
  from(withRoles, sources.sharing)(
    'an application with a role comes to share its identity',
    remove('applications.orders.identity'),
    gained(
      ['one/invoices/invoices', 'one/billing/billing'],
      ['kv-shop/orders-db', role('Storage Blob Data Reader', container)],
    ),
    gained(orders, ['kv-shop/invoices-db', 'kv-shop/billing-db']),
  ),
  from(withRoles, sources.trust)(
    'a further cluster of an application with a role',
    set('applications.orders.clusters', ['one', 'two']),
    gained('two/orders/orders', ['kv-shop/orders-db', role('Storage Blob Data Reader', container)]),
  ),
  roles(
    'a role less',
    remove('applications.orders.roles'),
    less(orders, role('Storage Blob Data Reader', container)),
  ),
  scopes(
    'a role on the container in place of the account',
    all(set('groups.queues.roles.0.scope', `${storage}/queueServices/default/queues/jobs`)),
    // It is another scope. That it is within the first one may be reported or not.
    perhaps(/queueServices/),
    less('two/reports/reports', role('Storage Queue Data Reader', storage)),
  ),
];
