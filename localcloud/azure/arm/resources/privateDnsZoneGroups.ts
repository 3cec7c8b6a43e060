import { randomUUID } from 'node:crypto';
import type { ResourceDocument } from '../../store/documents';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import { present } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { badRequest, notFound } from '../errors';
import { sameId } from '../resourceId';
import { ENDPOINT_TYPE } from './privateEndpointConnections';
import { privateEndpoints } from './privateEndpoints';
import { zoneGroupBody } from './privateEndpointSchema';
import { checkReference } from './scopes';

const TYPE = `${ENDPOINT_TYPE}/privateDnsZoneGroups`;
const LIST = `${privateEndpoints.path}/privateDnsZoneGroups`;
const PATH = `${LIST}/{privateDnsZoneGroupName}`;

/** Private DNS zones that an endpoint's name is entered in. No zone is there: none is written. */
export function privateDnsZoneGroupEndpoints(context: ArmContext): ArmEndpoint[] {
  const { store } = context;
  const parentOf = (call: ArmCall): ResourceDocument => privateEndpoints.required(context, call);
  const idOf = (parent: ResourceDocument, call: ArmCall): string =>
    `${parent.id}/privateDnsZoneGroups/${call.params['privateDnsZoneGroupName'] ?? ''}`;
  const siblings = (parent: ResourceDocument): ResourceDocument[] =>
    store.below(parent.id).filter(({ type }) => type === TYPE);
  return [
    {
      operation: 'PrivateDnsZoneGroups_CreateOrUpdate',
      method: 'PUT',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const parent = parentOf(call);
        const { privateDnsZoneConfigs } = readBody(zoneGroupBody, call.body, TYPE).properties;
        for (const { properties } of privateDnsZoneConfigs) {
          checkReference(
            properties.privateDnsZoneId,
            'Microsoft.Network/privateDnsZones',
            'properties.privateDnsZoneConfigs.properties.privateDnsZoneId',
          );
        }
        const id = idOf(parent, call);
        const other = siblings(parent).find((sibling) => !sameId(sibling.id, id));
        if (other !== undefined) {
          throw badRequest(
            `The private endpoint '${parent.name}' has a private DNS zone group, '${other.name}'; it can have one.`,
          );
        }
        const existing = store.resources.get(id);
        const group: ResourceDocument = {
          id: existing?.id ?? id,
          name: existing?.name ?? call.params['privateDnsZoneGroupName'] ?? '',
          type: TYPE,
          extra: { etag: `W/"${randomUUID()}"` },
          properties: {
            provisioningState: 'Succeeded',
            privateDnsZoneConfigs: privateDnsZoneConfigs.map(({ name, properties }) => ({
              name,
              id: `${id}/privateDnsZoneConfigs/${name}`,
              properties: {
                privateDnsZoneId: properties.privateDnsZoneId,
                provisioningState: 'Succeeded',
                recordSets: [],
              },
            })),
          },
        };
        store.resources.set(group.id, group);
        return { status: existing === undefined ? 201 : 200, body: present(group) };
      },
    },
    {
      operation: 'PrivateDnsZoneGroups_Get',
      method: 'GET',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/read`,
      handle: (call) => {
        const parent = parentOf(call);
        const group = store.resources.get(idOf(parent, call));
        if (group !== undefined) return { status: 200, body: present(group) };
        const name = `${parent.name}/${call.params['privateDnsZoneGroupName'] ?? ''}`;
        throw notFound(TYPE, name, call.params['resourceGroupName'] ?? '');
      },
    },
    {
      operation: 'PrivateDnsZoneGroups_Delete',
      method: 'DELETE',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/delete`,
      handle: (call) => ({ status: store.resources.delete(idOf(parentOf(call), call)) ? 200 : 204 }),
    },
    {
      operation: 'PrivateDnsZoneGroups_List',
      method: 'GET',
      path: LIST,
      type: TYPE,
      action: `${TYPE}/read`,
      handle: (call) => ({ status: 200, body: { value: siblings(parentOf(call)).map(present) } }),
    },
  ];
}
