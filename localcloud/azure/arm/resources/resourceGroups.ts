import * as z from 'zod';
import type { ResourceDocument } from '../../store/documents';
import { body, readBody, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { present, requireGroup, requireLiveGroup } from '../context';
import type { ArmEndpoint } from '../endpoint';
import { ArmError, groupNotFound } from '../errors';
import { filterOf, tagTerms } from '../filter';
import { RETRY_AFTER } from '../operations';
import { groupId, subscriptionScope } from '../resourceId';
import { beginGroupDeletion } from './deletion';
import { groupLocation } from './locations';

const TYPE = 'Microsoft.Resources/resourceGroups';
const PATH = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';

const properties = withReadOnly({}, ['provisioningState']).optional();
const createBody = body({ location: z.string(), tags, managedBy: z.string().optional(), properties });
const patchBody = body({ tags, managedBy: z.string().optional(), properties });

/**
 * Sources: azure-rest-api-specs `resources.json`, parameter ResourceGroupNameParameter; microsoft/microsoft-foundry-for-vscode
 * #53 for the first message. Azure's other messages are not known.
 */
function checkName(name: string): void {
  const wrong = name.replace(/[-\p{L}\p{N}_().]/gu, '');
  const problem =
    wrong !== ''
      ? `The provided resource group name '${name}' has these invalid characters: '${wrong}'. The name can only be a letter, digit, '-', '.', '(', ')' or '_'.`
      : name.length > 90
        ? `The provided resource group name '${name}' has ${name.length} characters; at most 90 are allowed.`
        : name.endsWith('.')
          ? `The provided resource group name '${name}' ends with '.'.`
          : undefined;
  if (problem !== undefined) throw new ArmError(400, 'InvalidResourceGroup', problem);
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
        const body = readBody(createBody, call.body, TYPE);
        const name = call.params['resourceGroupName'] ?? '';
        checkName(name);
        const id = groupId(call.params['subscriptionId'] ?? '', name);
        const existing = context.store.resources.get(id);
        if (existing !== undefined) requireLiveGroup(context, call.params);
        const location = groupLocation(body.location, existing?.location);
        const managedBy = body.managedBy ?? existing?.extra?.['managedBy'];
        const group: ResourceDocument = {
          id: existing?.id ?? id,
          name: existing?.name ?? name,
          type: TYPE,
          location,
          tags: body.tags ?? {},
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
        const body = readBody(patchBody, call.body, TYPE);
        const extra = body.managedBy === undefined ? group.extra : { managedBy: body.managedBy };
        return { status: 200, body: save({ ...group, tags: body.tags ?? group.tags, extra }) };
      },
    },
    {
      // Also answers HEAD (`CheckExistence`), with 204 or 404.
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
        const matches = filterOf<ResourceDocument>(call.query.get('$filter'), tagTerms);
        const scope = `${subscriptionScope(call.params['subscriptionId'] ?? '')}/`.toLowerCase();
        const groups = context.store
          .ofType(TYPE)
          .filter(({ id }) => id.toLowerCase().startsWith(scope))
          .filter(matches);
        return { status: 200, body: { value: groups.map(present) } };
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
