import { z } from 'zod';
import type { ResourceDocument } from '../../store/documents';
import { body, readBody, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { present, requireGroup, requireLiveGroup } from '../context';
import type { ArmEndpoint } from '../endpoint';
import { badRequest, groupNotFound } from '../errors';
import { RETRY_AFTER } from '../operations';
import { groupId, subscriptionScope } from '../resourceId';
import { beginGroupDeletion } from './deletion';
import { tagFilter } from './resources';
import { checkSameLocation, normaliseLocation } from './locations';

const TYPE = 'Microsoft.Resources/resourceGroups';
const PATH = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';

const properties = withReadOnly({}, ['provisioningState']).optional();
const createBody = body({ location: z.string(), tags, managedBy: z.string().optional(), properties });
const patchBody = body({ tags, managedBy: z.string().optional(), properties });

/** Source: azure-rest-api-specs `resources.json`, parameter ResourceGroupNameParameter. */
function checkName(name: string): void {
  if (/^[-\p{L}\p{N}_().]{1,90}$/u.test(name) && !name.endsWith('.')) return;
  throw badRequest(
    `The resource group name '${name}' is invalid: 1 to 90 letters, digits, '-', '_', '(', ')' and '.', not ending in '.'.`,
    'resourceGroupName',
  );
}

/** Resource groups. Deleting one deletes its contents. */
export function resourceGroupEndpoints(context: ArmContext): ArmEndpoint[] {
  const save = (group: ResourceDocument): Record<string, unknown> => {
    context.store.resources.set(group.id, group);
    return present(group);
  };
  return [
    {
      operation: 'ResourceGroups_CreateOrUpdate',
      method: 'PUT',
      path: PATH,
      type: TYPE,
      action: 'Microsoft.Resources/subscriptions/resourceGroups/write',
      handle: (call) => {
        const asked = readBody(createBody, call.body, TYPE);
        const name = call.params['resourceGroupName'] ?? '';
        checkName(name);
        const id = groupId(call.params['subscriptionId'] ?? '', name);
        const existing = context.store.resources.get(id);
        const location = normaliseLocation(asked.location, TYPE);
        if (existing !== undefined) {
          requireLiveGroup(context, call.params);
          checkSameLocation(existing.name, existing.location, location);
        }
        const managedBy = asked.managedBy ?? existing?.extra?.['managedBy'];
        const group: ResourceDocument = {
          id: existing?.id ?? id,
          name: existing?.name ?? name,
          type: TYPE,
          location,
          tags: asked.tags ?? {},
          ...(managedBy === undefined ? {} : { extra: { managedBy } }),
          properties: { provisioningState: 'Succeeded' },
        };
        return { status: existing === undefined ? 201 : 200, body: save(group) };
      },
    },
    {
      operation: 'ResourceGroups_Update',
      method: 'PATCH',
      path: PATH,
      type: TYPE,
      action: 'Microsoft.Resources/subscriptions/resourceGroups/write',
      handle: (call) => {
        const group = requireLiveGroup(context, call.params);
        const asked = readBody(patchBody, call.body, TYPE);
        const extra = asked.managedBy === undefined ? group.extra : { managedBy: asked.managedBy };
        return { status: 200, body: save({ ...group, tags: asked.tags ?? group.tags, extra }) };
      },
    },
    {
      // Also for HEAD: `CheckExistence` answers 204 or 404.
      operation: 'ResourceGroups_Get',
      method: 'GET',
      path: PATH,
      type: TYPE,
      action: 'Microsoft.Resources/subscriptions/resourceGroups/read',
      handle: (call) => ({ status: 200, body: present(requireGroup(context, call.params)) }),
    },
    {
      operation: 'ResourceGroups_List',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/resourceGroups',
      type: TYPE,
      action: 'Microsoft.Resources/subscriptions/resourceGroups/read',
      query: ['$filter', '$top'],
      handle: (call) => {
        const filter = call.query.get('$filter');
        const isWanted = filter === null ? () => true : tagFilter(filter);
        if (isWanted === undefined) {
          throw badRequest(
            `The filter '${filter}' is not known to the local cloud. Known here: tagName eq '…' and tagValue eq '…'.`,
            '$filter',
          );
        }
        const scope = `${subscriptionScope(call.params['subscriptionId'] ?? '')}/`.toLowerCase();
        const groups = context.store
          .ofType(TYPE)
          .filter(({ id }) => id.toLowerCase().startsWith(scope))
          .filter(isWanted);
        const top = Number(call.query.get('$top') ?? groups.length);
        return { status: 200, body: { value: groups.slice(0, top).map(present) } };
      },
    },
    {
      operation: 'ResourceGroups_Delete',
      method: 'DELETE',
      path: PATH,
      type: TYPE,
      action: 'Microsoft.Resources/subscriptions/resourceGroups/delete',
      query: ['forceDeletionTypes'],
      handle: (call) => {
        const id = groupId(call.params['subscriptionId'] ?? '', call.params['resourceGroupName'] ?? '');
        const group = context.store.resources.get(id);
        if (group === undefined) throw groupNotFound(call.params['resourceGroupName'] ?? '');
        const operation = beginGroupDeletion(context, group);
        const scope = subscriptionScope(call.params['subscriptionId'] ?? '');
        return {
          status: 202,
          headers: {
            location: `${call.origin}${scope}/operationresults/${operation.id}?api-version=${call.apiVersion}`,
            'retry-after': RETRY_AFTER,
          },
        };
      },
    },
  ];
}
