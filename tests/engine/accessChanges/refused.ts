import {
  container,
  grouped,
  hosted,
  identityId,
  image,
  operators,
  others,
  policed,
  services,
  shop,
  storage,
  stored,
  vaultId,
  windows,
  withRoles,
} from './bases';
import type { Refused } from './change';
import { refusedFrom } from './change';
import { add, all, set } from './edit';
import { sources } from './sources';

const roles = refusedFrom(withRoles, sources.roles);
const trust = refusedFrom(shop, sources.trust);
const role = (name: string, scope = storage) => add('applications.orders.roles', { role: name, scope });
const group = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-data';

/** Changes that give access and that the program refuses, so that there is nothing to compare. */
export const refused: readonly Refused[] = [
  roles('Owner', role('Owner'), 'lets its holder assign roles'),
  roles('Owner by its id', role('8e3af657-a8ff-443c-a75c-2fe8c4bcb635'), 'lets its holder assign roles'),
  roles('User Access Administrator', role('User Access Administrator'), 'lets its holder assign roles'),
  roles(
    'Key Vault Data Access Administrator',
    role('Key Vault Data Access Administrator', vaultId('kv-data')),
    'lets its holder assign roles',
  ),
  roles(
    'Key Vault Secrets User on a whole vault',
    role('Key Vault Secrets User', vaultId('kv-data')),
    'covers more than one secret',
  ),
  roles(
    'Key Vault Administrator on a whole vault',
    role('Key Vault Administrator', vaultId('kv-data')),
    'covers more than one secret',
  ),
  roles(
    'a role on a single secret',
    role('Key Vault Secrets User', `${vaultId('kv-data')}/secrets/key`),
    'is a secret of a vault',
  ),
  roles('a role on a resource group without consent', role('Reader', group), 'is missing'),
  roles(
    'Contributor on a subscription',
    add('applications.orders.roles', {
      role: 'Contributor',
      scope: '/subscriptions/22222222-2222-4222-8222-222222222222',
      scopeWiderThanResource: 'accepted',
    }),
    'is wider than a resource group',
  ),
  roles(
    'a role that is no role',
    role('Storage Blob Data Everything'),
    'is not the name of a well-known role',
  ),
  roles(
    'a role on a scope with a wildcard',
    role('Reader', '/subscriptions/*/resourceGroups/*'),
    'is not allowed',
  ),
  roles(
    'a role at all times beside the same at times',
    all(
      set('applications.orders.accessWindows', [
        {
          roles: [{ role: 'Storage Blob Data Reader', scope: container }],
          from: '01:00',
          to: '02:00',
          timeZone: 'UTC',
        },
      ]),
    ),
    'is already granted at all times',
  ),
  trust(
    'a service account of another application',
    set('applications.orders', {
      ...{ name: 'orders', image, clusters: ['one'], identity: 'application', secrets: ['orders-db'] },
      ...{ namespace: 'invoices', serviceAccount: 'invoices' },
    }),
    'already',
  ),
  trust(
    'the namespace kube-system',
    set('applications.orders.namespace', 'kube-system'),
    'is reserved and not available to applications',
  ),
  trust('a namespace with a wildcard', set('applications.orders.namespace', '*'), 'is not allowed'),
  trust(
    'a service account with a wildcard',
    set('applications.orders.serviceAccount', '*'),
    'is not allowed',
  ),
  trust(
    'the service account default',
    set('applications.orders.serviceAccount', 'default'),
    'is created by Kubernetes in every namespace',
  ),
  trust(
    'more than 20 service accounts',
    set(
      'applications.orders.serviceAccounts',
      Array.from({ length: 20 }, (_, n) => `job-${String(n)}`),
    ),
    '20',
  ),
  refusedFrom(shop, sources.issuer)(
    'an issuer without https',
    set('clusters.edge.issuer', 'http://issuer.example/edge'),
    'is not allowed',
  ),
  refusedFrom(shop, sources.issuer)(
    'an issuer with a query',
    set('clusters.edge.issuer', 'https://issuer.example/edge?of=all'),
    'is not allowed',
  ),
  refusedFrom(shop, sources.issuer)(
    'the issuer of another cluster',
    all(
      add('clusters', { name: 'second', mode: 'external', issuer: 'https://issuer.example/edge' }),
      set('kubeconfigs.second', 'value of second'),
    ),
    'already',
  ),
  refusedFrom(shop, sources.sharing)(
    'an existing identity of two applications',
    all(
      set('applications.orders.identity', { existing: { one: identityId('id-shared') } }),
      set('applications.reports.identity', { existing: { two: identityId('id-shared') } }),
    ),
    'already',
  ),
  refusedFrom(shop, sources.sharing)(
    'an application named as what the operator of a cluster is',
    add('applications', { name: 'aso', image, clusters: ['one'], identity: 'application' }),
    'aso',
  ),
  refusedFrom(shop, sources.vaultPolicies)(
    'access policies that cover secrets of others',
    set('vault.access', 'accessPolicy'),
    'because an access policy covers every secret of its vault',
  ),
  refusedFrom(policed, sources.vaultPolicies)(
    'another application that reads a vault with access policies',
    add('applications.orders.secrets', { name: 'reports-db' }),
    'is not allowed',
  ),
  refusedFrom(grouped, sources.groups)(
    'a group that is not there',
    set('applications.kiosk.groups', ['writers']),
    'is not a group of this stack',
  ),
  refusedFrom(grouped, sources.groups)(
    'a secret of its own that a group has too',
    add('applications.orders.secrets', 'shared-key'),
    'is also granted to the group',
  ),
  refusedFrom(grouped, sources.groups)(
    'a group of one of those that share an identity',
    set('applications.invoices.groups', ['readers']),
    'would also apply to billing',
  ),
  refusedFrom(grouped, sources.groupOwners)(
    'an existing group with secrets, which no application is in',
    add('groups', { name: 'auditors', existing: others, secrets: ['audit-key'] }),
    'is missing: no application of the stack is in this existing group',
  ),
  refusedFrom(grouped, sources.groupOwners)(
    'the same existing group twice',
    add('groups', { name: 'again', existing: operators }),
    'is already the object id of another group',
  ),
  refusedFrom(shop, sources.conditions)(
    'a window of an application that shares its identity',
    set('applications.invoices.accessWindows', [{ secrets: ['warehouse'], onDemand: '1h' }]),
    'would open for every application',
  ),
  refusedFrom(windows, sources.conditions)(
    'a window that is open at all times',
    set('applications.reports.accessWindows.0', { secrets: ['warehouse'], timeZone: 'UTC' }),
    'would be open at all times',
  ),
  refusedFrom(windows, sources.conditions)(
    'a window in no time zone',
    set('applications.reports.accessWindows.0.timeZone', 'Europe/Nowhere'),
    'is not a time zone',
  ),
  refusedFrom(windows, sources.vaultPolicies)(
    'a window in a vault with access policies',
    all(set('vault.access', 'accessPolicy'), set('vault.overreach', 'accepted')),
    'needs a role assignment on a single secret',
  ),
  refusedFrom(windows, sources.conditions)('a window under a lock', set('vault.lock', true), 'has a lock'),
  refusedFrom(shop, sources.passwords)(
    'a stored password without consent',
    set('applications.orders.identity', { servicePrincipal: { credential: 'password' } }),
    'is missing: anyone who reads a stored password',
  ),
  refusedFrom(shop, sources.appCredentials)(
    'a stored credential in a vault with access policies',
    all(
      set('vault.access', 'accessPolicy'),
      set('vault.overreach', 'accepted'),
      set('applications.orders.identity', { servicePrincipal: { credential: 'certificate' } }),
    ),
    'cannot hold the credential',
  ),
  refusedFrom(shop, sources.podIdentityBinding)(
    'aad-pod-identity where it is not',
    set('applications.orders.signIn', 'podIdentity'),
    'needs aad-pod-identity',
  ),
  refusedFrom(shop, sources.podIdentityNodes)(
    'aad-pod-identity on a Kubernetes that it does not support',
    set('clusters.one.podIdentity', {}),
    'where it is unsupported',
  ),
  refusedFrom(shop, sources.vaultNetwork)(
    'a firewall of a vault that is closed',
    all(set('vault.publicAccess', false), set('vault.network', { allowedIpRanges: ['203.0.113.0/24'] })),
    'has no effect on a vault without public access',
  ),
  refusedFrom(shop, sources.trust)(
    'a cluster that is not there',
    set('applications.orders.clusters', ['one', 'third']),
    'is not a cluster of this stack',
  ),
  refusedFrom(shop, sources.trust)(
    'an application to revoke that is not there',
    set('revoked', { applications: { order: 'INC-1' } }),
    'is not an application of this stack',
  ),
  refusedFrom(shop, sources.vaultNames)(
    'a secret of another application by another spelling',
    add('applications.kiosk.secrets', 'ORDERS-DB'),
    'only in case',
  ),
  refusedFrom(shop, sources.vaultNames)(
    'a secret twice, by two spellings',
    add('applications.orders.secrets', 'ORDERS-DB'),
    'is already in the list',
  ),
  refusedFrom(stored, sources.appCredentials)(
    'the secret with the credential of another application',
    add('applications.kiosk.secrets', 'one-orders-certificate'),
    '.identity alone',
  ),
  refusedFrom(hosted, sources.hostedReader)(
    'the secret with the credentials of a component, for an application',
    set('applications', [
      {
        name: 'orders',
        image,
        clusters: ['management'],
        identity: 'application',
        secrets: ['ingress-hc1-json'],
      },
    ]),
    '.secretName alone',
  ),
  refusedFrom(hosted, sources.namespaces)(
    'an application in the namespace of a control plane',
    set('applications', [
      { name: 'orders', image, clusters: ['management'], identity: 'application', namespace: 'clusters-hc1' },
    ]),
    'is the namespace of the control plane of hc1',
  ),
  refusedFrom(services, sources.storageKeys)(
    'the secret with the connection string of another application',
    add('applications.kiosk.secrets', 'reports-files'),
    '.name alone',
  ),
  refusedFrom(services, sources.sharing)(
    'the identity of an application as that of the operator',
    all(
      set('applications.reports.identity', { existing: { two: identityId('id-shared') } }),
      set('clusters.two.operatorIdentity', { existing: identityId('id-shared') }),
    ),
    'already',
  ),
];
