import {
  charted,
  container,
  grouped,
  idOf,
  reused,
  services,
  shop,
  stored,
  storage,
  subnetId,
  withRoles,
} from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, reverse, set } from '../edit';
import { less, loud, perhaps } from '../expected';
import { sources } from '../sources';

const nothing = from(shop, sources.nothing);
const fewer = from(shop, sources.vaultRoles);
const ids = from(reused, sources.ids);
const walled = from(
  set('vault.network', {
    allowedIpRanges: ['203.0.113.0/24', '198.51.100.0/24'],
    allowedSubnets: [subnetId('nodes')],
  })(shop),
  sources.vaultNetwork,
);
const ranged = from(
  set('clusters.one.authorizedIpRanges', ['203.0.113.0/24', '198.51.100.0/24'])(shop),
  sources.apiServer,
);

/** Changes that give nobody anything. */
export const unchanged: readonly Change[] = [
  nothing('tags', set('tags', { environment: 'test' })),
  nothing('tags of a vault', set('vault.tags', { data: 'secret' })),
  nothing('tags of a cluster', set('clusters.one.tags', { tier: 'front' })),
  nothing('a label that nobody chooses by', set('clusters.one.labels.zone', 'public')),
  nothing('replicas', set('applications.orders.replicas', 5)),
  nothing('no replicas', set('applications.orders.replicas', 0)),
  nothing('the port of an image', set('applications.orders.port', 9090)),
  nothing('variables', set('applications.orders.env', { GREETING: 'hello' }), loud(/GREETING/)),
  nothing(
    'replicas and variables on one cluster',
    set('applications.orders.overrides', [{ clusters: ['one'], replicas: 3, env: { GREETING: 'hi' } }]),
    loud(/GREETING/),
  ),
  nothing('applications in another order', reverse('applications')),
  nothing('clusters in another order', reverse('clusters')),
  from(set('applications.orders.secrets', ['orders-db', 'payment'])(shop), sources.nothing)(
    'secrets in another order',
    reverse('applications.orders.secrets'),
  ),
  from(set('applications.orders.serviceAccounts', ['cron', 'job'])(shop), sources.nothing)(
    'service accounts in another order',
    reverse('applications.orders.serviceAccounts'),
  ),
  from(set('applications.orders.clusters', ['one', 'two'])(shop), sources.nothing)(
    'the clusters of an application in another order',
    reverse('applications.orders.clusters'),
  ),
  nothing(
    'the clusters of an application by a label that only they have',
    set('applications.orders.clusters', { labels: { tier: 'front' } }),
  ),
  nothing('everything is deleted with its line', set('retainOnDelete', false)),
  nothing('an application is deleted with its line', set('applications.orders.retainOnDelete', false)),
  nothing('a cluster is deleted with its line', set('clusters.one.retainOnDelete', false)),
  nothing('nothing can be deleted', set('protect', true)),
  nothing('a shorter retention of what is deleted', set('vault.softDeleteRetentionInDays', 7)),
  nothing('a lock of the vault', set('vault.lock', true)),
  nothing('logs', set('logs', { workspace: { name: 'log-shop', retentionInDays: 90 } })),
  from(set('logs', { workspace: { name: 'log-shop' } })(shop), sources.nothing)(
    'a longer retention of logs',
    set('logs.workspace.retentionInDays', 365),
  ),
  from(set('logs', { workspace: { name: 'log-shop' } })(shop), sources.nothing)('no logs', remove('logs')),
  nothing('more nodes', set('clusters.one.nodes', { count: 5, vmSize: 'Standard_D8ds_v5' })),
  nothing('another version of Kubernetes', set('clusters.one.kubernetesVersion', '1.35')),
  nothing('another tier of the API server', set('clusters.one.tier', 'Premium')),
  nothing('another region', set('location', 'northeurope')),
  nothing('a value of a secret', set('secretValues', { 'orders-db': 'value' })),
  from(set('secretValues', { 'orders-db': 'value' })(shop), sources.nothing)(
    'another value of a secret',
    set('secretValues.orders-db', 'another value'),
  ),
  nothing('required tags', set('policies', { requiredTags: [] })),
  nothing('policies that all refuse', set('policies', { level: 'mandatory' })),
  nothing('the default namespace by its name', set('applications.orders.namespace', 'orders')),
  nothing(
    'the default namespace by its name, as an object',
    set('applications.orders.namespace', { name: 'orders' }),
  ),
  nothing('the default service account by its name', set('applications.orders.serviceAccount', 'orders')),
  nothing('the default audience by its name', set('audience', 'api://AzureADTokenExchange')),
  nothing(
    'the default audience of an application by its name',
    set('applications.orders.audience', 'api://AzureADTokenExchange'),
  ),
  nothing('the default identity by its name', set('identity', 'cluster')),
  nothing('the identity of the cluster by its name', set('applications.invoices.identity', 'cluster')),
  nothing('the default access mode by its name', set('vault.access', 'rbac')),
  nothing('the default kind of grants by its name', set('vault.grants', 'secret')),
  from(shop, sources.nameConditions)(
    'roles on the vault under conditions that name the same secrets',
    set('vault.grants', 'condition'),
  ),
  nothing('the default placement by its name', set('vaults', 'central')),
  nothing('the default mode of a cluster by its name', set('clusters.one.mode', 'create')),
  nothing('the first generation by its number', set('applications.orders.identityGenerations', [1])),
  nothing('the default delivery by its name', set('applications.orders.delivery', 'application')),
  nothing(
    'no secrets, roles, groups and windows by empty lists',
    all(
      set('applications.kiosk.roles', []),
      set('applications.kiosk.groups', []),
      set('applications.kiosk.accessWindows', []),
      set('applications.kiosk.serviceAccounts', []),
      set('groups', []),
      set('revoked', { applications: {} }),
    ),
  ),
  nothing('names of what was imported', set('imported', { roleAssignments: {}, federatedCredentials: {} })),
  fewer(
    'a secret less',
    set('applications.orders.secrets', []),
    less('one/orders/orders', 'kv-shop/orders-db'),
  ),
  fewer('an application less', remove('applications.kiosk'), less('edge/kiosk/kiosk', 'kv-shop/kiosk-db')),
  fewer(
    'a cluster less',
    all(remove('clusters.edge'), remove('kubeconfigs'), remove('applications.kiosk')),
    less('edge/kiosk/kiosk', 'kv-shop/kiosk-db'),
  ),
  fewer(
    'an application less that shared its identity',
    remove('applications.billing'),
    less('one/billing/billing', ['kv-shop/billing-db', 'kv-shop/invoices-db']),
    less('one/invoices/invoices', 'kv-shop/billing-db'),
  ),
  from(set('applications.orders.clusters', ['one', 'two'])(shop), sources.trust)(
    'a cluster of an application less',
    set('applications.orders.clusters', ['one']),
    less('two/orders/orders', 'kv-shop/orders-db'),
  ),
  from(set('applications.orders.serviceAccounts', ['job'])(shop), sources.trust)(
    'a service account less',
    remove('applications.orders.serviceAccounts'),
    less('one/orders/job', 'kv-shop/orders-db'),
  ),
  nothing('a vault closed to the internet', set('vault.publicAccess', false)),
  nothing('a firewall of a vault', set('vault.network', { allowedIpRanges: ['203.0.113.0/24'] })),
  walled('fewer ranges that reach a vault', set('vault.network.allowedIpRanges', ['203.0.113.0/24'])),
  walled(
    'a part of a range that reaches a vault',
    set('vault.network.allowedIpRanges', ['203.0.113.0/25']),
    perhaps(/203/, 'not judged'),
  ),
  walled('ranges that reach a vault in another order', reverse('vault.network.allowedIpRanges')),
  walled('no subnet that reaches a vault', remove('vault.network.allowedSubnets')),
  walled("Microsoft's services do not reach a vault", set('vault.network.trustedServices', false)),
  nothing(
    'a private endpoint of a vault that everybody reaches',
    set('vault.privateEndpoints', [{ subnet: subnetId('endpoints') }]),
    perhaps(/PrivateEndpoint/, 'not judged'),
  ),
  nothing('ranges that reach an API server', set('clusters.one.authorizedIpRanges', ['203.0.113.0/24'])),
  ranged('fewer ranges that reach an API server', set('clusters.one.authorizedIpRanges', ['203.0.113.0/24'])),
  ranged(
    'a part of a range that reaches an API server',
    set('clusters.one.authorizedIpRanges', ['203.0.113.0/25']),
    perhaps(/203/, 'not judged'),
  ),
  ranged('ranges that reach an API server in another order', reverse('clusters.one.authorizedIpRanges')),
  from(withRoles, sources.roles)(
    'a role by its id',
    set('applications.orders.roles.0.role', '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1'),
  ),
  from(withRoles, sources.ids)(
    'the scope of a role in another case',
    set(
      'applications.orders.roles.0.scope',
      container.replace('rg-data', 'RG-DATA').replace('resourceGroups', 'resourcegroups'),
    ),
  ),
  from(add('applications.orders.roles', { role: 'Reader', scope: storage })(withRoles), sources.roles)(
    'roles in another order',
    reverse('applications.orders.roles'),
  ),
  from(
    set('clusters.one.administratorGroups', [
      '33333333-3333-4333-8333-333333333333',
      '44444444-4444-4444-8444-444444444444',
    ])(shop),
    sources.administrators,
  )(
    'a group of administrators less',
    set('clusters.one.administratorGroups', ['33333333-3333-4333-8333-333333333333']),
  ),
  ids(
    'the id of a cluster in another case',
    set('clusters.one.id', idOf('RG-CLUSTERS', 'Microsoft.ContainerService/managedClusters/aks-one')),
  ),
  ids(
    'the id of an identity in another case',
    set(
      'applications.reports.identity.existing.two',
      idOf('RG-Identities', 'Microsoft.ManagedIdentity/userAssignedIdentities/ID-reports'),
    ),
  ),
  ids(
    'the id of a vault in another case',
    set('applications.kiosk.vault.existing', idOf('RG-DATA', 'Microsoft.KeyVault/vaults/kv-kiosk')),
  ),
  from(grouped, sources.ids)('groups in another order', reverse('groups')),
  from(grouped, sources.nothing)(
    'a group is deleted with its line',
    set('groups.readers.retainOnDelete', false),
  ),
  from(grouped, sources.nothing)('a group without anything', add('groups', { name: 'empty' })),
  from(stored, sources.nothing)(
    'replicas of an application with a stored credential',
    set('applications.orders.replicas', 4),
  ),
  from(services, sources.nothing)(
    'replicas of the operator and of cert-manager',
    all(set('serviceOperator', { replicas: 2 }), set('certManager', { replicas: 2 })),
  ),
  from(services, sources.nothing)(
    'another name of a dependency, with the same service',
    set('applications.orders.dependencies.files.name', 'documents'),
  ),
  from(charted, sources.nothing)('tags beside a chart', set('tags', { environment: 'test' })),
  from(shop, sources.nothing)(
    'a switch for existing clusters, of which there are none',
    set('enableWorkloadIdentity', true),
  ),
];
