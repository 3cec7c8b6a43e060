import { createHash } from 'node:crypto';
import { TENANT_ID } from '../../../identity';
import type { Activity } from '../activityLog';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
import { parseResourceId, sameId, subscriptionScope } from '../resourceId';

const OBJECT_ID = 'http://schemas.microsoft.com/identity/claims/objectidentifier';

/**
 * An entry in the format of the service's specification (`EventData` of
 * `…/Microsoft.Insights/…/stable/2015-04-01/activityLogs_API.json`).
 */
function present(activity: Activity): Record<string, unknown> {
  const { time, action, resourceId, status, error, caller, clientId, tokenId, correlationId } = activity;
  const { subscriptionId, resourceGroup, namespace, type } = parseResourceId(resourceId) ?? {};
  const event = createHash('sha256').update(JSON.stringify(activity)).digest('hex').slice(0, 32);
  const named = (value: string): { value: string; localizedValue: string } => ({
    value,
    localizedValue: value,
  });
  return {
    id: `${resourceId}/events/${event}`,
    eventDataId: event,
    eventTimestamp: time,
    submissionTimestamp: time,
    authorization: { action, scope: resourceId },
    caller,
    claims: { appid: clientId, [OBJECT_ID]: caller, tid: TENANT_ID, uti: tokenId },
    category: named('Administrative'),
    channels: 'Operation',
    correlationId,
    operationId: correlationId,
    level: status < 400 ? 'Informational' : 'Error',
    operationName: named(action),
    resourceGroupName: resourceGroup ?? '',
    resourceProviderName: named(namespace ?? 'Microsoft.Resources'),
    resourceType: named(type ?? 'Microsoft.Resources/subscriptions/resourceGroups'),
    resourceId,
    status: named(status >= 400 ? 'Failed' : status === 202 ? 'Accepted' : 'Succeeded'),
    subStatus: named(error ?? String(status)),
    properties: { statusCode: String(status), ...(error === undefined ? {} : { statusMessage: error }) },
    subscriptionId,
    tenantId: TENANT_ID,
  };
}

type Wanted = (activity: Activity) => boolean;

function term(text: string, filter: string): Wanted {
  const [, name = '', operator = '', value = ''] = /^\s*(\w+) (ge|le|eq) '([^']*)'\s*$/i.exec(text) ?? [];
  const at = Date.parse(value);
  switch (`${name.toLowerCase()} ${operator.toLowerCase()}`) {
    case 'eventtimestamp ge':
      return ({ time }) => Date.parse(time) >= at;
    case 'eventtimestamp le':
      return ({ time }) => Date.parse(time) <= at;
    case 'resourcegroupname eq':
      return ({ resourceId }) => sameId(parseResourceId(resourceId)?.resourceGroup ?? '', value);
    case 'resourceprovider eq':
      return ({ resourceId }) => sameId(parseResourceId(resourceId)?.namespace ?? '', value);
    case 'resourceuri eq':
      return ({ resourceId }) => sameId(resourceId, value);
    case 'correlationid eq':
      return ({ correlationId }) => sameId(correlationId, value);
    default:
      throw badRequest(
        `The filter '${filter}' is not known to the local cloud. Known here: eventTimestamp ge '…' and, joined by 'and', eventTimestamp le, resourceGroupName eq, resourceProvider eq, resourceUri eq, correlationId eq.`,
        '$filter',
      );
  }
}

function matching(context: ArmContext, call: ArmCall): Activity[] {
  const filter = call.query.get('$filter') ?? '';
  if (!/^\s*eventTimestamp ge '/i.test(filter)) {
    throw badRequest(
      `The filter '${filter}' does not say from when on: it begins with eventTimestamp ge '…'.`,
      '$filter',
    );
  }
  const terms = filter.split(/\s+and\s+/i).map((text) => term(text, filter));
  const scope = `${subscriptionScope(call.params['subscriptionId'] ?? '')}/`.toLowerCase();
  return context.activities
    .read()
    .filter((activity) => `${activity.resourceId.toLowerCase()}/`.startsWith(scope))
    .filter((activity) => terms.every((wanted) => wanted(activity)))
    .toReversed();
}

/** The activity log of a subscription, newest entry first. */
export function activityEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    {
      operation: 'ActivityLogs_List',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/providers/Microsoft.Insights/eventtypes/management/values',
      type: 'Microsoft.Insights/eventtypes',
      action: 'Microsoft.Insights/eventtypes/values/read',
      query: ['$filter', '$select'],
      handle: (call) => ({ status: 200, body: { value: matching(context, call).map(present) } }),
    },
  ];
}
