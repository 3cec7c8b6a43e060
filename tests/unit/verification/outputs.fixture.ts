import type { V1Pod } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { Clock } from '../../../verification/attempt';
import type { ServiceAccountRef } from '../../../verification/checks';
import type { StackOutputs } from '../../../stacks/outputs/outputs';

type Workload = StackOutputs['workloads'][number];

/** An identity of the tests, by name. */
export const identity = (name: string): Workload['identity'] => ({
  name,
  id: `/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
  clientId: `client-${name}`,
  principalId: `principal-${name}`,
});

/** A workload whose account is named after its application. */
export function workload(
  cluster: string,
  application: string,
  identityName: string,
  grants: Workload['grants'],
): Workload {
  return {
    cluster,
    application,
    namespace: application,
    serviceAccount: application,
    serviceAccounts: [application],
    identity: identity(identityName),
    identitiesBeside: [],
    issuer: `https://westeurope.oic.prod-aks.azure.com/tenant/${cluster}/`,
    subject: `system:serviceaccount:${application}:${application}`,
    audience: 'api://AzureADTokenExchange',
    hasPods: true,
    windows: [],
    grants,
  };
}

/**
 * Two clusters; `orders` under the cluster's identity on both, `billing` with its own on aks-1, `reports`
 * with its own and a vault with access policies on aks-2.
 */
export function twoClusters(): StackOutputs {
  const central = 'kv-central';
  const own = 'kv-reports';
  const cluster = (name: string): StackOutputs['clusters'][string] => ({
    mode: 'create',
    id: `/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/${name}`,
    issuer: `https://westeurope.oic.prod-aks.azure.com/tenant/${name}/`,
    identity: { id: `id-${name}`, clientId: `client-id-${name}`, principalId: `principal-id-${name}` },
  });
  return {
    environment: 'test',
    tenantId: 'tenant',
    subscriptionId: 's',
    resourceGroup: 'rg',
    resourceGroups: [],
    vaults: {
      [central]: {
        id: central,
        uri: `https://${central}.vault.azure.net/`,
        access: 'rbac',
        secrets: ['shared', 'orders-db', 'billing-db'],
      },
      [own]: {
        id: own,
        uri: `https://${own}.vault.azure.net/`,
        access: 'accessPolicy',
        secrets: ['reports-db', 'reports-key'],
      },
    },
    clusters: { 'aks-1': cluster('aks-1'), 'aks-2': cluster('aks-2') },
    kubeconfigs: { 'aks-1': '', 'aks-2': '' },
    dependencies: [],
    hostedClusters: [],
    groups: [],
    identities: [],
    workloads: [
      workload('aks-1', 'orders', 'id-aks-1', [
        { vault: central, secret: 'orders-db' },
        { vault: central, secret: 'shared' },
      ]),
      workload('aks-2', 'orders', 'id-aks-2', [
        { vault: central, secret: 'orders-db' },
        { vault: central, secret: 'shared' },
      ]),
      workload('aks-1', 'billing', 'id-aks-1-billing', [{ vault: central, secret: 'billing-db' }]),
      workload('aks-2', 'reports', 'id-aks-2-reports', [{ vault: own, secret: 'reports-db' }]),
    ],
  };
}

/** What the stack annotates a service account with. */
export const annotationsOf = (clientId: string, tenantId = 'tenant'): Record<string, string> => ({
  'azure.workload.identity/client-id': clientId,
  'azure.workload.identity/tenant-id': tenantId,
});

/** A pod of the stack's own Deployment that is ready, with the client id that the webhook injected, if it did. */
export function pod(
  injected?: string,
  conditions = ['Ready'],
  changes: Partial<Pick<V1Pod, 'metadata' | 'spec' | 'status'>> = {},
): V1Pod {
  const env = injected === undefined ? [] : [{ name: 'AZURE_CLIENT_ID', value: injected }];
  return {
    metadata: { name: 'orders-1', annotations: { 'aks-workload-identity/client-id': 'as deployed' } },
    spec: { containers: [{ name: 'main', env }] },
    status: { phase: 'Running', conditions: conditions.map((type) => ({ type, status: 'True' })) },
    ...changes,
  };
}

/** The client id of the identity that the workload with this service account runs as. */
export function clientIdOf(
  { workloads }: Pick<StackOutputs, 'workloads'>,
  { cluster, namespace }: ServiceAccountRef,
): string {
  const found = workloads.find(
    (candidate) => candidate.cluster === cluster && candidate.namespace === namespace,
  );
  if (found === undefined) throw new Error(`no workload in ${namespace} of ${cluster}`);
  return found.identity.clientId;
}

/** Time that passes only by sleeping. */
export class ManualClock implements Clock {
  time = 0;
  now(): number {
    return this.time;
  }
  sleep(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    return Promise.resolve();
  }
}
