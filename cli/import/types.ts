import { apiVersions } from '../../stacks/offline';

/** How resources of a type are found in Azure. */
export interface ImportableType {
  /** Resource id as the provider has it, with the inputs that it is made of in braces, by path. */
  id: string;
  apiVersion: string;
}

const group = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';
const identityIdPattern = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{resourceName}`;
const vaultIdPattern = `${group}/providers/Microsoft.KeyVault/vaults/{vaultName}`;
const clusterIdPattern = `${group}/providers/Microsoft.ContainerService/managedClusters/{resourceName}`;
const workspaceIdPattern = `${group}/providers/Microsoft.OperationalInsights/workspaces/{workspaceName}`;
const endpoint = `${group}/providers/Microsoft.Network/privateEndpoints/{privateEndpointName}`;

export const policyType = 'azure-native:keyvault:AccessPolicy';
export const credentialType = 'azure-native:managedidentity:FederatedIdentityCredential';
export const assignmentType = 'azure-native:authorization:RoleAssignment';

/** Every type that the program makes in Azure, by its token. */
export const importableTypes: Readonly<Record<string, ImportableType>> = {
  'azure-native:resources:ResourceGroup': { id: group, apiVersion: '2024-03-01' },
  'azure-native:managedidentity:UserAssignedIdentity': {
    id: identityIdPattern,
    apiVersion: apiVersions.identities,
  },
  [credentialType]: {
    id: `${identityIdPattern}/federatedIdentityCredentials/{federatedIdentityCredentialResourceName}`,
    apiVersion: apiVersions.identities,
  },
  'azure-native:keyvault:Vault': { id: vaultIdPattern, apiVersion: apiVersions.vaults },
  'azure-native:keyvault:Secret': {
    id: `${vaultIdPattern}/secrets/{secretName}`,
    apiVersion: apiVersions.vaults,
  },
  // An access policy is an entry of its vault in Azure, and this is the id that the provider gives it.
  [policyType]: { id: `${vaultIdPattern}/accessPolicy/{policy.objectId}`, apiVersion: apiVersions.vaults },
  [assignmentType]: {
    id: '{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}',
    apiVersion: apiVersions.assignments,
  },
  'azure-native:authorization:ManagementLockByScope': {
    id: '{scope}/providers/Microsoft.Authorization/locks/{lockName}',
    apiVersion: '2020-05-01',
  },
  'azure-native:containerservice:ManagedCluster': { id: clusterIdPattern, apiVersion: '2025-09-01' },
  'azure-native:operationalinsights:Workspace': { id: workspaceIdPattern, apiVersion: '2023-09-01' },
  'azure-native:monitor:DiagnosticSetting': {
    id: '{resourceUri}/providers/Microsoft.Insights/diagnosticSettings/{name}',
    apiVersion: '2021-05-01-preview',
  },
  'azure-native:network:PrivateEndpoint': { id: endpoint, apiVersion: '2024-05-01' },
  'azure-native:network:PrivateDnsZoneGroup': {
    id: `${endpoint}/privateDnsZoneGroups/{privateDnsZoneGroupName}`,
    apiVersion: '2024-05-01',
  },
};

const input = /\{([^}]+)\}/g;

/** An id with its inputs filled in; undefined if one of them is not known. */
export function completed(
  pattern: string,
  valueOf: (path: string) => string | undefined,
): string | undefined {
  const paths = [...pattern.matchAll(input)].map(([, path = '']) => path);
  if (paths.some((path) => valueOf(path) === undefined)) return undefined;
  return pattern.replace(input, (_, path: string) => valueOf(path)?.replace(/\/+$/, '') ?? '');
}

/** Whether `aks-wi import` can take a resource with this id into the stack. */
export function isImportable(id: string): boolean {
  return (
    /^\/(applications|groups)\//.test(id) ||
    Object.values(importableTypes).some((type) =>
      new RegExp(`^${type.id.replace(input, '[^/]+')}$`, 'i').test(id),
    )
  );
}
