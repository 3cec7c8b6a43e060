import { randomUUID } from 'node:crypto';
import { TENANT_ID } from '../../../identity';
import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { managedPrincipal } from '../context';
import { groupId, parseResourceId } from '../resourceId';

const IDENTITY = 'Microsoft.ManagedIdentity/userAssignedIdentities';

/** The group of the nodes' resources and the kubelet's identity in it, which AKS makes beside a cluster. */
export function withNodeGroup(context: ArmContext, cluster: ResourceDocument): ResourceDocument {
  if (cluster.properties['identityProfile'] !== undefined) return cluster;
  const { store } = context;
  const name = String(cluster.properties['nodeResourceGroup']);
  const id = groupId(parseResourceId(cluster.id)?.subscriptionId ?? '', name);
  if (!store.resources.has(id)) {
    store.resources.set(id, {
      id,
      name,
      type: 'Microsoft.Resources/resourceGroups',
      location: cluster.location,
      tags: {},
      extra: { managedBy: cluster.id },
      properties: { provisioningState: 'Succeeded' },
    });
  }
  const kubelet: ResourceDocument = store.resources.get(
    `${id}/providers/${IDENTITY}/${cluster.name}-agentpool`,
  ) ?? {
    id: `${id}/providers/${IDENTITY}/${cluster.name}-agentpool`,
    name: `${cluster.name}-agentpool`,
    type: IDENTITY,
    location: cluster.location,
    tags: {},
    properties: { tenantId: TENANT_ID, principalId: randomUUID(), clientId: randomUUID() },
    systemData: cluster.systemData,
  };
  const [objectId, clientId] = [
    String(kubelet.properties['principalId']),
    String(kubelet.properties['clientId']),
  ];
  store.principals.set(objectId, managedPrincipal(objectId, clientId, kubelet.name, kubelet.id));
  store.resources.set(kubelet.id, kubelet);
  return {
    ...cluster,
    properties: {
      ...cluster.properties,
      identityProfile: { kubeletidentity: { resourceId: kubelet.id, clientId, objectId } },
    },
  };
}
