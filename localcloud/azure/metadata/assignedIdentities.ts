import { IDENTITY_TYPE } from '../arm/resources/identities';
import { CLUSTER_TYPE, clusterGuid } from '../arm/resources/clusterLifecycle';
import { assignedToNodes } from '../arm/resources/clusterNodes';
import type { PrincipalDocument, ResourceDocument } from '../store/documents';
import type { Store } from '../store/store';
import { invalidRequest } from './errors';

/** A user-assigned identity on a node. */
export interface AssignedIdentity {
  readonly resourceId: string;
  readonly principal: PrincipalDocument;
}

/** Parameters that name an identity. The last two mean the same; some clients send one, some the other. */
const SELECTORS = ['client_id', 'object_id', 'msi_res_id', 'mi_res_id'] as const;

/** The cluster with the id; undefined if it was deleted. */
export const clusterWithId = (store: Store, id: string): ResourceDocument | undefined =>
  store.ofType(CLUSTER_TYPE).find((cluster) => clusterGuid(cluster) === id);

/** The identities on a cluster's nodes. Deleted identities are left out. */
export function identitiesOf(store: Store, cluster: ResourceDocument): AssignedIdentity[] {
  return assignedToNodes(store, cluster).flatMap((resourceId) => {
    const identity = store.resources.get(resourceId);
    if (identity?.type !== IDENTITY_TYPE) return [];
    const principal = store.principals.get(String(identity.properties['principalId']));
    return principal === undefined ? [] : [{ resourceId: identity.id, principal }];
  });
}

/**
 * Returns the identity that a request names, or the only one. Source of the messages: Hexadite/acs-keyvault-agent #43 (several
 * identities), MicrosoftDocs/azure-docs #21322 (no match). It is assumed that two selectors are refused.
 */
export function selectIdentity(
  identities: readonly AssignedIdentity[],
  query: URLSearchParams,
): AssignedIdentity {
  const selectors = SELECTORS.filter((name) => query.has(name));
  if (selectors.length > 1)
    throw invalidRequest(
      `Only one of ${SELECTORS.join(', ')} may name an identity; the request has ${selectors.join(', ')}.`,
    );
  const [selector] = selectors;
  if (selector === undefined && identities.length > 1) {
    throw invalidRequest(
      'Multiple user assigned identities exist, please specify the clientId / resourceId of the identity in the token request',
    );
  }
  const selectedId = selector === undefined ? undefined : (query.get(selector) ?? '').toLowerCase();
  const identity = identities.find(({ resourceId, principal }) => {
    if (selector === undefined) return true;
    const current =
      selector === 'client_id'
        ? principal.clientId
        : selector === 'object_id'
          ? principal.objectId
          : resourceId;
    return current.toLowerCase() === selectedId;
  });
  if (identity === undefined) throw invalidRequest('Identity not found');
  return identity;
}
