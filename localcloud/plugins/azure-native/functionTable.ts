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
  apiVersion: string;
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
    apiVersion: '2024-03-01',
    method: 'GET',
  },
  {
    token: 'azure-native:managedidentity:getUserAssignedIdentity',
    path: identity,
    apiVersion: '2023-01-31',
    method: 'GET',
    top: ['location', 'tags'],
  },
  {
    token: 'azure-native:managedidentity:getFederatedIdentityCredential',
    path: `${identity}/federatedIdentityCredentials/{federatedIdentityCredentialResourceName}`,
    apiVersion: '2023-01-31',
    method: 'GET',
    top: [],
  },
  {
    token: 'azure-native:authorization:getRoleAssignment',
    path: '/{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}',
    apiVersion: '2022-04-01',
    method: 'GET',
    top: [],
    query: { tenantId: 'tenantId' },
  },
  {
    token: 'azure-native:authorization:getManagementLockByScope',
    path: '/{scope}/providers/Microsoft.Authorization/locks/{lockName}',
    apiVersion: '2020-05-01',
    method: 'GET',
    top: [],
  },
  {
    token: 'azure-native:operationalinsights:getWorkspace',
    path: workspace,
    apiVersion: '2023-09-01',
    method: 'GET',
    top: workspaceTop,
  },
  {
    token: 'azure-native:monitor:getDiagnosticSetting',
    path: diagnosticSetting,
    apiVersion: '2021-05-01-preview',
    method: 'GET',
    top: [],
  },
  {
    token: 'azure-native:network:getPrivateEndpoint',
    path: privateEndpoint,
    apiVersion: '2024-05-01',
    method: 'GET',
    top: endpointTop,
    query: { expand: '$expand' },
  },
  { token: 'azure-native:keyvault:getVault', path: vault, apiVersion: '2024-11-01', method: 'GET' },
  {
    token: 'azure-native:keyvault:getSecret',
    path: `${vault}/secrets/{secretName}`,
    apiVersion: '2024-11-01',
    method: 'GET',
  },
  {
    token: 'azure-native:containerservice:getManagedCluster',
    path: cluster,
    apiVersion: '2025-09-01',
    method: 'GET',
    top: clusterTop,
  },
  {
    token: 'azure-native:containerservice:listManagedClusterUserCredentials',
    path: `${cluster}/listClusterUserCredential`,
    apiVersion: '2025-09-01',
    method: 'POST',
    query: { format: 'format', serverFqdn: 'server-fqdn' },
    secrets: ['kubeconfigs'],
  },
  {
    token: 'azure-native:containerservice:listManagedClusterAdminCredentials',
    path: `${cluster}/listClusterAdminCredential`,
    apiVersion: '2025-09-01',
    method: 'POST',
    query: { serverFqdn: 'server-fqdn' },
    secrets: ['kubeconfigs'],
  },
  {
    token: 'azure-native:storage:getStorageAccount',
    path: storageAccount,
    apiVersion: '2024-01-01',
    method: 'GET',
    top: ['location', 'tags', 'sku', 'identity', 'extendedLocation', 'kind', 'placement', 'zones'],
    query: { expand: '$expand' },
  },
  {
    token: 'azure-native:storage:listStorageAccountKeys',
    path: `${storageAccount}/listKeys`,
    apiVersion: '2024-01-01',
    method: 'POST',
    query: { expand: '$expand' },
    secrets: ['keys'],
  },
  {
    token: 'azure-native:redis:listRedisKeys',
    path: `${group}/providers/Microsoft.Cache/redis/{name}/listKeys`,
    apiVersion: '2024-11-01',
    method: 'POST',
    secrets: ['primaryKey', 'secondaryKey'],
  },
  {
    token: 'azure-native:servicebus:listNamespaceKeys',
    path: `${group}/providers/Microsoft.ServiceBus/namespaces/{namespaceName}/AuthorizationRules/{authorizationRuleName}/listKeys`,
    apiVersion: '2026-01-01',
    method: 'POST',
    secrets: ['primaryKey', 'secondaryKey', 'primaryConnectionString', 'secondaryConnectionString'],
  },
  {
    token: 'azure-native:network:getSubnet',
    path: `${network}/virtualNetworks/{virtualNetworkName}/subnets/{subnetName}`,
    apiVersion: '2024-05-01',
    method: 'GET',
    top: ['id'],
    query: { expand: '$expand' },
  },
  {
    token: 'azure-native:network:getNetworkSecurityGroup',
    path: `${network}/networkSecurityGroups/{networkSecurityGroupName}`,
    apiVersion: '2024-05-01',
    method: 'GET',
    top: ['id', 'location', 'tags'],
    query: { expand: '$expand' },
  },
  {
    token: 'azure-native:dns:getZone',
    path: `${network}/dnsZones/{zoneName}`,
    apiVersion: '2023-07-01-preview',
    method: 'GET',
    top: ['location', 'tags'],
  },
];

export function functionType(token: string): FunctionType | undefined {
  return functionTypes.find((type) => type.token === token);
}
