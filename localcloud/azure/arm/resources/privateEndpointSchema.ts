import { z } from 'zod';
import { body, tags, withReadOnly } from '../body';

/** A member of a list: its own settings are below `properties`, as in the resources that they could be. */
const connection = withReadOnly(
  {
    name: z.string().min(1),
    properties: withReadOnly(
      {
        privateLinkServiceId: z.string(),
        groupIds: z.array(z.string()).optional(),
        requestMessage: z.string().max(140, 'a request message has at most 140 characters').optional(),
      },
      // Clients send the state back that they got; it is the target's to say.
      ['provisioningState', 'privateLinkServiceConnectionState'],
    ),
  },
  ['id', 'type', 'etag'],
);

export type Connection = z.infer<typeof connection>;

/** Source: azure-rest-api-specs `…/Microsoft.Network/stable/2024-05-01/privateEndpoint.json`. */
export const endpointBody = body({
  location: z.string(),
  tags,
  properties: withReadOnly(
    {
      // Only referred to: what else clients send of a subnet changes nothing in it.
      subnet: withReadOnly({ id: z.string() }, ['name', 'etag', 'type', 'properties']),
      privateLinkServiceConnections: z.array(connection).optional(),
      manualPrivateLinkServiceConnections: z.array(connection).optional(),
      customNetworkInterfaceName: z.string().optional(),
      // Empty ones only: what they would say has no meaning without a network.
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
