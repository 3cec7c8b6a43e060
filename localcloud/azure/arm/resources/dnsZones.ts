import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ResourceDocument } from '../../store/documents';
import { body, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
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

/** Source: MicrosoftDocs/azure-docs, resource-name-rules.md, Microsoft.Network. */
function checkName(name: string): void {
  const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
  const labels = name.split('.');
  if (labels.length >= 2 && name.length <= 253 && labels.every((each) => label.test(each))) return;
  throw badRequest(
    `The DNS zone name '${name}' is invalid: 2 or more labels of 1 to 63 letters, digits, '_' and '-', and at most 253 characters.`,
    'zoneName',
  );
}

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
        checkName(name);
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
