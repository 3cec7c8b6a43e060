import { ArmError } from './errors';
import { since, together, versionsOf } from './publishedVersions';

const GROUPS = versionsOf('Microsoft.Resources/resourceGroups');
/** The specifications list the versions of subscriptions separately from those of groups. */
const SUBSCRIPTIONS = together(
  ['2016-06-01', '2018-06-01', '2019-11-01', '2020-01-01', '2022-12-01'],
  GROUPS,
);
const IDENTITIES = versionsOf('Microsoft.ManagedIdentity/userAssignedIdentities');
const KEY_VAULT = versionsOf('Microsoft.KeyVault/vaults');
const ROLE_DEFINITIONS = versionsOf('Microsoft.Authorization/roleDefinitions');
const ENDPOINTS = versionsOf('Microsoft.Network/privateEndpoints');
const NETWORK = together(versionsOf('Microsoft.Network/virtualNetworks'), ENDPOINTS);
const STORAGE = versionsOf('Microsoft.Storage/storageAccounts');
const SERVERS = versionsOf('Microsoft.DBforPostgreSQL/flexibleServers');
const POSTGRESQL = together(SERVERS, versionsOf('Microsoft.DBforPostgreSQL/flexibleServers/databases'));
const REDIS = versionsOf('Microsoft.Cache/redis');
/** Older versions have other members. */
const SERVICE_BUS = since('2021-01-01-preview', versionsOf('Microsoft.ServiceBus/namespaces'));
const CONTAINER_SERVICE = versionsOf('Microsoft.ContainerService/managedClusters');

/**
 * API versions by resource type: all published ones, unless a comment says otherwise. `versionChanges.ts` has the changes
 * between them.
 */
const VERSIONS: Record<string, readonly string[]> = {
  'Microsoft.Resources/tenants': SUBSCRIPTIONS,
  'Microsoft.Resources/subscriptions': SUBSCRIPTIONS,
  'Microsoft.Resources/locations': SUBSCRIPTIONS,
  'Microsoft.Resources/providers': GROUPS,
  'Microsoft.Resources/resourceGroups': GROUPS,
  'Microsoft.Resources/resources': GROUPS,
  // Clients poll an operation with the API version of the request that started it.
  'Microsoft.Resources/operationresults': together(GROUPS, KEY_VAULT, CONTAINER_SERVICE),
  'Microsoft.ManagedIdentity/userAssignedIdentities': IDENTITIES,
  'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials': since(
    '2022-01-31-preview',
    IDENTITIES,
  ),
  'Microsoft.KeyVault/vaults': KEY_VAULT,
  'Microsoft.KeyVault/vaults/accessPolicies': since('2016-10-01', KEY_VAULT),
  'Microsoft.KeyVault/vaults/secrets': since('2016-10-01', KEY_VAULT),
  'Microsoft.KeyVault/locations/deletedVaults': since('2016-10-01', KEY_VAULT),
  'Microsoft.KeyVault/checkNameAvailability': since('2016-10-01', KEY_VAULT),
  'Microsoft.Authorization/permissions': ROLE_DEFINITIONS,
  'Microsoft.Authorization/roleAssignments': versionsOf('Microsoft.Authorization/roleAssignments'),
  'Microsoft.Authorization/roleDefinitions': ROLE_DEFINITIONS,
  'Microsoft.Authorization/locks': versionsOf('Microsoft.Authorization/locks'),
  'Microsoft.OperationalInsights/workspaces': versionsOf('Microsoft.OperationalInsights/workspaces'),
  // The excluded version has only the settings of management groups (azure-rest-api-specs).
  'Microsoft.Insights/diagnosticSettings': versionsOf('Microsoft.Insights/diagnosticSettings').filter(
    (version) => version !== '2020-01-01-preview',
  ),
  'microsoft.aadiam/diagnosticSettings': versionsOf('microsoft.aadiam/diagnosticSettings'),
  'Microsoft.Network/privateEndpoints': ENDPOINTS,
  'Microsoft.Network/privateEndpoints/privateDnsZoneGroups': since('2020-03-01', ENDPOINTS),
  'Microsoft.Network/virtualNetworks': NETWORK,
  'Microsoft.Network/virtualNetworks/subnets': NETWORK,
  'Microsoft.Network/networkSecurityGroups': NETWORK,
  // In older versions, zones have other forms.
  'Microsoft.Network/dnsZones': since('2018-05-01', versionsOf('Microsoft.Network/dnsZones')),
  'Microsoft.Insights/eventtypes': ['2015-04-01', '2017-03-01-preview'],
  'Microsoft.Storage/storageAccounts': STORAGE,
  'Microsoft.Storage/checkNameAvailability': STORAGE,
  'Microsoft.Storage/locations/asyncoperations': STORAGE,
  'Microsoft.DBforPostgreSQL/flexibleServers': SERVERS,
  'Microsoft.DBforPostgreSQL/flexibleServers/databases': since('2020-11-05-preview', POSTGRESQL),
  'Microsoft.DBforPostgreSQL/flexibleServers/administrators': since('2022-03-08-preview', POSTGRESQL),
  'Microsoft.DBforPostgreSQL/flexibleServers/firewallRules': SERVERS,
  'Microsoft.DBforPostgreSQL/checkNameAvailability': SERVERS,
  'Microsoft.DBforPostgreSQL/locations/azureAsyncOperation': POSTGRESQL,
  'Microsoft.DBforPostgreSQL/locations/operationResults': POSTGRESQL,
  'Microsoft.Cache/redis': REDIS,
  'Microsoft.Cache/redis/accessPolicyAssignments': since('2023-05-01-preview', REDIS),
  'Microsoft.Cache/locations/asyncOperations': REDIS,
  'Microsoft.ServiceBus/namespaces': SERVICE_BUS,
  'Microsoft.ServiceBus/namespaces/queues': SERVICE_BUS,
  'Microsoft.ServiceBus/namespaces/AuthorizationRules': SERVICE_BUS,
  // In older versions, identities are a list.
  'Microsoft.Compute/virtualMachineScaleSets': since(
    '2018-06-01',
    versionsOf('Microsoft.Compute/virtualMachineScaleSets'),
  ),
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

/** Returns the request's api-version; throws if the type does not have it. */
export function checkApiVersion(type: string, apiVersion: string | null): string {
  if (apiVersion === null || apiVersion === '') {
    throw new ArmError(
      400,
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    );
  }
  const known = apiVersionsOf(type).find((version) => version === apiVersion.toLowerCase());
  if (known !== undefined) return known;
  throw unknownVersion(type, apiVersion);
}

const VERSION = /^\d{4}-\d{2}-\d{2}(?:-[a-z0-9.]+)?$/i;

/**
 * The error for an api-version that the type does not have. Sources: Azure/azure-sdk-for-python #975 (the resource manager's
 * own types), Azure/acs-engine #4037 and Azure/azure-xplat-cli #1976 (types without a location),
 * Azure/azure-resource-manager-schemas #33 (all others; Azure's text also has the location, which a request without a body
 * lacks). A version that is not a date is assumed to get the first of these errors for every type.
 */
function unknownVersion(type: string, apiVersion: string): ArmError {
  const [namespace = '', ...kinds] = type.split('/');
  const kind = kinds.join('/');
  const supported = apiVersionsOf(type).toReversed();
  if (namespace === 'Microsoft.Resources' || !VERSION.test(apiVersion)) {
    return new ArmError(
      400,
      'InvalidApiVersionParameter',
      `The api-version '${apiVersion}' is invalid. The supported versions are '${supported.join(',')}'.`,
    );
  }
  if (namespace === 'Microsoft.Authorization' || namespace === 'Microsoft.Insights') {
    return new ArmError(
      404,
      'InvalidResourceType',
      `The resource type '${kind}' could not be found in the namespace '${namespace}' for api version '${apiVersion}'. The supported api-versions are '${supported.join(',')}'.`,
    );
  }
  return new ArmError(
    400,
    'NoRegisteredProviderFound',
    `No registered resource provider found for API version '${apiVersion}' for type '${kind}'. The supported api-versions are '${supported.join(', ')}'.`,
  );
}
