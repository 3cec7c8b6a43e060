import type { Variant } from './patches';
import { set, change, add, both, within, guid, image } from './patches';

export const environments: readonly Variant[] = [
  {
    name: 'application-added',
    of: 'local',
    shows: 'An application more brings its own resources, and changes none of the others.',
    settings: add('applications', {
      ...{ name: 'added', ...image, clusters: ['aks-1'], identity: 'application' },
      secrets: ['shared-api-key'],
    }),
  },
  {
    name: 'installed-by-others',
    of: 'dev',
    shows: 'Neither cert-manager nor the operator is installed where others do.',
    settings: set({ certManager: { install: false }, serviceOperator: { install: false } }),
  },
  {
    name: 'cert-manager-of-others',
    of: 'dev',
    shows: 'The operator is installed beside a cert-manager that is there already.',
    settings: set({ certManager: { install: false } }),
  },
  {
    name: 'cluster-settings',
    of: 'dev',
    shows: 'A cluster, its platform and its vault have what the stack file says of them.',
    settings: both(
      change('clusters', 'aks-dev-1', {
        ...{ kubernetesVersion: '1.35.4', administratorGroups: [guid('5')], tags: { tier: 'front' } },
        authorizedIpRanges: ['203.0.113.7', '198.51.100.0/24'],
      }),
      set({
        ...{ protect: true, audience: 'api://other', certManager: { replicas: 3 } },
        serviceOperator: { version: '2.20.0', crdPattern: 'keyvault.azure.com/*', replicas: 3 },
      }),
      within('vault', { publicAccess: false }),
    ),
  },
  {
    name: 'imported-names',
    of: 'dev',
    shows: 'Credentials and role assignments keep the names that they had before the stack.',
    settings: set({
      imported: {
        federatedCredentials: { 'aks-dev-1/orders_orders': 'by-hand' },
        roleAssignments: {
          'kv-wi-dev-edit-me/aks-dev-1/orders-db': guid('9'),
          'aks-dev-1-aso/itself': guid('8'),
        },
      },
    }),
  },
  {
    name: 'deleted-but-the-vault',
    of: 'retention',
    shows: 'Where only the vault stays, so do the group that it is in, and its secrets.',
    settings: both(set({ retainOnDelete: false }), within('vault', { retainOnDelete: true })),
  },
  {
    name: 'own-vault-otherwise',
    of: 'vaults',
    shows: 'An own vault has what the central one has, unless it says otherwise.',
    settings: change('applications', 'reports', {
      vault: {
        ...{ placement: 'perApplication', access: 'rbac', name: 'kv-wi-vaults-reports' },
        ...{ lock: false, privateEndpoints: [], tags: {} },
      },
    }),
  },
  {
    name: 'webhook-of-others',
    of: 'reuse',
    shows: 'A cluster of others gets no second webhook if it has one.',
    settings: set({ workloadIdentityWebhook: { install: false } }),
  },
];
