import { randomUUID } from 'node:crypto';
import { TENANT_ID } from '../../../identity';
import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { managedPrincipal } from '../context';
import { groupId, parseResourceId } from '../resourceId';
import { SECRETS_PROVIDER } from './clusterSchema';

const IDENTITY = 'Microsoft.ManagedIdentity/userAssignedIdentities';

interface NodeIdentity {
  resourceId: string;
  clientId: string;
  objectId: string;
}

/** A user-assigned identity in the cluster's node resource group: the existing one, or a new one. */
function nodeIdentity(
  context: ArmContext,
  cluster: ResourceDocument,
  group: string,
  name: string,
): NodeIdentity {
  const { store } = context;
  const id = `${group}/providers/${IDENTITY}/${name}`;
  const identity: ResourceDocument = store.resources.get(id) ?? {
    id,
    name,
    type: IDENTITY,
    location: cluster.location,
    tags: {},
    properties: { tenantId: TENANT_ID, principalId: randomUUID(), clientId: randomUUID() },
    systemData: cluster.systemData,
  };
  const [objectId, clientId] = [
    String(identity.properties['principalId']),
    String(identity.properties['clientId']),
  ];
  store.principals.set(objectId, managedPrincipal(objectId, clientId, identity.name, identity.id));
  store.resources.set(identity.id, identity);
  return { resourceId: identity.id, clientId, objectId };
}

function ensureGroup(context: ArmContext, cluster: ResourceDocument): string {
  const name = String(cluster.properties['nodeResourceGroup']);
  const id = groupId(parseResourceId(cluster.id)?.subscriptionId ?? '', name);
  if (context.store.resources.has(id)) return id;
  context.store.resources.set(id, {
    id,
    name,
    type: 'Microsoft.Resources/resourceGroups',
    location: cluster.location,
    tags: {},
    extra: { managedBy: cluster.id },
    properties: { provisioningState: 'Succeeded' },
  });
  return id;
}

type Addons = Record<string, { enabled: boolean; identity?: NodeIdentity }>;

/** The cluster with its node resource group and the identities in it, which AKS creates with a cluster. */
export function withNodeGroup(context: ArmContext, cluster: ResourceDocument): ResourceDocument {
  const group = ensureGroup(context, cluster);
  const addons = cluster.properties['addonProfiles'] as Addons | undefined;
  const secrets = addons?.[SECRETS_PROVIDER];
  const addonProfiles: Addons | undefined =
    secrets?.enabled === true
      ? {
          ...addons,
          [SECRETS_PROVIDER]: {
            ...secrets,
            identity: nodeIdentity(
              context,
              cluster,
              group,
              `${SECRETS_PROVIDER.toLowerCase()}-${cluster.name}`,
            ),
          },
        }
      : addons;
  return {
    ...cluster,
    properties: {
      ...cluster.properties,
      ...(addonProfiles === undefined ? {} : { addonProfiles }),
      identityProfile: cluster.properties['identityProfile'] ?? {
        kubeletidentity: nodeIdentity(context, cluster, group, `${cluster.name}-agentpool`),
      },
    },
  };
}
