import { identityId } from '../ids';
import type { Subject } from './table';
import { refused, valid } from './table';

const trust = { 'applications[0].trust': 'identityBinding' };
const bound = (more: object = {}) => ({ ...trust, ...more });
const at = 'applications[0].trust';
const shared = { 'applications[0].identity': { existing: identityId('id-shared') } };
const accounts = (count: number) => Array.from({ length: count }, (_, index) => `w-${index}`);
const cells = {
  cells: [
    { name: 'one', wave: 1, clusters: ['aks-1'] },
    { name: 'two', wave: 1, clusters: ['aks-2'] },
  ],
};

/** Applications that use their identity through an AKS identity binding. */
export const identityBindings: Subject = {
  rows: {
    'the identity of their cluster': valid(bound()),
    'an identity of their own': valid(bound({ 'applications[0].identity': 'application' })),
    'more service accounts than an identity can trust': valid(
      bound({ 'applications[0].serviceAccounts': accounts(30) }),
    ),
    'one existing identity on all clusters': valid(bound(shared)),
    'one existing identity on all clusters, named for each': refused(
      bound({
        'applications[0].identity': { existing: { 'aks-1': identityId('one'), 'aks-2': identityId('ONE') } },
      }),
      'applications[0].identity.existing.aks-2',
    ),
    'one existing identity on all clusters, without a binding': refused(
      shared,
      'applications[0].identity.existing',
    ),
    'one existing identity on one cluster, without a binding': valid({
      ...shared,
      'applications[0].clusters': ['aks-1'],
    }),
    'a cluster outside of AKS': refused(
      bound({
        'clusters[1]': { name: 'edge', mode: 'external', issuer: 'https://issuer.example/' },
        'kubeconfigs.edge': 'kubeconfig',
      }),
      at,
    ),
    'a service principal': refused(bound({ 'applications[0].identity': 'servicePrincipal' }), at),
    'a stored credential': refused(
      bound({
        'vault.access': 'rbac',
        'applications[0].identity': { servicePrincipal: { credential: 'certificate' } },
      }),
      at,
    ),
    'aad-pod-identity': refused(
      bound({
        'clusters[0].podIdentity': { install: false },
        'clusters[1].podIdentity': { install: false },
        'applications[0].signIn': 'both',
      }),
      at,
    ),
    'secrets from the driver': refused(
      bound({ 'applications[0].secrets': ['db'], 'applications[0].delivery': 'files' }),
      at,
    ),
    'another audience': refused(bound({ 'applications[0].audience': 'openshift' }), at),
    'another audience of the environment': refused(bound({ audience: 'openshift' }), at),
    'an identity as a dependency': refused(
      bound({ 'applications[0].dependencies': [{ name: 'other', identity: { name: 'id-other' } }] }),
      at,
    ),
    'one identity, and a service': refused(
      bound({
        ...shared,
        'applications[0].dependencies': [{ name: 'files', storageAccount: { name: 'stfiles' } }],
      }),
      at,
    ),
    'one identity, and access at times': refused(
      bound({
        ...shared,
        'applications[0].secrets': ['db'],
        'applications[0].accessWindows': [
          { secrets: ['night'], from: '01:00', to: '02:00', timeZone: 'UTC' },
        ],
      }),
      at,
    ),
    'one identity in two cells': valid(bound({ ...shared, ...cells, 'vault.access': 'rbac' })),
    'one identity, and a group': refused(
      bound({
        ...shared,
        groups: [{ name: 'readers', secrets: ['group-key'] }],
        'applications[0].groups': ['readers'],
      }),
      at,
    ),
    'a resource group with a name that bindings do not accept': refused(
      bound({ resourceGroup: 'rg_test' }),
      at,
    ),
    'an identity with a name that bindings do not accept': refused(
      bound({ 'applications[0].identity': { existing: identityId('id_orders') } }),
      at,
    ),
    '20 credentials and the one of the bindings': refused(
      {
        clusters: [{ name: 'aks-1' }],
        applications: [
          { name: 'a', image: 'ghcr.io/x/reader:1', serviceAccounts: accounts(19) },
          { name: 'b', image: 'ghcr.io/x/reader:1', trust: 'identityBinding' },
        ],
      },
      'clusters[0].name',
    ),
  },
};
