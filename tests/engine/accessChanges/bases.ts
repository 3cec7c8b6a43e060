import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../support/command';
import type { Settings } from './change';
import { add, all, remove, set } from './edit';

export const image = 'ghcr.io/aks-workload-identity/reader:0.1.0';

const subscription = '/subscriptions/22222222-2222-4222-8222-222222222222';

/** The id of something in a subscription that is not the environment's own. */
export const idOf = (group: string, rest: string, of = subscription): string =>
  `${of}/resourceGroups/${group}/providers/${rest}`;

export const identityId = (name: string, group = 'rg-identities'): string =>
  idOf(group, `Microsoft.ManagedIdentity/userAssignedIdentities/${name}`);

export const vaultId = (name: string, group = 'rg-data'): string =>
  idOf(group, `Microsoft.KeyVault/vaults/${name}`);

export const clusterId = (name: string, group = 'rg-clusters'): string =>
  idOf(group, `Microsoft.ContainerService/managedClusters/${name}`);

export const subnetId = (name: string): string =>
  idOf('rg-network', `Microsoft.Network/virtualNetworks/vnet/subnets/${name}`);

export const storage = idOf('rg-data', 'Microsoft.Storage/storageAccounts/stdata');
export const container = `${storage}/blobServices/default/containers/reports`;

/** Object ids of groups in Entra. */
export const operators = '33333333-3333-4333-8333-333333333333';
export const others = '44444444-4444-4444-8444-444444444444';

const off = { install: false };

/**
 * Two clusters that are made and one that is not. On cluster one, orders has an identity of its own, and invoices and
 * billing share that of the cluster.
 */
export const shop: Settings = {
  location: 'westeurope',
  resourceGroup: 'rg-shop',
  vault: { name: 'kv-shop', publicAccess: true },
  clusters: [
    { name: 'one', labels: { tier: 'front' } },
    { name: 'two', labels: { tier: 'back' } },
    { name: 'edge', mode: 'external', issuer: 'https://issuer.example/edge' },
  ],
  kubeconfigs: { edge: 'value of edge' },
  applications: [
    { name: 'orders', image, clusters: ['one'], identity: 'application', secrets: ['orders-db'] },
    { name: 'invoices', image, clusters: ['one'], secrets: ['invoices-db'] },
    { name: 'billing', image, clusters: ['one'], secrets: ['billing-db'] },
    { name: 'reports', image, clusters: ['two'], identity: 'application', secrets: ['reports-db'] },
    { name: 'kiosk', image, clusters: ['edge'], identity: 'application', secrets: ['kiosk-db'] },
  ],
  certManager: off,
  serviceOperator: off,
};

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

/** Reports has access at times: by a schedule, once, and when a person opens it. */
export const windows: Settings = all(
  set('accessWindows.clusters', ['two']),
  set('applications.reports.accessWindows', [
    { secrets: ['warehouse'], days: weekdays, from: '01:00', to: '03:00', timeZone: 'Europe/Berlin' },
    {
      secrets: ['migration'],
      validFrom: '2035-01-09T20:00',
      validUntil: '2035-01-10T06:00',
      timeZone: 'Europe/Berlin',
    },
    { secrets: ['payment'], onDemand: '4h' },
    {
      roles: [{ role: 'Storage Blob Data Reader', scope: storage }],
      from: '00:00',
      to: '01:00',
      timeZone: 'UTC',
    },
  ]),
)(shop);

/** Orders is in a group that is made, and reports in one that exists. */
export const grouped: Settings = all(
  set('groups', [
    { name: 'readers', secrets: ['shared-key'] },
    { name: 'platform', existing: operators },
  ]),
  set('applications.orders.groups', ['readers']),
  set('applications.reports.groups', ['platform']),
)(shop);

/** Orders has a role on a container, and so has a group in which reports is. */
export const withRoles: Settings = all(
  set('applications.orders.roles', [{ role: 'Storage Blob Data Reader', scope: container }]),
  set('groups', [{ name: 'queues', roles: [{ role: 'Storage Queue Data Reader', scope: storage }] }]),
  set('applications.reports.groups', ['queues']),
)(shop);

/** The secrets of reports are in a vault of its own with access policies. */
export const policed: Settings = set('applications.reports.vault', {
  placement: 'perApplication',
  access: 'accessPolicy',
})(shop);

/** Orders and kiosk sign in with a stored certificate. */
export const stored: Settings = all(
  set('applications.orders.identity', { servicePrincipal: { credential: 'certificate' } }),
  set('applications.kiosk.identity', { servicePrincipal: { credential: 'certificate' } }),
)(shop);

/** Orders signs in with aad-pod-identity. */
export const podIdentity: Settings = all(
  set('clusters.one.podIdentity', { unsupportedKubernetes: true }),
  set('applications.orders.signIn', 'podIdentity'),
)(shop);

/** Orders depends on services. */
export const services: Settings = all(
  remove('certManager'),
  remove('serviceOperator'),
  set('applications.orders.dependencies', [
    { name: 'files', storageAccount: { name: 'stshoporders', data: ['blobs'] } },
  ]),
  set('applications.reports.dependencies', [
    { name: 'files', storageAccount: { name: 'stshopreports' }, connection: 'vault' },
  ]),
)(shop);

/** A cluster, identities and a vault that others own. */
export const reused: Settings = all(
  set('clusters.one', {
    name: 'one',
    mode: 'existing',
    id: clusterId('aks-one'),
    identity: { existing: identityId('id-one') },
  }),
  set('applications.reports.identity', { existing: { two: identityId('id-reports') } }),
  set('applications.kiosk.vault', {
    placement: 'perApplication',
    existing: vaultId('kv-kiosk'),
    access: 'rbac',
  }),
)(shop);

/** An application from a chart of its owner. */
export const charted: Settings = add('applications', {
  name: 'archive',
  chart: { chart: 'oci://ghcr.io/example/charts/archive', version: '1.0.0', values: { replicaCount: 1 } },
  clusters: ['two'],
  identity: 'application',
  secrets: ['archive-db'],
})(shop);

/** Orders comes from a file with its releases. */
export const released: Settings = all(
  remove('applications.orders.image'),
  remove('applications.orders.secrets'),
  set('applications.orders.release', './tests/engine/accessChanges/files/orders.yaml'),
)(shop);

/** The example of hosted clusters: hc1 signs in with certificates, and hc2 by federation. */
export const hosted: Settings = (() => {
  const file = path.join(projectRoot, 'examples/configurations/hypershift/Pulumi.hypershift.yaml');
  const { config } = parse(readFileSync(file, 'utf8')) as { config: Settings };
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace('aks-workload-identity:', ''), value]),
  );
})();

/** All settings that changes begin with, by their names. */
export const bases = {
  shop,
  windows,
  grouped,
  withRoles,
  policed,
  stored,
  podIdentity,
  services,
  reused,
  charted,
  released,
  hosted,
};
