import { apiVersions } from '../../components/azure/resourceManager';
import { identityBindingType } from '../../components/identity/bindingNames';

/** The way to find resources of a type in Azure. */
export interface ImportableType {
  /** Resource id in the provider's form, with the inputs that are part of it in braces, by path. */
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

/** Every type that the program creates in Azure, by its token. */
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
  // In Azure, an access policy is an entry of its vault; this is the provider's id for it.
  [policyType]: { id: `${vaultIdPattern}/accessPolicy/{policy.objectId}`, apiVersion: apiVersions.vaults },
  [assignmentType]: {
    id: '{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}',
    apiVersion: apiVersions.assignments,
  },
  'azure-native:authorization:ManagementLockByScope': {
    id: '{scope}/providers/Microsoft.Authorization/locks/{lockName}',
    apiVersion: '2020-05-01',
  },
  'azure-native:containerservice:ManagedCluster': {
    id: clusterIdPattern,
    apiVersion: apiVersions.clusters,
  },
  [identityBindingType]: {
    id: `${clusterIdPattern}/identityBindings/{identityBindingName}`,
    apiVersion: apiVersions.identityBindings,
  },
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

/** Returns an id with its inputs filled in; undefined if one of them is unknown. */
export function completed(
  pattern: string,
  valueOf: (path: string) => string | undefined,
): string | undefined {
  const paths = [...pattern.matchAll(input)].map(([, path = '']) => path);
  if (paths.some((path) => valueOf(path) === undefined)) return undefined;
  return pattern.replace(input, (_, path: string) => valueOf(path)?.replace(/\/+$/, '') ?? '');
}

/** Tells whether `aks-wi import` can import a resource with this id. */
export function isImportable(id: string): boolean {
  return (
    /^\/(applications|groups)\//.test(id) ||
    Object.values(importableTypes).some((type) =>
      new RegExp(`^${type.id.replace(input, '[^/]+')}$`, 'i').test(id),
    )
  );
}
