// Paths of resources in the resource manager, and members of their bodies next to `properties`.

export const group = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';
export const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{resourceName}`;
export const vault = `${group}/providers/Microsoft.KeyVault/vaults/{vaultName}`;
export const storageAccount = `${group}/providers/Microsoft.Storage/storageAccounts/{accountName}`;
export const cluster = `${group}/providers/Microsoft.ContainerService/managedClusters/{resourceName}`;
export const workspace = `${group}/providers/Microsoft.OperationalInsights/workspaces/{workspaceName}`;
export const privateEndpoint = `${group}/providers/Microsoft.Network/privateEndpoints/{privateEndpointName}`;
export const diagnosticSetting = '/{resourceUri}/providers/Microsoft.Insights/diagnosticSettings/{name}';
export const workspaceTop = ['location', 'tags', 'identity'] as const;
export const endpointTop = ['location', 'tags', 'extendedLocation', 'id'] as const;
export const clusterTop = ['location', 'tags', 'sku', 'identity', 'extendedLocation', 'kind'] as const;
export const network = `${group}/providers/Microsoft.Network`;
