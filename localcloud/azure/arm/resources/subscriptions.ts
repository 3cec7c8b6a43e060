import { covers, includes } from '../../identity/access';
import { OTHER_SUBSCRIPTION_ID, SUBSCRIPTION_ID, TENANT_ID } from '../../../identity';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { subscriptionScope } from '../resourceId';
import { LOCATIONS } from './locations';

const subscription = (subscriptionId: string, displayName: string) => ({
  id: subscriptionScope(subscriptionId),
  subscriptionId,
  tenantId: TENANT_ID,
  displayName,
  state: 'Enabled',
  authorizationSource: 'RoleBased',
  managedByTenants: [],
  subscriptionPolicies: {
    locationPlacementId: 'Public_2014-09-01',
    quotaId: 'PayAsYouGo_2014-09-01',
    spendingLimit: 'Off',
  },
});

const SUBSCRIPTIONS = [
  subscription(SUBSCRIPTION_ID, 'Local cloud'),
  subscription(OTHER_SUBSCRIPTION_ID, 'Other subscription'),
] as const;

/** The subscription with that id, if it exists. */
export const subscriptionOf = (id: string | undefined): (typeof SUBSCRIPTIONS)[number] | undefined =>
  SUBSCRIPTIONS.find((known) => known.subscriptionId === id?.toLowerCase());

/** Subscriptions, tenants and locations. There are two subscriptions in one tenant. */
export function subscriptionEndpoints(context: ArmContext): ArmEndpoint[] {
  // A caller sees a subscription if it has any role in it.
  const visible = (call: ArmCall, id: string): boolean =>
    context.store.roleAssignments
      .values()
      .some((each) => includes(call.caller, each.principalId) && covers(id, each.scope));
  return [
    {
      operation: 'Tenants_List',
      method: 'GET',
      path: '/tenants',
      type: 'Microsoft.Resources/tenants',
      handle: () => ({
        status: 200,
        body: {
          value: [
            {
              id: `/tenants/${TENANT_ID}`,
              tenantId: TENANT_ID,
              displayName: 'Local cloud',
              tenantCategory: 'Home',
            },
          ],
        },
      }),
    },
    {
      operation: 'Subscriptions_List',
      method: 'GET',
      path: '/subscriptions',
      type: 'Microsoft.Resources/subscriptions',
      handle: (call) => ({
        status: 200,
        body: { value: SUBSCRIPTIONS.filter(({ id }) => visible(call, id)) },
      }),
    },
    {
      operation: 'Subscriptions_Get',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}',
      type: 'Microsoft.Resources/subscriptions',
      action: 'Microsoft.Resources/subscriptions/read',
      handle: (call) => ({ status: 200, body: subscriptionOf(call.params['subscriptionId']) }),
    },
    {
      operation: 'Subscriptions_ListLocations',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/locations',
      type: 'Microsoft.Resources/locations',
      action: 'Microsoft.Resources/subscriptions/locations/read',
      handle: (call) => ({
        status: 200,
        body: {
          value: LOCATIONS.map((location) => ({
            id: `${subscriptionScope(call.params['subscriptionId'] ?? '')}/locations/${location.name}`,
            type: 'Region',
            ...location,
            regionalDisplayName: location.displayName,
          })),
        },
      }),
    },
  ];
}
