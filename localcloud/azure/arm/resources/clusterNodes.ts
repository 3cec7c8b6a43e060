import { randomUUID } from 'node:crypto';
import { TENANT_ID } from '../../../identity';
import type { ResourceDocument } from '../../store/documents';
import type { Store } from '../../store/store';
import type { ArmContext } from '../context';
import { managedPrincipal } from '../context';
import { groupId, parseResourceId } from '../resourceId';
import type { NodeIdentity } from './clusterKubelet';
import { namedKubeletIdentity, ownKubeletIdentity } from './clusterKubelet';
import { SECRETS_PROVIDER } from './clusterSchema';
import { IDENTITY_TYPE } from './identities';
import { assignedTo, placeScaleSet, scaleSetOf } from './scaleSets';

const nodeIdentityId = (group: string, name: string): string => `${group}/providers/${IDENTITY_TYPE}/${name}`;

/** Returns a user-assigned identity in the cluster's node resource group; creates it if it does not exist. */
function nodeIdentity(
  context: ArmContext,
  cluster: ResourceDocument,
  group: string,
  name: string,
): NodeIdentity {
  const { store } = context;
  const id = nodeIdentityId(group, name);
  const identity: ResourceDocument = store.resources.get(id) ?? {
    id,
    name,
    type: IDENTITY_TYPE,
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

/** The kubelet's identity: the user's own, or the one that AKS creates. */
function kubeletIdentity(context: ArmContext, cluster: ResourceDocument, group: string): NodeIdentity {
  const name = `${cluster.name}-agentpool`;
  const named = namedKubeletIdentity(cluster);
  const ownIdentity = nodeIdentityId(group, name).toLowerCase();
  return named === undefined || named.resourceId?.toLowerCase() === ownIdentity
    ? nodeIdentity(context, cluster, group, name)
    : ownKubeletIdentity(context, cluster, named);
}

type Addons = Record<string, { enabled: boolean; identity?: NodeIdentity }>;

/**
 * Creates what AKS creates with a cluster: the node resource group and the identities in it. Returns the cluster with these
 * identities.
 */
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
  const complete = {
    ...cluster,
    properties: {
      ...cluster.properties,
      ...(addonProfiles === undefined ? {} : { addonProfiles }),
      identityProfile: { kubeletidentity: kubeletIdentity(context, cluster, group) },
    },
  };
  placeScaleSet(context, complete, assignedByAks(complete));
  return complete;
}

/**
 * Resource ids of the identities that AKS assigns to the scale set of a cluster's nodes: the kubelet's and those of enabled
 * add-ons. HyperShift finds the add-on's identity there, with which it reads vaults (openshift/hypershift
 * `contrib/managed-azure/setup_install_ho_on_aks.sh`).
 */
function assignedByAks({ properties }: ResourceDocument): string[] {
  const profile = properties['identityProfile'] as Record<string, NodeIdentity> | undefined;
  const addons = properties['addonProfiles'] as Addons | undefined;
  const ofAddons = Object.values(addons ?? {}).map(({ enabled, identity }) =>
    enabled ? identity : undefined,
  );
  return [profile?.['kubeletidentity'], ...ofAddons].flatMap((identity) =>
    identity === undefined ? [] : [identity.resourceId],
  );
}

/** Resource ids of all identities on a cluster's nodes. */
export function assignedToNodes(store: Store, cluster: ResourceDocument): string[] {
  const scaleSet = scaleSetOf(store, cluster);
  return scaleSet === undefined ? [] : assignedTo(scaleSet);
}
