import type { Variant } from './patches';
import { set, change, both, guid, within } from './patches';

export const access: readonly Variant[] = [
  {
    name: 'grants-by-condition',
    of: 'groups',
    shows: 'Each identity and group has one role on the vault, under a condition that names its secrets.',
    settings: within('vault', { grants: 'condition' }),
  },
  {
    name: 'cluster-revoked',
    of: 'revocation',
    shows: 'A cluster that is revoked keeps its identities, without trust, grants and waits.',
    settings: set({ revoked: { clusters: { 'aks-2': 'a test' } } }),
  },
  {
    name: 'application-revoked',
    of: 'revocation',
    shows: 'An application that is revoked has no role on its services, which the operator still provisions.',
    settings: set({ revoked: { applications: { reports: 'a test' } } }),
  },
  {
    name: 'windows-of-another-cluster',
    of: 'local',
    shows:
      'The reconciler assigns one role to all readers, of whatever cluster and generation, and no other.',
    settings: both(
      change('applications', 'billing', {
        ...{ clusters: ['aks-2'], identityGenerations: [1, 2] },
        accessWindows: [
          { secrets: ['warehouse'], days: ['Monday'], from: '00:00', to: '01:00', timeZone: 'Europe/Berlin' },
          { secrets: ['warehouse', 'payment'], onDemand: '30m' },
          { secrets: ['payment'], onDemand: '4h' },
        ],
      }),
      set({ accessWindows: { clusters: ['aks-1'], image: 'registry.example/node:24' } }),
    ),
  },
  {
    name: 'windows-of-revoked',
    of: 'access-windows',
    shows: 'An application that is revoked stays in the schedule without windows: what is open is closed.',
    settings: set({ revoked: { applications: { reports: 'lost laptop' } } }),
  },
  {
    name: 'windows-without-cluster',
    of: 'access-windows',
    shows: 'Where all clusters are revoked, nothing closes access windows, and a warning says so.',
    settings: set({ revoked: { clusters: { 'aks-windows': 'stolen' } } }),
  },
  {
    name: 'pod-identity-beside',
    of: 'pod-identity',
    shows: 'An application that signs in both ways has trust, a binding, and both labels.',
    settings: change('applications', 'orders', { signIn: 'both' }),
  },
  {
    name: 'pod-identity-of-others',
    of: 'pod-identity',
    shows: 'aad-pod-identity is not installed where it exists, and has its bindings all the same.',
    settings: change('clusters', 'aks-1', { podIdentity: { install: false } }),
  },
  {
    name: 'pod-identity-revoked',
    of: 'pod-identity',
    shows: 'An application that is revoked has nothing of aad-pod-identity.',
    settings: set({ revoked: { applications: { orders: 'a test' } } }),
  },
  {
    name: 'pod-identity-shared',
    of: 'pod-identity',
    shows: 'Applications of one identity share its role assignment, and the one of the nodes keeps its name.',
    settings: both(
      change('applications', 'orders', { identity: 'cluster' }),
      change('applications', 'billing', { signIn: 'podIdentity' }),
      set({ imported: { roleAssignments: { 'aks-1-pod-identity-nodes': guid('4') } } }),
    ),
  },
  {
    name: 'stored-credentials-overlap',
    of: 'stored-credentials',
    shows: 'In the overlap there are two of each, and the newest is used.',
    now: '2026-11-20T00:00:00Z',
  },
  {
    name: 'operator-with-password',
    of: 'stored-credentials',
    shows: 'An operator may sign in with a password.',
    settings: change('clusters', 'aks-1', {
      operatorIdentity: { servicePrincipal: { credential: 'password', storedPassword: 'accepted' } },
    }),
  },
  {
    name: 'stored-credentials-with-audience',
    of: 'stored-credentials',
    shows: 'An audience of the environment is of no use to what signs in with what is stored.',
    settings: set({ audience: 'api://other' }),
  },
  {
    name: 'stored-credentials-revoked',
    of: 'stored-credentials',
    shows: 'Who is revoked has nothing to sign in with.',
    settings: set({ revoked: { applications: { invoices: 'INC-1' } } }),
  },
];
