import { randomUUID } from 'node:crypto';
import type { CloudReply } from '../../server/exchange';
import type { ResourceDocument } from '../../store/documents';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
import { sameId } from '../resourceId';
import { ChildResource } from './childResource';
import { privateEndpoints } from './privateEndpoints';
import { zoneGroupBody } from './privateEndpointSchema';
import { checkReference } from './scopes';

const groups = new ChildResource(privateEndpoints, 'privateDnsZoneGroups', 'privateDnsZoneGroupName');

function put(context: ArmContext, call: ArmCall): CloudReply {
  const { parent, id, name, existing } = groups.target(context, call);
  const { privateDnsZoneConfigs } = readBody(zoneGroupBody, call.body, groups.type).properties;
  for (const { properties } of privateDnsZoneConfigs) {
    checkReference(
      properties.privateDnsZoneId,
      'Microsoft.Network/privateDnsZones',
      'properties.privateDnsZoneConfigs.properties.privateDnsZoneId',
    );
  }
  const other = groups.within(context, parent).find((sibling) => !sameId(sibling.id, id));
  if (other !== undefined) {
    throw badRequest(
      `The private endpoint '${parent.name}' has the private DNS zone group '${other.name}'; it can have only one.`,
    );
  }
  const group: ResourceDocument = {
    id,
    name,
    type: groups.type,
    extra: { etag: `W/"${randomUUID()}"` },
    properties: {
      provisioningState: 'Succeeded',
      privateDnsZoneConfigs: privateDnsZoneConfigs.map((config) => ({
        name: config.name,
        id: `${id}/privateDnsZoneConfigs/${config.name}`,
        properties: {
          privateDnsZoneId: config.properties.privateDnsZoneId,
          provisioningState: 'Succeeded',
          recordSets: [],
        },
      })),
    },
  };
  return groups.kept(context, group, existing);
}

/** Private DNS zone groups of private endpoints. There are no DNS zones, so no record is written. */
export function privateDnsZoneGroupEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    groups.endpoint('PUT', 'PrivateDnsZoneGroups_CreateOrUpdate', (call) => put(context, call)),
    ...groups.reads(context, { get: 'PrivateDnsZoneGroups_Get', list: 'PrivateDnsZoneGroups_List' }),
    groups.delete(context, 'PrivateDnsZoneGroups_Delete'),
  ];
}
