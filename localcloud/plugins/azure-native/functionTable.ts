import {
  group,
  identity,
  vault,
  storageAccount,
  cluster,
  workspace,
  privateEndpoint,
  diagnosticSetting,
  workspaceTop,
  endpointTop,
  clusterTop,
  network,
} from './paths';

/** A function that a program can invoke: a GET of a resource, or a POST of an action on it. */
export interface FunctionType {
  token: string;
  path: string;
  method: 'GET' | 'POST';
  top?: readonly string[];
  /** Arguments that are sent as query parameters, by their name in the API. */
  query?: Readonly<Record<string, string>>;
  /** Names of results that contain credentials. */
  secrets?: readonly string[];
}

export const functionTypes: readonly FunctionType[] = [
  {
    token: 'azure-native:resources:getResourceGroup',
    path: group,
    method: 'GET',
  },
  {
    token: 'azure-native:managedidentity:getUserAssignedIdentity',
    path: identity,
    method: 'GET',
    top: ['location', 'tags'],
  },
  {
    token: 'azure-native:managedidentity:getFederatedIdentityCredential',
    path: `${identity}/federatedIdentityCredentials/{federatedIdentityCredentialResourceName}`,
    method: 'GET',
    top: [],
  },
  {
    token: 'azure-native:authorization:getRoleAssignment',
    path: '/{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}',
    method: 'GET',
    top: [],
    query: { tenantId: 'tenantId' },
  },
  {
    token: 'azure-native:authorization:getManagementLockByScope',
    path: '/{scope}/providers/Microsoft.Authorization/locks/{lockName}',
    method: 'GET',
    top: [],
  },
  {
    token: 'azure-native:operationalinsights:getWorkspace',
    path: workspace,
    method: 'GET',
    top: workspaceTop,
  },
  {
    token: 'azure-native:monitor:getDiagnosticSetting',
    path: diagnosticSetting,
    method: 'GET',
    top: [],
  },
  {
    token: 'azure-native:network:getPrivateEndpoint',
    path: privateEndpoint,
    method: 'GET',
    top: endpointTop,
    query: { expand: '$expand' },
  },
  { token: 'azure-native:keyvault:getVault', path: vault, method: 'GET' },
  {
    token: 'azure-native:keyvault:getSecret',
    path: `${vault}/secrets/{secretName}`,
    method: 'GET',
  },
  {
    token: 'azure-native:containerservice:getManagedCluster',
    path: cluster,
    method: 'GET',
    top: clusterTop,
  },
  {
    token: 'azure-native:containerservice:listManagedClusterUserCredentials',
    path: `${cluster}/listClusterUserCredential`,
    method: 'POST',
    query: { format: 'format', serverFqdn: 'server-fqdn' },
    secrets: ['kubeconfigs'],
  },
  {
    token: 'azure-native:containerservice:listManagedClusterAdminCredentials',
    path: `${cluster}/listClusterAdminCredential`,
    method: 'POST',
    query: { serverFqdn: 'server-fqdn' },
    secrets: ['kubeconfigs'],
  },
  {
    token: 'azure-native:storage:getStorageAccount',
    path: storageAccount,
    method: 'GET',
    top: ['location', 'tags', 'sku', 'identity', 'extendedLocation', 'kind', 'placement', 'zones'],
    query: { expand: '$expand' },
  },
  {
    token: 'azure-native:storage:listStorageAccountKeys',
    path: `${storageAccount}/listKeys`,
    method: 'POST',
    query: { expand: '$expand' },
    secrets: ['keys'],
  },
  {
    token: 'azure-native:redis:listRedisKeys',
    path: `${group}/providers/Microsoft.Cache/redis/{name}/listKeys`,
    method: 'POST',
    secrets: ['primaryKey', 'secondaryKey'],
  },
  {
    token: 'azure-native:servicebus:listNamespaceKeys',
    path: `${group}/providers/Microsoft.ServiceBus/namespaces/{namespaceName}/AuthorizationRules/{authorizationRuleName}/listKeys`,
    method: 'POST',
    secrets: ['primaryKey', 'secondaryKey', 'primaryConnectionString', 'secondaryConnectionString'],
  },
  {
    token: 'azure-native:network:getSubnet',
    path: `${network}/virtualNetworks/{virtualNetworkName}/subnets/{subnetName}`,
    method: 'GET',
    top: ['id'],
    query: { expand: '$expand' },
  },
  {
    token: 'azure-native:network:getNetworkSecurityGroup',
    path: `${network}/networkSecurityGroups/{networkSecurityGroupName}`,
    method: 'GET',
    top: ['id', 'location', 'tags'],
    query: { expand: '$expand' },
  },
  {
    token: 'azure-native:dns:getZone',
    path: `${network}/dnsZones/{zoneName}`,
    method: 'GET',
    top: ['location', 'tags'],
  },
];

export function functionType(token: string): FunctionType | undefined {
  return functionTypes.find((type) => type.token === token);
}
