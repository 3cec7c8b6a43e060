import type { ResourceDocument } from '../../store/documents';
import type { CloudReply } from '../../server/exchange';
import type { ArmContext } from '../context';
import { requireGroup } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import type { Terms } from '../filter';
import { filterOf, tagTerms } from '../filter';
import { groupId, parseResourceId, sameId, subscriptionScope } from '../resourceId';

const TYPE = 'Microsoft.Resources/resources';

/** Tells whether a resource is tracked, i.e. has a location: the generic lists have only these. */
const tracked = (resource: ResourceDocument): boolean =>
  resource.location !== undefined && resource.type !== 'Microsoft.Resources/resourceGroups';

/** The conditions on one property: `eq` and `ne`. */
const on = (
  name: string,
  of: (resource: ResourceDocument) => string | undefined,
): Terms<ResourceDocument> => ({
  [`${name} eq`]: (value) => (resource) => sameId(of(resource) ?? '', value),
  [`${name} ne`]: (value) => (resource) => !sameId(of(resource) ?? '', value),
});

const groupOf = ({ id }: ResourceDocument): string | undefined => parseResourceId(id)?.resourceGroup;
const has = (text: string | undefined, part: string): boolean =>
  text?.toLowerCase().includes(part.toLowerCase()) === true;

/** Source: azure-rest-api-specs `…/Microsoft.Resources/…/resources.json`, Resources_List. */
const TERMS: Terms<ResourceDocument> = {
  ...on('resourceType', ({ type }) => type),
  ...on('name', ({ name }) => name),
  ...on('location', ({ location }) => location),
  ...on('resourceGroup', groupOf),
  'substringof(name)': (value) => (resource) => has(resource.name, value),
  'substringof(resourceGroup)': (value) => (resource) => has(groupOf(resource), value),
  ...tagTerms,
};

function list(context: ArmContext, call: ArmCall, scope: string): ResourceDocument[] {
  const matches = filterOf(call.query.get('$filter'), TERMS);
  return context.store
    .below(scope)
    .filter(tracked)
    .filter(matches)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A resource in a list, with the members that `$expand` asks for. */
function summary(resource: ResourceDocument, expand: string | null): Record<string, unknown> {
  const { id, name, type, location, tags, extra, systemData, properties } = resource;
  const more: Record<string, unknown> = {
    createdTime: systemData?.createdAt,
    changedTime: systemData?.lastModifiedAt,
    provisioningState: properties['provisioningState'],
  };
  const expansions = (expand ?? '').split(',').map((each) => each.trim().toLowerCase());
  return {
    id,
    name,
    type,
    location,
    tags,
    ...(extra?.['identity'] === undefined ? {} : { identity: extra['identity'] }),
    ...Object.fromEntries(
      Object.entries(more).filter(([member]) => expansions.includes(member.toLowerCase())),
    ),
  };
}

/** Lists of resources of all types. */
export function resourceListEndpoints(context: ArmContext): ArmEndpoint[] {
  const query = ['$filter', '$top', '$expand'];
  const answer = (call: ArmCall, scope: string): CloudReply => ({
    status: 200,
    body: {
      value: list(context, call, scope).map((each) => summary(each, call.query.get('$expand'))),
    },
  });
  return [
    {
      operation: 'Resources_List',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/resources',
      type: TYPE,
      action: 'Microsoft.Resources/subscriptions/resources/read',
      query,
      handle: (call) => answer(call, subscriptionScope(call.params['subscriptionId'] ?? '')),
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
        return answer(call, scope);
      },
    },
  ];
}
