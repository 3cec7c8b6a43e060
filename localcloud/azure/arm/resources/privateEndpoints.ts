import { randomUUID } from 'node:crypto';
import type { ResourceDocument } from '../../store/documents';
import { defined } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { GroupResource } from './groupResource';
import { checkLinkedAccess } from './linkedAccess';
import { ENDPOINT_TYPE } from './privateEndpointConnections';
import type { Connection, EndpointSettings } from './privateEndpointSchema';
import { endpointBody } from './privateEndpointSchema';
import { checkReference } from './scopes';

const TYPE = ENDPOINT_TYPE;
const VAULT = 'Microsoft.KeyVault/vaults';
const SUBNET = 'Microsoft.Network/virtualNetworks/subnets';

/** The resource type of private endpoints. */
export const privateEndpoints = new GroupResource(TYPE, 'privateEndpointName');

function checkConnection(
  context: ArmContext,
  call: ArmCall,
  endpointId: string,
  connection: Connection,
  manual: boolean,
): void {
  const { privateLinkServiceId, groupIds = [] } = connection.properties;
  const target = context.store.resources.get(privateLinkServiceId);
  if (target?.type !== VAULT) {
    throw new ArmError(
      404,
      'ResourceNotFound',
      `The resource '${privateLinkServiceId}' of connection '${connection.name}' was not found or is not a vault. The local cloud has private endpoints of vaults only.`,
      { target: 'properties.privateLinkServiceConnections' },
    );
  }
  if (groupIds.length !== 1 || groupIds[0] !== 'vault') {
    throw badRequest(
      `The groupIds of connection '${connection.name}' are [${groupIds.join(', ')}]; they must be ['vault'].`,
      'properties.privateLinkServiceConnections',
    );
  }
  // A caller who may not approve connections uses `manualPrivateLinkServiceConnections`.
  if (manual) return;
  checkLinkedAccess(
    context,
    call,
    { action: `${TYPE}/write`, scope: endpointId },
    { action: `${VAULT}/PrivateEndpointConnectionsApproval/action`, scopes: [target.id] },
  );
}

function stored(endpointId: string, member: string, connection: Connection, status: string): object {
  const { name, properties } = connection;
  return {
    name,
    id: `${endpointId}/${member}/${name}`,
    properties: {
      ...defined(properties),
      provisioningState: 'Succeeded',
      privateLinkServiceConnectionState: { status, description: '', actionsRequired: 'None' },
    },
  };
}

function propertiesOf(
  context: ArmContext,
  call: ArmCall,
  id: string,
  name: string,
  requested: EndpointSettings,
  existing: ResourceDocument | undefined,
): Record<string, unknown> {
  checkReference(requested.subnet.id, SUBNET, 'properties.subnet.id');
  const { privateLinkServiceConnections: direct = [], manualPrivateLinkServiceConnections: manual = [] } =
    requested;
  if (direct.length + manual.length !== 1) {
    throw badRequest(
      `A private endpoint has exactly one connection; the request has ${direct.length + manual.length}.`,
      'properties.privateLinkServiceConnections',
    );
  }
  for (const connection of direct) checkConnection(context, call, id, connection, false);
  for (const connection of manual) checkConnection(context, call, id, connection, true);
  const current = existing?.properties['subnet'] as { id: string } | undefined;
  if (current !== undefined && current.id.toLowerCase() !== requested.subnet.id.toLowerCase()) {
    throw new ArmError(
      400,
      'PrivateEndpointSubnetCannotBeChanged',
      `The subnet of private endpoint '${name}' is '${current.id}' and cannot be changed.`,
      { target: 'properties.subnet.id' },
    );
  }
  const card = requested.customNetworkInterfaceName ?? `${name}.nic.${randomUUID()}`;
  const group = id.slice(0, id.indexOf('/providers/'));
  return {
    provisioningState: 'Succeeded',
    subnet: { id: requested.subnet.id },
    privateLinkServiceConnections: direct.map((each) =>
      stored(id, 'privateLinkServiceConnections', each, 'Approved'),
    ),
    manualPrivateLinkServiceConnections: manual.map((each) =>
      stored(id, 'manualPrivateLinkServiceConnections', each, 'Pending'),
    ),
    customNetworkInterfaceName: requested.customNetworkInterfaceName ?? '',
    networkInterfaces: existing?.properties['networkInterfaces'] ?? [
      { id: `${group}/providers/Microsoft.Network/networkInterfaces/${card}` },
    ],
    ipVersionType: requested.ipVersionType ?? 'IPv4',
    ...defined({ billingSku: requested.billingSku }),
    ipConfigurations: [],
    customDnsConfigs: [],
  };
}

/** Private endpoints of vaults. There is no network; the parity table says which requests they let in. */
export function privateEndpointEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    privateEndpoints.put(context, {
      operation: 'PrivateEndpoints_CreateOrUpdate',
      body: endpointBody,
      resource: (_context, call, body, target) => {
        const { name, existing } = target;
        const base = privateEndpoints.written(context, call, target, body);
        return {
          ...base,
          extra: { etag: `W/"${randomUUID()}"` },
          properties: propertiesOf(context, call, base.id, name, body.properties, existing),
        };
      },
    }),
    ...privateEndpoints.reads(context, {
      get: 'PrivateEndpoints_Get',
      getQuery: ['$expand'],
      listInGroup: 'PrivateEndpoints_List',
      listInSubscription: 'PrivateEndpoints_ListBySubscription',
    }),
    privateEndpoints.delete(context, { operation: 'PrivateEndpoints_Delete' }),
  ];
}
