import { ArmError } from './errors';

const GROUPS = [
  '2019-10-01',
  '2020-06-01',
  '2020-10-01',
  '2021-04-01',
  '2022-09-01',
  '2023-07-01',
  '2024-03-01',
  '2024-11-01',
  '2025-03-01',
  '2025-04-01',
];
const SUBSCRIPTIONS = ['2016-06-01', '2018-06-01', '2019-11-01', '2020-01-01', '2021-01-01', '2022-12-01'];
const AUTHORIZATION = ['2020-04-01-preview', '2020-08-01-preview', '2020-10-01-preview', '2022-04-01'];
const KEY_VAULT = [
  '2021-04-01-preview',
  '2021-10-01',
  '2022-07-01',
  '2023-02-01',
  '2023-07-01',
  '2024-11-01',
  '2025-05-01',
  '2026-02-01',
];
const CONTAINER_SERVICE = [
  '2023-02-01',
  '2023-10-01',
  '2024-09-01',
  '2025-03-01',
  '2025-05-01',
  '2025-07-01',
  '2025-08-01',
  '2025-09-01',
  '2025-10-01',
  '2026-01-01',
  '2026-02-01',
  '2026-03-01',
  '2026-04-01',
];

const STORAGE = [
  '2021-04-01',
  '2022-09-01',
  '2023-01-01',
  '2023-05-01',
  '2024-01-01',
  '2025-01-01',
  '2025-06-01',
  '2025-08-01',
];
const POSTGRESQL = ['2022-12-01', '2024-08-01', '2025-08-01'];
const NETWORK = ['2023-11-01', '2024-05-01', '2024-07-01', '2025-01-01'];

/**
 * API versions by resource type: those that azure-native 3.28, the JavaScript management clients pinned in
 * package.json and Azure Service Operator 2.20 use, and the versions between them.
 */
const VERSIONS: Record<string, readonly string[]> = {
  'Microsoft.Resources/tenants': SUBSCRIPTIONS,
  'Microsoft.Resources/subscriptions': SUBSCRIPTIONS,
  'Microsoft.Resources/locations': SUBSCRIPTIONS,
  // The registration policies of azcore and Azure Service Operator use the first two.
  'Microsoft.Resources/providers': ['2018-05-01', '2019-05-01', ...GROUPS],
  'Microsoft.Resources/resourceGroups': GROUPS,
  // The Key Vault client lists vaults with the first version.
  'Microsoft.Resources/resources': ['2015-11-01', ...GROUPS],
  // Clients poll an operation with the API version of the request that started it.
  'Microsoft.Resources/operationresults': [...new Set([...GROUPS, ...KEY_VAULT, ...CONTAINER_SERVICE])],
  'Microsoft.ManagedIdentity/userAssignedIdentities': [
    '2018-11-30',
    '2022-01-31-preview',
    '2023-01-31',
    '2024-11-30',
  ],
  'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials': [
    '2022-01-31-preview',
    '2023-01-31',
    '2024-11-30',
  ],
  'Microsoft.KeyVault/vaults': KEY_VAULT,
  'Microsoft.KeyVault/vaults/accessPolicies': KEY_VAULT,
  'Microsoft.KeyVault/vaults/secrets': KEY_VAULT,
  'Microsoft.KeyVault/locations/deletedVaults': KEY_VAULT,
  'Microsoft.KeyVault/checkNameAvailability': KEY_VAULT,
  'Microsoft.Authorization/roleAssignments': AUTHORIZATION,
  'Microsoft.Authorization/roleDefinitions': ['2018-01-01-preview', '2022-04-01', '2022-05-01-preview'],
  'Microsoft.Authorization/locks': ['2016-09-01', '2017-04-01', '2020-05-01'],
  'Microsoft.OperationalInsights/workspaces': ['2022-10-01', '2023-09-01', '2025-02-01'],
  'Microsoft.Insights/diagnosticSettings': ['2021-05-01-preview'],
  'Microsoft.Network/privateEndpoints': NETWORK,
  'Microsoft.Network/privateEndpoints/privateDnsZoneGroups': NETWORK,
  'Microsoft.Insights/eventtypes': ['2015-04-01', '2017-03-01-preview'],
  'Microsoft.Storage/storageAccounts': STORAGE,
  'Microsoft.Storage/checkNameAvailability': STORAGE,
  'Microsoft.Storage/locations/asyncoperations': STORAGE,
  'Microsoft.DBforPostgreSQL/flexibleServers': POSTGRESQL,
  'Microsoft.DBforPostgreSQL/flexibleServers/databases': POSTGRESQL,
  'Microsoft.DBforPostgreSQL/flexibleServers/administrators': POSTGRESQL,
  'Microsoft.DBforPostgreSQL/flexibleServers/firewallRules': POSTGRESQL,
  'Microsoft.DBforPostgreSQL/checkNameAvailability': POSTGRESQL,
  'Microsoft.DBforPostgreSQL/locations/azureAsyncOperation': POSTGRESQL,
  'Microsoft.DBforPostgreSQL/locations/operationResults': POSTGRESQL,
  'Microsoft.ContainerService/managedClusters': CONTAINER_SERVICE,
  'Microsoft.ContainerService/locations/operations': ['2016-03-30', ...CONTAINER_SERVICE],
};

/** The resource types that the local cloud supports. */
export const KNOWN_TYPES: readonly string[] = Object.keys(VERSIONS);

/** Namespaces of the resource types that the local cloud supports. */
export const NAMESPACES: readonly string[] = [
  ...new Set(KNOWN_TYPES.map((type) => type.split('/')[0] ?? '')),
];

export const apiVersionsOf = (type: string): readonly string[] => VERSIONS[type] ?? [];

/** The request's api-version, if the type has it; otherwise throws. */
export function checkApiVersion(type: string, given: string | null): string {
  if (given === null || given === '') {
    throw new ArmError(
      400,
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    );
  }
  const known = apiVersionsOf(type).find((version) => version === given.toLowerCase());
  if (known !== undefined) return known;
  throw unknownVersion(type, given);
}

const VERSION = /^\d{4}-\d{2}-\d{2}(?:-[a-z0-9.]+)?$/i;

/**
 * The error for an api-version that the type does not have. Sources: Azure/azure-sdk-for-python #975 (the resource
 * manager's own types), Azure/acs-engine #4037 and Azure/azure-xplat-cli #1976 (types without a location),
 * Azure/azure-resource-manager-schemas #33 (others; there also with the location, which a request without a body
 * does not have). That a version which is no date gets the first of these at every type is assumed.
 */
function unknownVersion(type: string, given: string): ArmError {
  const [namespace = '', ...kinds] = type.split('/');
  const kind = kinds.join('/');
  const supported = apiVersionsOf(type).toReversed();
  if (namespace === 'Microsoft.Resources' || !VERSION.test(given)) {
    return new ArmError(
      400,
      'InvalidApiVersionParameter',
      `The api-version '${given}' is invalid. The supported versions are '${supported.join(',')}'.`,
    );
  }
  if (namespace === 'Microsoft.Authorization' || namespace === 'Microsoft.Insights') {
    return new ArmError(
      404,
      'InvalidResourceType',
      `The resource type '${kind}' could not be found in the namespace '${namespace}' for api version '${given}'. The supported api-versions are '${supported.join(',')}'.`,
    );
  }
  return new ArmError(
    400,
    'NoRegisteredProviderFound',
    `No registered resource provider found for API version '${given}' for type '${kind}'. The supported api-versions are '${supported.join(', ')}'.`,
  );
}
