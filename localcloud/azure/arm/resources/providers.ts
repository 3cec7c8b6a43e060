import type { CloudReply } from '../../server/exchange';
import { apiVersionsOf, KNOWN_TYPES, NAMESPACES } from '../apiVersions';
import type { ArmContext } from '../context';
import type { ArmEndpoint } from '../endpoint';
import { unknownNamespace } from '../routing';
import { LOCATIONS } from './locations';
import { register, registrationState, unregister } from './registrations';

function known(namespace: string): string {
  const name = NAMESPACES.find((each) => each.toLowerCase() === namespace.toLowerCase());
  if (name !== undefined) return name;
  throw unknownNamespace(namespace);
}

function provider(context: ArmContext, subscriptionId: string, name: string): Record<string, unknown> {
  return {
    id: `/subscriptions/${subscriptionId}/providers/${name}`,
    namespace: name,
    registrationPolicy: 'RegistrationRequired',
    registrationState: registrationState(context, subscriptionId, name),
    resourceTypes: KNOWN_TYPES.filter((type) => type.startsWith(`${name}/`)).map((type) => ({
      resourceType: type.slice(name.length + 1),
      locations: LOCATIONS.map((location) => location.displayName),
      apiVersions: apiVersionsOf(type).toReversed(),
      capabilities: 'None',
    })),
  };
}

/** Resource providers, and their registration in a subscription. */
export function providerEndpoints(context: ArmContext): ArmEndpoint[] {
  const type = 'Microsoft.Resources/providers';
  const list = '/subscriptions/{subscriptionId}/providers';
  const providerPath = `${list}/{namespace}`;
  const read = 'Microsoft.Resources/subscriptions/providers/read';
  const answer = (
    params: Record<string, string>,
    change: (context: ArmContext, subscriptionId: string, namespace: string) => void,
  ): CloudReply => {
    const [subscriptionId = '', name] = [params['subscriptionId'], known(params['namespace'] ?? '')];
    change(context, subscriptionId, name);
    return { status: 200, body: provider(context, subscriptionId, name) };
  };
  return [
    {
      operation: 'Providers_List',
      method: 'GET',
      path: list,
      type,
      action: read,
      query: ['$expand'],
      handle: ({ params }) => ({
        status: 200,
        body: {
          value: NAMESPACES.map((namespace) => provider(context, params['subscriptionId'] ?? '', namespace)),
        },
      }),
    },
    {
      operation: 'Providers_Get',
      method: 'GET',
      path: providerPath,
      type,
      action: read,
      query: ['$expand'],
      handle: ({ params }) => answer(params, () => undefined),
    },
    {
      operation: 'Providers_Register',
      method: 'POST',
      path: `${providerPath}/register`,
      type,
      // An action of the provider, e.g. Microsoft.Cache/register/action (azure-docs,
      // resource-providers-and-types.md).
      action: ({ namespace }) => `${namespace ?? ''}/register/action`,
      handle: ({ params }) => answer(params, register),
    },
    {
      operation: 'Providers_Unregister',
      method: 'POST',
      path: `${providerPath}/unregister`,
      type,
      action: ({ namespace }) => `${namespace ?? ''}/unregister/action`,
      handle: ({ params }) => answer(params, unregister),
    },
  ];
}
