import type { LegacyObject } from '../../../cli/migrate/objects';
import { planMigration as planOf } from '../../../cli/migrate/plan';

const api = 'aadpodidentity.k8s.io/v1';
export const id = (name: string) =>
  `/subscriptions/00000000-0000-0000-0000-000000000000/resourcegroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
export const metadata = (name: string, namespace = 'shop') => ({ name, namespace });
export const identity = (name: string, spec: object = {}, namespace = 'shop'): LegacyObject => ({
  ...{ apiVersion: api, kind: 'AzureIdentity', metadata: metadata(name, namespace) },
  spec: { type: 0, resourceID: id(name), clientID: `client-of-${name}`, ...spec },
});
export const binding = (name: string, namespace = 'shop', selector = name): LegacyObject => ({
  ...{ apiVersion: api, kind: 'AzureIdentityBinding', metadata: metadata(name, namespace) },
  spec: { azureIdentity: name, selector },
});
export const deployment = (
  name: string,
  {
    selector = name,
    serviceAccountName = name,
    ...spec
  }: { [key: string]: unknown; selector?: string; serviceAccountName?: string } = {},
  labels: Record<string, string> = {},
): LegacyObject => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: metadata(name) },
  spec: {
    replicas: 2,
    template: {
      metadata: { labels: { aadpodidbinding: selector, ...labels } },
      spec: {
        serviceAccountName,
        containers: [
          { name: 'shop', image: 'ghcr.io/x/shop:1.0.0', env: [{ name: 'A', value: 'b' }, { name: 'B' }] },
        ],
        ...spec,
      },
    },
  },
});
export const assigned = (name: string, namespace = 'shop', status = 'Assigned'): LegacyObject => ({
  ...{ apiVersion: api, kind: 'AzureAssignedIdentity', metadata: metadata(`${name}-0`, namespace) },
  spec: { podNamespace: namespace, azureIdentityRef: { spec: { resourceID: id(name) } } },
  status: { status },
});
export const shop = [identity('web'), binding('web'), deployment('web')];
const inCluster = { isComplete: true };
/** With identities that are all assigned. */
export const planMigration = (objects: readonly LegacyObject[]) =>
  planOf([...objects, assigned('web'), assigned('api')], inCluster);
export const planEnd = (objects: readonly LegacyObject[]) => planOf(objects, inCluster);
export const owned = (apiVersion: string, kind: string, name: string) => ({
  ownerReferences: [{ apiVersion, kind, name, uid: 'x' }],
});
export const place = { cluster: 'aks-1', issuer: 'https://issuer/', tenantId: 'tenant' };
export const unknown = { prepared: undefined, switched: undefined, ready: undefined };
