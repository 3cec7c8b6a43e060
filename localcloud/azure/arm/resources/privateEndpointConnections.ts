import type { ResourceDocument } from '../../store/documents';
import type { Store } from '../../store/store';
import { present } from '../context';
import { sameId } from '../resourceId';
import type { Connection } from './privateEndpointSchema';

export const ENDPOINT_TYPE = 'Microsoft.Network/privateEndpoints';

type State = 'Approved' | 'Pending';
interface VaultConnection {
  endpoint: ResourceDocument;
  name: string;
  state: State;
}

const connectionsOf = (endpoint: ResourceDocument, member: string): Connection[] =>
  (endpoint.properties[member] ?? []) as Connection[];

/** The private endpoint connections of a vault. They are stored only with the endpoints. */
function connectionsTo(store: Store, vaultId: string): VaultConnection[] {
  return store.ofType(ENDPOINT_TYPE).flatMap((endpoint) =>
    (
      [
        ['privateLinkServiceConnections', 'Approved'],
        ['manualPrivateLinkServiceConnections', 'Pending'],
      ] as const
    ).flatMap(([member, state]) =>
      connectionsOf(endpoint, member)
        .filter(({ properties }) => sameId(properties.privateLinkServiceId, vaultId))
        .map(({ name }) => ({ endpoint, name, state })),
    ),
  );
}

/** Tells whether the vault has an approved private endpoint connection. */
export const hasApprovedConnection = (store: Store, vaultId: string): boolean =>
  connectionsTo(store, vaultId).some(({ state }) => state === 'Approved');

/** A vault as it appears in answers, with its private endpoint connections. */
export function presentVault(vault: ResourceDocument, store: Store): Record<string, unknown> {
  const connections = connectionsTo(store, vault.id);
  if (connections.length === 0) return present(vault);
  const privateEndpointConnections = connections.map(({ endpoint, name, state }) => ({
    id: `${vault.id}/privateEndpointConnections/${name}`,
    properties: {
      privateEndpoint: { id: endpoint.id },
      privateLinkServiceConnectionState: { status: state, actionsRequired: 'None' },
      provisioningState: 'Succeeded',
    },
  }));
  return present({ ...vault, properties: { ...vault.properties, privateEndpointConnections } });
}
