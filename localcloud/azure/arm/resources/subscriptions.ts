import { covers } from '../../identity/access';
import { SUBSCRIPTION_ID, TENANT_ID } from '../../../identity';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { subscriptionScope } from '../resourceId';
import { LOCATIONS } from './locations';

const SUBSCRIPTION = {
  id: subscriptionScope(SUBSCRIPTION_ID),
  subscriptionId: SUBSCRIPTION_ID,
  tenantId: TENANT_ID,
  displayName: 'Local cloud',
  state: 'Enabled',
  authorizationSource: 'RoleBased',
  managedByTenants: [],
  subscriptionPolicies: {
    locationPlacementId: 'Public_2014-09-01',
    quotaId: 'PayAsYouGo_2014-09-01',
    spendingLimit: 'Off',
  },
};

/** Subscriptions, tenants and locations. There is one of the first two. */
export function subscriptionEndpoints(context: ArmContext): ArmEndpoint[] {
  // A caller sees a subscription if it has any role anywhere in it.
  const visible = (call: ArmCall): boolean =>
    context.store.roleAssignments
      .values()
      .some((each) => each.principalId === call.caller.objectId && covers(SUBSCRIPTION.id, each.scope));
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
      handle: (call) => ({ status: 200, body: { value: visible(call) ? [SUBSCRIPTION] : [] } }),
    },
    {
      operation: 'Subscriptions_Get',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}',
      type: 'Microsoft.Resources/subscriptions',
      action: 'Microsoft.Resources/subscriptions/read',
      handle: () => ({ status: 200, body: SUBSCRIPTION }),
    },
    {
      operation: 'Subscriptions_ListLocations',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/locations',
      type: 'Microsoft.Resources/locations',
      action: 'Microsoft.Resources/subscriptions/locations/read',
      handle: () => ({
        status: 200,
        body: {
          value: LOCATIONS.map((location) => ({
            id: `${SUBSCRIPTION.id}/locations/${location.name}`,
            type: 'Region',
            ...location,
            regionalDisplayName: location.displayName,
          })),
        },
      }),
    },
  ];
}
