import * as z from 'zod';
import { body, tags, withReadOnly } from '../body';

/** A reference: other members that clients send back with the id are ignored. */
const reference = withReadOnly({ id: z.string() }, [
  ...['name', 'type', 'etag', 'location', 'tags', 'properties', 'resourceGroup'],
]);

/** A list of what the local cloud does not have. Clients send back the empty lists of answers. */
const none = z.array(z.never()).optional();

const subnetProperties = withReadOnly(
  {
    addressPrefix: z.string().optional(),
    addressPrefixes: z.array(z.string()).optional(),
    networkSecurityGroup: reference.nullish(),
    serviceEndpoints: z
      .array(
        withReadOnly({ service: z.string(), locations: z.array(z.string()).optional() }, [
          'provisioningState',
        ]),
      )
      .optional(),
    delegations: z
      .array(
        withReadOnly(
          {
            name: z.string().min(1),
            properties: withReadOnly({ serviceName: z.string() }, ['actions', 'provisioningState']),
          },
          ['id', 'type', 'etag'],
        ),
      )
      .optional(),
    privateEndpointNetworkPolicies: z
      .enum(['Disabled', 'Enabled', 'NetworkSecurityGroupEnabled', 'RouteTableEnabled'])
      .default('Disabled'),
    privateLinkServiceNetworkPolicies: z.enum(['Disabled', 'Enabled']).default('Enabled'),
    defaultOutboundAccess: z.boolean().optional(),
    sharingScope: z.enum(['DelegatedServices', 'Tenant']).optional(),
    // The local cloud has neither.
    natGateway: z.null().optional(),
    routeTable: z.null().optional(),
    serviceEndpointPolicies: none,
    ipAllocations: none,
  },
  ['provisioningState', 'purpose', 'privateEndpoints', 'ipConfigurations'],
);

/**
 * Source of everything in this file, unless another is named: azure-rest-api-specs
 * `…/Microsoft.Network/stable/2024-05-01/virtualNetwork.json`.
 */
export const subnetBody = body({ properties: subnetProperties });

export type SubnetSettings = z.infer<typeof subnetProperties>;

const networkProperties = withReadOnly(
  {
    addressSpace: z.strictObject({
      addressPrefixes: z.array(z.string()).min(1, 'at least one address prefix is needed'),
    }),
    dhcpOptions: z.strictObject({ dnsServers: z.array(z.ipv4()).optional() }).optional(),
    subnets: z
      .array(
        withReadOnly({ name: z.string(), properties: subnetProperties }, [
          ...['id', 'type', 'etag', 'resourceGroup'],
        ]),
      )
      .optional(),
    // `true` would need a DDoS protection plan, which the local cloud does not have.
    enableDdosProtection: z.literal(false).optional(),
    enableVmProtection: z.boolean().optional(),
    flowTimeoutInMinutes: z.int().min(4).max(30).optional(),
    privateEndpointVNetPolicies: z.enum(['Disabled', 'Basic']).optional(),
    virtualNetworkPeerings: none,
    ipAllocations: none,
  },
  ['provisioningState', 'resourceGuid', 'flowLogs', 'defaultPublicNatGateway'],
);

export const networkBody = body({ location: z.string(), tags, properties: networkProperties });

export type NetworkSettings = z.infer<typeof networkProperties>;

const ruleProperties = withReadOnly(
  {
    access: z.enum(['Allow', 'Deny']),
    direction: z.enum(['Inbound', 'Outbound']),
    priority: z.int().min(100).max(4096, 'a priority is a number from 100 to 4096'),
    protocol: z.enum(['*', 'Ah', 'Esp', 'Icmp', 'Tcp', 'Udp']),
    description: z.string().max(140, 'a description has at most 140 characters').optional(),
    sourceAddressPrefix: z.string().optional(),
    sourceAddressPrefixes: z.array(z.string()).optional(),
    sourcePortRange: z.string().optional(),
    sourcePortRanges: z.array(z.string()).optional(),
    destinationAddressPrefix: z.string().optional(),
    destinationAddressPrefixes: z.array(z.string()).optional(),
    destinationPortRange: z.string().optional(),
    destinationPortRanges: z.array(z.string()).optional(),
    sourceApplicationSecurityGroups: none,
    destinationApplicationSecurityGroups: none,
  },
  ['provisioningState'],
);

/** Source: `networkSecurityGroup.json` in the same folder. */
export const securityGroupBody = body({
  location: z.string(),
  tags,
  properties: withReadOnly(
    {
      securityRules: z
        .array(
          withReadOnly({ name: z.string().min(1), properties: ruleProperties }, [
            ...['id', 'type', 'etag', 'resourceGroup'],
          ]),
        )
        .optional(),
      flushConnection: z.boolean().optional(),
    },
    ['provisioningState', 'resourceGuid', 'defaultSecurityRules', 'subnets', 'networkInterfaces', 'flowLogs'],
  ).optional(),
});
