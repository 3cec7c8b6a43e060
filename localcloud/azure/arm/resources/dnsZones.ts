import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ResourceDocument } from '../../store/documents';
import { body, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { checkPreconditions } from '../etag';
import { GroupResource } from './groupResource';

const zones = new GroupResource('Microsoft.Network/dnsZones', 'zoneName');

/** Source: azure-rest-api-specs `specification/dns/…/Microsoft.Network/stable/2018-05-01/dns.json`. */
const zoneBody = body({
  location: z.literal('global', "the location of a DNS zone is 'global'"),
  tags,
  properties: withReadOnly(
    { zoneType: z.literal('Public', 'private zones are of the type privateDnsZones').optional() },
    ['maxNumberOfRecordSets', 'maxNumberOfRecordsPerRecordSet', 'numberOfRecordSets', 'nameServers'],
  ).optional(),
});

function checkTag(call: ArmCall, zone: ResourceDocument | undefined): void {
  const tag = zone?.extra?.['etag'];
  checkPreconditions(
    call.headers,
    `the DNS zone '${zones.nameIn(call)}'`,
    typeof tag === 'string' ? tag : undefined,
  );
}

/** Public DNS zones. They have no record sets, and no name server answers for them. */
export function dnsZoneEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    zones.put(context, {
      operation: 'Zones_CreateOrUpdate',
      body: zoneBody,
      resource: (_context, call, body, { id, name, existing }) => {
        checkTag(call, existing);
        return {
          id: existing?.id ?? id,
          name: existing?.name ?? name,
          type: zones.type,
          location: body.location,
          tags: body.tags ?? {},
          extra: { etag: randomUUID() },
          properties: {
            zoneType: 'Public',
            maxNumberOfRecordSets: 10_000,
            // SOA and NS, which every zone has.
            numberOfRecordSets: 2,
            nameServers: ['com', 'net', 'org', 'info'].map(
              (domain, index) => `ns${index + 1}-01.azure-dns.${domain}.`,
            ),
          },
        };
      },
    }),
    zones.patchTags(context, 'Zones_Update'),
    ...zones.reads(context, {
      get: 'Zones_Get',
      listInGroup: 'Zones_ListByResourceGroup',
      listInSubscription: 'Zones_List',
      listQuery: ['$top'],
    }),
    zones.delete(context, { operation: 'Zones_Delete' }),
  ];
}
