import { group, guidOf } from './azure';

const idOf = (type: string, name: string) => `${group}/providers/${type}/${name}`;

/** Arguments of the components of aad-pod-identity, with all of the optional ones. */
export const podIdentityArguments = (source: { chart: string }) => ({
  PodIdentity: {
    clusterId: idOf('Microsoft.ContainerService/managedClusters', 'aks-x'),
    ...{ existing: false, source, replicaCount: 2 },
    exceptions: [{ name: 'agents', namespace: 'x', podLabels: { app: 'agent' } }],
    identities: { 'id-x': idOf('Microsoft.ManagedIdentity/userAssignedIdentities', 'id-x') },
    importedAssignments: { 'x-nodes': guidOf('assignment') },
  },
  TokenEvents: { program: 'x', namespace: 'pod-identity', intervalSeconds: 5, image: 'node:24' },
  PodIdentityBinding: {
    ...{ application: 'orders', namespace: 'orders' },
    identity: {
      id: idOf('Microsoft.ManagedIdentity/userAssignedIdentities', 'id-x'),
      clientId: guidOf('client'),
    },
  },
});
