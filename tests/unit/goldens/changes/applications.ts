import type { Variant } from './patches';
import { set, change, add, both, within, guid } from './patches';

export const applications: readonly Variant[] = [
  {
    name: 'chart-with-files',
    of: 'applications',
    shows:
      'A chart gets the files and the service accounts as values, and its own values cannot undo the identity.',
    settings: change('applications', 'reports', {
      ...{ delivery: 'files', serviceAccounts: ['reports-worker'] },
      chart: {
        chart: './examples/charts/reports',
        values: {
          serviceAccount: { create: true, annotations: { a: 'b' } },
          podLabels: { team: 'shop', 'azure.workload.identity/use': 'false' },
        },
      },
    }),
  },
  {
    name: 'chart-with-variables',
    of: 'applications',
    shows: 'A chart gets the name of the Kubernetes secret that has its secrets.',
    settings: change('applications', 'reports', { delivery: 'environment' }),
  },
  {
    name: 'chart-with-audience',
    of: 'applications',
    shows: 'A chart gets another audience than that of AKS.',
    settings: change('applications', 'reports', { audience: 'openshift' }),
  },
  {
    name: 'chart-with-identity-binding',
    of: 'applications',
    shows:
      'A chart gets the annotation by which its pods use the identity binding, and no service account is trusted.',
    settings: change('applications', 'reports', { trust: 'identityBinding' }),
  },
  {
    name: 'identity-bindings-revoked',
    of: 'identity-bindings',
    shows:
      'A revoked application loses its bindings; on a revoked cluster, the other cluster keeps the grants of the identity.',
    settings: set({
      revoked: { applications: { invoices: 'reason' }, clusters: { 'aks-1': 'reason' }, identities: {} },
    }),
  },
  {
    name: 'secrets-added',
    of: 'applications',
    shows: 'Another list of secrets makes other pods, and another Kubernetes secret.',
    settings: both(
      change('applications', 'invoices', { clusters: ['front'], secrets: ['invoices-db', '007'] }),
      change('applications', 'mailer', { secrets: ['smtp-password', 'another'] }),
    ),
  },
  {
    name: 'workers-beside-existing-account',
    of: 'applications',
    shows: 'A service account that exists is annotated and nothing else, and further ones are made.',
    settings: change('applications', 'shop', { serviceAccounts: ['worker', 'cron.daily'] }),
  },
  {
    name: 'china',
    of: 'applications',
    shows: 'In another cloud, the Secrets Store driver gets its name.',
    config: { 'azure-native:environment': 'china' },
  },
  {
    name: 'groups',
    of: 'local',
    shows:
      'Identities of all clusters become members, also of a group that exists, and their pods wait for that.',
    settings: both(
      add('groups', { name: 'readers', secrets: ['group-key'] }, { name: 'platform', existing: guid('3') }),
      change('applications', 'billing', { groups: ['readers', 'platform'], dependencies: [] }),
    ),
  },
  {
    name: 'group-in-vault-with-policies',
    of: 'groups',
    shows: 'A group gets one access policy, and what is written to a vault is written one after the other.',
    settings: both(
      within('vault', { access: 'accessPolicy', overreach: 'accepted' }),
      set({ secretValues: { 'orders-db': 'value', 'billing-db': 'value' } }),
    ),
  },
  {
    name: 'generations',
    of: 'rotation',
    shows: 'The identity beside has the same trust and grants, and the pods run as the first.',
    settings: both(
      change('clusters', 'aks-1', { identityGenerations: [1, 2] }),
      change('applications', 'orders', { identityGenerations: [2, 1] }),
    ),
  },
];
