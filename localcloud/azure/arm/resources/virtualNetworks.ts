import { randomUUID } from 'node:crypto';
import type { ResourceDocument } from '../../store/documents';
import type { Store } from '../../store/store';
import { defined, readBody } from '../body';
import type { ArmContext } from '../context';
import { present } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { RULES_SINCE } from '../versionChanges';
import { badRequest } from '../errors';
import { sameId } from '../resourceId';
import { ChildResource } from './childResource';
import { removePlain } from './deletion';
import { GroupResource } from './groupResource';
import { checkAddresses, checkPrefixes, checkSubnetUnused } from './networkRules';
import type { NetworkSettings } from './networkSchema';
import { networkBody, subnetBody } from './networkSchema';
import { addressesOf, subnetsOf, writtenSubnet } from './subnets';

const TYPE = 'Microsoft.Network/virtualNetworks';

function shown(network: ResourceDocument, store: Store): Record<string, unknown> {
  const subnets = subnetsOf(store, network.id).map(present);
  return present({ ...network, properties: { ...network.properties, subnets, virtualNetworkPeerings: [] } });
}

const networks = new GroupResource(TYPE, 'virtualNetworkName', shown);
const subnets = new ChildResource(networks, 'subnets', 'subnetName');

const spaceOf = ({ properties }: ResourceDocument): string[] => {
  const space = properties['addressSpace'];
  const prefixes =
    typeof space === 'object' && space !== null && 'addressPrefixes' in space ? space.addressPrefixes : [];
  return [prefixes].flat().map(String);
};

/** Removes subnets that a network no longer has; refused while one is in use. */
function removeSubnets(context: ArmContext, gone: readonly ResourceDocument[]): void {
  for (const subnet of gone) checkSubnetUnused(context, subnet);
  for (const subnet of gone) removePlain(context, subnet);
}

/**
 * Writes the subnets in the body of a network. If the body does not name `subnets`, the network keeps them (Azure networking
 * blog, "Azure Virtual Network now supports updates without subnet property"); in older versions, it loses them.
 */
function writeSubnets(
  context: ArmContext,
  call: ArmCall,
  network: { id: string; name: string; location: string },
  { subnets, addressSpace }: NetworkSettings,
): void {
  const current = subnetsOf(context.store, network.id);
  const requestedSubnets = subnets ?? (call.apiVersion < RULES_SINCE.keptSubnets ? [] : undefined);
  const planned = requestedSubnets?.map(({ name, properties }) =>
    writtenSubnet(context, call, network, name, properties),
  );
  const next = planned ?? current;
  if (new Set(next.map(({ id }) => id.toLowerCase())).size < next.length) {
    throw badRequest(`Two subnets of '${network.name}' have the same name.`, 'properties.subnets');
  }
  checkAddresses(network.name, addressSpace.addressPrefixes, next.map(addressesOf));
  removeSubnets(
    context,
    current.filter(({ id }) => !next.some((subnet) => sameId(subnet.id, id))),
  );
  for (const subnet of next) context.store.resources.set(subnet.id, subnet);
}

function subnetEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    subnets.endpoint('PUT', 'Subnets_CreateOrUpdate', (call) => {
      const { parent, name, existing } = subnets.target(context, call);
      const requested = readBody(subnetBody, call.body, subnets.type).properties;
      const subnet = writtenSubnet(context, call, parent, name, requested);
      const others = subnets.within(context, parent).filter(({ id }) => !sameId(id, subnet.id));
      checkAddresses(parent.name, spaceOf(parent), [...others, subnet].map(addressesOf));
      return subnets.kept(context, subnet, existing);
    }),
    ...subnets.reads(context, { get: 'Subnets_Get', list: 'Subnets_List' }),
    subnets.delete(context, 'Subnets_Delete', (_context, subnet) => removeSubnets(context, [subnet])),
  ];
}

/** Virtual networks and their subnets, as scopes of role assignments. No packet is sent. */
export function virtualNetworkEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    networks.put(context, {
      operation: 'VirtualNetworks_CreateOrUpdate',
      body: networkBody,
      resource: (_context, call, body, target) => {
        checkPrefixes(body.properties.addressSpace.addressPrefixes, 'properties.addressSpace');
        const base = networks.written(context, call, target, body);
        writeSubnets(context, call, base, body.properties);
        const { subnets: _subnets, ...settings } = body.properties;
        return {
          ...base,
          extra: { etag: `W/"${randomUUID()}"` },
          properties: {
            enableDdosProtection: false,
            privateEndpointVNetPolicies: 'Disabled',
            ...defined(settings),
            resourceGuid: target.existing?.properties['resourceGuid'] ?? randomUUID(),
            provisioningState: 'Succeeded',
          },
        };
      },
    }),
    networks.patchTags(context, 'VirtualNetworks_UpdateTags'),
    ...networks.reads(context, {
      get: 'VirtualNetworks_Get',
      listInGroup: 'VirtualNetworks_List',
      listInSubscription: 'VirtualNetworks_ListAll',
    }),
    networks.delete(context, {
      operation: 'VirtualNetworks_Delete',
      remove: (_context, network) => {
        for (const subnet of subnetsOf(context.store, network.id)) checkSubnetUnused(context, subnet);
        removePlain(context, network);
      },
    }),
    ...subnetEndpoints(context),
  ];
}
