import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { TENANT_ID } from '../../../identity';
import type { Activity } from '../activityLog';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import type { Terms } from '../filter';
import { filterOf } from '../filter';
import { parseResourceId, sameId, subscriptionScope } from '../resourceId';

const OBJECT_ID = 'http://schemas.microsoft.com/identity/claims/objectidentifier';

/** An event: the beginning of a request, or its end. */
interface Entry extends Activity {
  begins: boolean;
}

/** A request whose body is logged has two events, as in Azure; the body is in the first. The newest comes first. */
const entriesOf = (activity: Activity): Entry[] =>
  (activity.requestBody === undefined ? [false] : [false, true]).map((begins) => ({ ...activity, begins }));

const statusOf = ({ begins, status }: Entry): string => {
  if (begins) return 'Started';
  return status >= 400 ? 'Failed' : status === 202 ? 'Accepted' : 'Succeeded';
};

/**
 * Properties, as in MicrosoftDocs/azure-docs `articles/role-based-access-control/change-history-report.md`. `requestbody` is
 * the request's body (Azure/azure-cli `…/command_modules/role/custom.py`).
 */
function propertiesOf({ begins, action, resourceId, status, error, requestBody }: Entry): object {
  const subscription = parseResourceId(resourceId)?.subscriptionId ?? '';
  return {
    eventCategory: 'Administrative',
    entity: resourceId,
    message: action,
    hierarchy: `${TENANT_ID}/${subscription}`,
    ...(begins
      ? { requestbody: requestBody }
      : { statusCode: STATUS_CODES[status]?.replaceAll(' ', '') ?? String(status) }),
    ...(!begins && error !== undefined && { statusMessage: error }),
  };
}

/**
 * An entry in the format of the service's specification (`EventData` of
 * `…/Microsoft.Insights/…/stable/2015-04-01/activityLogs_API.json`).
 */
function present(entry: Entry): Record<string, unknown> {
  const { time, action, resourceId, status, error, caller, clientId, tokenId, correlationId } = entry;
  const { subscriptionId, resourceGroup, namespace, type } = parseResourceId(resourceId) ?? {};
  const event = createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 32);
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
    operationId: entry.operationId,
    eventName: named(entry.begins ? 'BeginRequest' : 'EndRequest'),
    level: entry.begins || status < 400 ? 'Informational' : 'Error',
    operationName: named(action),
    resourceGroupName: resourceGroup ?? '',
    resourceProviderName: named(namespace ?? 'Microsoft.Resources'),
    resourceType: named(type ?? 'Microsoft.Resources/subscriptions/resourceGroups'),
    resourceId,
    status: named(statusOf(entry)),
    subStatus: named(entry.begins ? '' : (error ?? String(status))),
    properties: propertiesOf(entry),
    subscriptionId,
    tenantId: TENANT_ID,
  };
}

/** A condition on the time of an entry. The Azure CLI sends it without quotes. */
const time =
  (fits: (time: number, at: number) => boolean): Terms<Entry>[string] =>
  (value) => {
    const at = Date.parse(value);
    return Number.isNaN(at) ? undefined : (activity) => fits(Date.parse(activity.time), at);
  };

const of =
  (text: (activity: Entry) => string | undefined): Terms<Entry>[string] =>
  (value) =>
  (activity) =>
    sameId(text(activity) ?? '', value);

/** Source: azure-rest-api-specs `…/Microsoft.Insights/…/stable/2015-04-01/activityLogs_API.json`. */
const TERMS: Terms<Entry> = {
  'eventTimestamp ge': time((entry, at) => entry >= at),
  'eventTimestamp le': time((entry, at) => entry <= at),
  'resourceGroupName eq': of(({ resourceId }) => parseResourceId(resourceId)?.resourceGroup),
  'resourceProvider eq': of(({ resourceId }) => parseResourceId(resourceId)?.namespace),
  'resourceUri eq': of(({ resourceId }) => resourceId),
  'resourceId eq': of(({ resourceId }) => resourceId),
  'correlationId eq': of(({ correlationId }) => correlationId),
  'caller eq': of(({ caller }) => caller),
  'status eq': of(statusOf),
};

function matching(context: ArmContext, call: ArmCall): Entry[] {
  const matches = filterOf(call.query.get('$filter'), TERMS, 'eventTimestamp ge');
  const scope = `${subscriptionScope(call.params['subscriptionId'] ?? '')}/`.toLowerCase();
  return context.activities
    .read()
    .filter((activity) => `${activity.resourceId.toLowerCase()}/`.startsWith(scope))
    .toReversed()
    .flatMap(entriesOf)
    .filter(matches);
}

/** The members of an entry that the request selects; all without a selection. */
function selected(entry: Record<string, unknown>, select: string | null): Record<string, unknown> {
  if (select === null) return entry;
  const names = select.split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(Object.entries(entry).filter(([name]) => names.includes(name.toLowerCase())));
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
      handle: (call) => ({
        status: 200,
        body: {
          value: matching(context, call).map((activity) =>
            selected(present(activity), call.query.get('$select')),
          ),
        },
      }),
    },
  ];
}
