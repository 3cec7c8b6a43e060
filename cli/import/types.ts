/** How a type of resource is found in Azure. */
export interface ImportableType {
  /** Type token in the stack. */
  token: string;
  /** Type in Azure; undefined of what is no resource of its own there. */
  type?: string;
  /** Its resource id, with the inputs that it is made of in braces, by path. */
  id: string;
  apiVersion: string;
  /** For people. */
  label: string;
}

const group = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';
const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{resourceName}`;
const vault = `${group}/providers/Microsoft.KeyVault/vaults/{vaultName}`;
const endpoint = `${group}/providers/Microsoft.Network/privateEndpoints/{privateEndpointName}`;

/** Every type that the program makes in Azure, with the ids that the provider has them under. */
export const importableTypes: readonly ImportableType[] = [
  {
    token: 'azure-native:resources:ResourceGroup',
    type: 'Microsoft.Resources/resourceGroups',
    id: group,
    apiVersion: '2024-03-01',
    label: 'resource group',
  },
  {
    token: 'azure-native:managedidentity:UserAssignedIdentity',
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    id: identity,
    apiVersion: '2023-01-31',
    label: 'identity',
  },
  {
    token: 'azure-native:managedidentity:FederatedIdentityCredential',
    id: `${identity}/federatedIdentityCredentials/{federatedIdentityCredentialResourceName}`,
    apiVersion: '2023-01-31',
    label: 'federated credential',
  },
  {
    token: 'azure-native:keyvault:Vault',
    type: 'Microsoft.KeyVault/vaults',
    id: vault,
    apiVersion: '2024-11-01',
    label: 'vault',
  },
  {
    token: 'azure-native:keyvault:Secret',
    type: 'Microsoft.KeyVault/vaults/secrets',
    id: `${vault}/secrets/{secretName}`,
    apiVersion: '2024-11-01',
    label: 'secret',
  },
  {
    // Azure has no such resource: it is an entry of the vault, and this is the provider's id for it.
    token: 'azure-native:keyvault:AccessPolicy',
    id: `${vault}/accessPolicy/{policy.objectId}`,
    apiVersion: '2024-11-01',
    label: 'access policy',
  },
  {
    token: 'azure-native:authorization:RoleAssignment',
    id: '{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}',
    apiVersion: '2022-04-01',
    label: 'role assignment',
  },
  {
    token: 'azure-native:authorization:ManagementLockByScope',
    id: '{scope}/providers/Microsoft.Authorization/locks/{lockName}',
    apiVersion: '2020-05-01',
    label: 'lock',
  },
  {
    token: 'azure-native:containerservice:ManagedCluster',
    type: 'Microsoft.ContainerService/managedClusters',
    id: `${group}/providers/Microsoft.ContainerService/managedClusters/{resourceName}`,
    apiVersion: '2025-09-01',
    label: 'cluster',
  },
  {
    token: 'azure-native:operationalinsights:Workspace',
    type: 'Microsoft.OperationalInsights/workspaces',
    id: `${group}/providers/Microsoft.OperationalInsights/workspaces/{workspaceName}`,
    apiVersion: '2023-09-01',
    label: 'log workspace',
  },
  {
    token: 'azure-native:monitor:DiagnosticSetting',
    id: '{resourceUri}/providers/Microsoft.Insights/diagnosticSettings/{name}',
    apiVersion: '2021-05-01-preview',
    label: 'diagnostic setting',
  },
  {
    token: 'azure-native:network:PrivateEndpoint',
    type: 'Microsoft.Network/privateEndpoints',
    id: endpoint,
    apiVersion: '2024-05-01',
    label: 'private endpoint',
  },
  {
    token: 'azure-native:network:PrivateDnsZoneGroup',
    id: `${endpoint}/privateDnsZoneGroups/{privateDnsZoneGroupName}`,
    apiVersion: '2024-05-01',
    label: 'private DNS zone group',
  },
];

export function importableType(token: string): ImportableType | undefined {
  return importableTypes.find((type) => type.token === token);
}

/** The inputs that an id is made of, by path; `subscriptionId` is none. */
export function idInputs({ id }: ImportableType): string[] {
  return [...id.matchAll(/\{([^}]+)\}/g)]
    .map(([, path = '']) => path)
    .filter((path) => path !== 'subscriptionId');
}

/** The id, or undefined if one of its parts is not known. */
export function resourceIdOf(
  { id }: ImportableType,
  part: (path: string) => string | undefined,
): string | undefined {
  const missing = [...id.matchAll(/\{([^}]+)\}/g)].some(([, path = '']) => part(path) === undefined);
  if (missing) return undefined;
  return id.replace(/\{([^}]+)\}/g, (_, path: string) => part(path)?.replace(/\/+$/, '') ?? '');
}
