import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { requireGroup } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
import { groupId } from '../resourceId';

const TYPE = 'Microsoft.Resources/resources';

/** Whether a resource is tracked, i.e. has a location: the generic lists have only these. */
const tracked = (resource: ResourceDocument): boolean =>
  resource.location !== undefined && resource.type !== 'Microsoft.Resources/resourceGroups';

/**
 * The tag condition of a filter; undefined if the filter has another condition. Tag names are compared without
 * regard to case, tag values exactly (azure-docs articles/azure-resource-manager/management/tag-resources).
 */
export function tagFilter(filter: string): ((resource: ResourceDocument) => boolean) | undefined {
  const [, name, , value] =
    /^\s*tagName eq '((?:[^']|'')+)'(\s+and\s+tagValue eq '((?:[^']|'')*)')?\s*$/i.exec(filter) ?? [];
  if (name === undefined) return undefined;
  return ({ tags = {} }) =>
    Object.entries(tags).some(
      ([tag, given]) =>
        tag.toLowerCase() === name.replaceAll("''", "'").toLowerCase() &&
        (value === undefined || given === value.replaceAll("''", "'")),
    );
}

function list(context: ArmContext, call: ArmCall, scope: string): ResourceDocument[] {
  const filter = call.query.get('$filter');
  const wanted = filter === null ? undefined : /^\s*resourceType eq '([^']+)'\s*$/i.exec(filter)?.[1];
  const tag = filter === null ? undefined : tagFilter(filter);
  if (filter !== null && wanted === undefined && tag === undefined) {
    throw badRequest(
      `The filter '${filter}' is not known to the local cloud. Known here: resourceType eq '…'; tagName eq '…' and tagValue eq '…'.`,
      '$filter',
    );
  }
  const found = context.store
    .below(scope)
    .filter(tracked)
    .filter((resource) => wanted === undefined || resource.type.toLowerCase() === wanted.toLowerCase())
    .filter((resource) => tag === undefined || tag(resource))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return found.slice(0, Number(call.query.get('$top') ?? found.length));
}

const summary = ({ id, name, type, location, tags, extra }: ResourceDocument): Record<string, unknown> => ({
  id,
  name,
  type,
  location,
  tags,
  ...(extra?.['identity'] === undefined ? {} : { identity: extra['identity'] }),
});

/** Lists of resources of all types. */
export function resourceListEndpoints(context: ArmContext): ArmEndpoint[] {
  const query = ['$filter', '$top', '$expand'];
  return [
    {
      operation: 'Resources_List',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/resources',
      type: TYPE,
      action: 'Microsoft.Resources/subscriptions/resources/read',
      query,
      handle: (call) => ({
        status: 200,
        body: {
          value: list(context, call, `/subscriptions/${call.params['subscriptionId'] ?? ''}`).map(summary),
        },
      }),
    },
    {
      operation: 'Resources_ListByResourceGroup',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/resources',
      type: TYPE,
      action: 'Microsoft.Resources/subscriptions/resourceGroups/resources/read',
      query,
      handle: (call) => {
        const group = requireGroup(context, call.params);
        const scope = groupId(call.params['subscriptionId'] ?? '', group.name);
        return { status: 200, body: { value: list(context, call, scope).map(summary) } };
      },
    },
  ];
}
