import { apiVersionsOf, KNOWN_TYPES } from '../apiVersions';
import { ArmError } from '../errors';
import type { ArmEndpoint } from '../endpoint';
import { LOCATIONS } from './locations';

const NAMESPACES = [...new Set(KNOWN_TYPES.map((type) => type.split('/')[0] ?? ''))];

function registration(subscriptionId: string, namespace: string): Record<string, unknown> {
  const name = NAMESPACES.find((known) => known.toLowerCase() === namespace.toLowerCase());
  if (name === undefined) {
    throw new ArmError(
      404,
      'InvalidResourceNamespace',
      `The resource namespace '${namespace}' is invalid. The local cloud has ${NAMESPACES.join(', ')}.`,
    );
  }
  return {
    id: `/subscriptions/${subscriptionId}/providers/${name}`,
    namespace: name,
    registrationPolicy: 'RegistrationRequired',
    registrationState: 'Registered',
    resourceTypes: KNOWN_TYPES.filter((type) => type.startsWith(`${name}/`)).map((type) => ({
      resourceType: type.slice(name.length + 1),
      locations: LOCATIONS.map((location) => location.displayName),
      apiVersions: apiVersionsOf(type).toReversed(),
      capabilities: 'None',
    })),
  };
}

/** Resource providers. All that exist are registered. */
export function providerEndpoints(): ArmEndpoint[] {
  const type = 'Microsoft.Resources/providers';
  const one = (params: Record<string, string>): Record<string, unknown> =>
    registration(params['subscriptionId'] ?? '', params['namespace'] ?? '');
  return [
    {
      operation: 'Providers_List',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/providers',
      type,
      action: 'Microsoft.Resources/subscriptions/providers/read',
      query: ['$expand'],
      handle: ({ params }) => ({
        status: 200,
        body: {
          value: NAMESPACES.map((namespace) => registration(params['subscriptionId'] ?? '', namespace)),
        },
      }),
    },
    {
      operation: 'Providers_Get',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/providers/{namespace}',
      type,
      action: 'Microsoft.Resources/subscriptions/providers/read',
      query: ['$expand'],
      handle: ({ params }) => ({ status: 200, body: one(params) }),
    },
    {
      operation: 'Providers_Register',
      method: 'POST',
      path: '/subscriptions/{subscriptionId}/providers/{namespace}/register',
      type,
      action: 'Microsoft.Resources/subscriptions/providers/register/action',
      handle: ({ params }) => ({ status: 200, body: one(params) }),
    },
  ];
}
