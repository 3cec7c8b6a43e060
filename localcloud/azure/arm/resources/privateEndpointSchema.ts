import * as z from 'zod';
import { body, tags, withReadOnly } from '../body';

/** A list element; like a resource, it has its settings in `properties`. */
const connection = withReadOnly(
  {
    name: z.string().min(1),
    properties: withReadOnly(
      {
        privateLinkServiceId: z.string(),
        groupIds: z.array(z.string()).optional(),
        requestMessage: z.string().max(140, 'a request message has at most 140 characters').optional(),
      },
      // Clients send the received state back. It is ignored, because the target decides it.
      ['provisioningState', 'privateLinkServiceConnectionState'],
    ),
  },
  ['id', 'type', 'etag'],
);

export type Connection = z.infer<typeof connection>;

/**
 * Source: azure-rest-api-specs `…/Microsoft.Network/stable/2024-05-01/privateEndpoint.json`, and azure-mgmt-network 33.1 for
 * later members.
 */
export const endpointBody = body({
  location: z.string(),
  tags,
  properties: withReadOnly(
    {
      // A reference: other members of the subnet that clients send are ignored.
      subnet: withReadOnly({ id: z.string() }, ['name', 'etag', 'type', 'properties']),
      privateLinkServiceConnections: z.array(connection).optional(),
      manualPrivateLinkServiceConnections: z.array(connection).optional(),
      customNetworkInterfaceName: z.string().optional(),
      // The addresses of the local networks are IPv4.
      ipVersionType: z.literal('IPv4', 'only IPv4 is possible in the local cloud').optional(),
      // Kept without effect.
      billingSku: z.enum(['PayAsYouGo', 'Fixed']).optional(),
      // Only empty lists are accepted, because there is no network.
      applicationSecurityGroups: z.array(z.never()).optional(),
      ipConfigurations: z.array(z.never()).optional(),
      customDnsConfigs: z.array(z.unknown()).optional(),
    },
    ['provisioningState', 'networkInterfaces'],
  ),
});

export type EndpointSettings = z.infer<typeof endpointBody>['properties'];

export const zoneGroupBody = body({
  properties: withReadOnly(
    {
      privateDnsZoneConfigs: z
        .array(
          withReadOnly(
            {
              name: z.string().min(1),
              properties: withReadOnly({ privateDnsZoneId: z.string() }, ['recordSets']),
            },
            ['id', 'etag', 'type'],
          ),
        )
        .min(1, 'at least one private DNS zone is needed'),
    },
    ['provisioningState'],
  ),
});
