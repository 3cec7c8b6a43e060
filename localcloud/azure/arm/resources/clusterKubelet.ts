import { isAllowed } from '../../identity/access';
import { groupsOf } from '../../identity/groups';
import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { ArmError, badRequest } from '../errors';
import { IDENTITY_TYPE } from './identities';

/** An identity on the nodes, as clusters return it. */
export interface NodeIdentity {
  resourceId: string;
  clientId: string;
  objectId: string;
}

/** The kubelet identity of a request or a cluster; undefined if AKS is to create one. */
export function namedKubeletIdentity(cluster: ResourceDocument): Partial<NodeIdentity> | undefined {
  const profile = cluster.properties['identityProfile'] as
    { kubeletidentity?: Partial<NodeIdentity> } | undefined;
  return profile?.kubeletidentity;
}

/**
 * Returns the user's own identity as the kubelet's. Refuses it unless the cluster's own identity is user-assigned and may
 * assign it. Source: MicrosoftDocs/azure-aks-docs `use-managed-identity.md`; code for the missing permission:
 * Azure/azure-service-operator `v2/api/containerservice/customizations/managed_cluster_extensions.go`. The other messages are
 * assumed, and BadRequest for an identity that does not exist.
 */
export function ownKubeletIdentity(
  context: ArmContext,
  cluster: ResourceDocument,
  requested: Partial<NodeIdentity>,
): NodeIdentity {
  const target = { target: 'properties.identityProfile.kubeletidentity' };
  const controlPlane = cluster.extra?.['identity'] as
    { type?: string; userAssignedIdentities?: Record<string, { principalId?: string }> } | undefined;
  if (controlPlane?.type !== 'UserAssigned') {
    throw new ArmError(
      400,
      'CustomKubeletIdentityOnlySupportedOnUserAssignedMSICluster',
      'Only a cluster with a user-assigned identity can have a kubelet identity.',
      target,
    );
  }
  const identity = context.store.resources.get(requested.resourceId ?? '');
  if (identity?.type !== IDENTITY_TYPE) {
    throw badRequest(
      `The kubelet identity '${requested.resourceId ?? ''}' was not found: 'resourceId' names an existing user-assigned identity.`,
      target.target,
    );
  }
  const principals = Object.values(controlPlane.userAssignedIdentities ?? {});
  const action = `${IDENTITY_TYPE}/assign/action`;
  const mayAssign = ({ principalId = '' }): boolean =>
    isAllowed(
      context.store,
      { objectId: principalId, groups: groupsOf(context.store, principalId) },
      action,
      identity.id,
    );
  if (!principals.some(mayAssign)) {
    throw new ArmError(
      400,
      'CustomKubeletIdentityMissingPermissionError',
      "The cluster using user-assigned managed identity must be granted 'Managed Identity Operator' role to assign kubelet identity. You can run 'az role assignment create --assignee <control-plane-identity-principal-id> --role 'Managed Identity Operator' --scope <kubelet-identity-resource-id>' to grant the permission.",
      target,
    );
  }
  const [clientId, objectId] = [
    String(identity.properties['clientId']),
    String(identity.properties['principalId']),
  ];
  for (const [name, requestedId, current] of [
    ['clientId', requested.clientId, clientId],
    ['objectId', requested.objectId, objectId],
  ] as const) {
    if (requestedId === undefined || requestedId.toLowerCase() === current.toLowerCase()) continue;
    throw new ArmError(
      400,
      'CustomKubeletIdentityPropertyError',
      `The '${name}' of the kubelet identity is '${current}', but the request has '${requestedId}'.`,
      target,
    );
  }
  return { resourceId: identity.id, clientId, objectId };
}
