import type { Store } from '../store/store';
import { OPENSHIFT_ROLES } from './openShiftRoles';
import type { RoleDefinition } from './roleDefinition';
import { role } from './roleDefinition';
import { SERVICE_ROLES } from './serviceRoles';

export type { Permission, RoleDefinition } from './roleDefinition';

/** Common actions of the roles that manage a service. */
const MANAGEMENT = [
  'Microsoft.Authorization/*/read',
  'Microsoft.Insights/alertRules/*',
  'Microsoft.Resources/deployments/*',
  'Microsoft.Resources/subscriptions/resourceGroups/read',
  'Microsoft.Support/*',
];

const KEY_VAULT_MANAGEMENT_READ = [
  ...MANAGEMENT,
  'Microsoft.KeyVault/checkNameAvailability/read',
  'Microsoft.KeyVault/deletedVaults/read',
  'Microsoft.KeyVault/locations/*/read',
  'Microsoft.KeyVault/vaults/*/read',
  'Microsoft.KeyVault/operations/read',
];

/** GUIDs of the data roles of Key Vault. */
const KEY_VAULT_DATA_ROLES = [
  '00482a5a-887f-4fb3-b363-3b7fe8e74483',
  'a4417e6f-fecd-4de8-b567-7b0420556985',
  '14b46e9e-c2b7-41b4-b07b-48a6ebf60603',
  'e147488a-f6f5-4113-8e2d-b22465e65bf6',
  '12338af0-0e69-4776-bea7-57ae8d297424',
  '21090545-7ca7-4776-b22c-e363652d74d2',
  'b86a8fe4-44ce-4948-aee5-eccb2c155cd7',
  '4633458b-17de-408a-b874-0445c86b69e6',
].join(', ');

const KEY_VAULT_DATA_ROLES_ONLY = `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/write'})) OR (@Request[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals{${KEY_VAULT_DATA_ROLES}})) AND ((!(ActionMatches{'Microsoft.Authorization/roleAssignments/delete'})) OR (@Resource[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals{${KEY_VAULT_DATA_ROLES}}))`;

/**
 * The built-in roles that workload identity deployments use. Source: MicrosoftDocs/azure-docs
 * `articles/role-based-access-control/built-in-roles/*.md`, and azure-service-operator's recording
 * Test_Authorization_RoleAssignmentOfBuiltInRole_OnResourceGroup_CRUD.yaml.
 */
export const BUILT_IN_ROLES: readonly RoleDefinition[] = [
  role('8e3af657-a8ff-443c-a75c-2fe8c4bcb635', 'Owner', 'Full access, including the right to assign roles.', {
    actions: ['*'],
  }),
  role('b24988ac-6180-42a0-ab88-20f7382dd24c', 'Contributor', 'Full access, without assigning roles.', {
    actions: ['*'],
    notActions: [
      'Microsoft.Authorization/*/Delete',
      'Microsoft.Authorization/*/Write',
      'Microsoft.Authorization/elevateAccess/Action',
      'Microsoft.Blueprint/blueprintAssignments/write',
      'Microsoft.Blueprint/blueprintAssignments/delete',
      'Microsoft.Compute/galleries/share/action',
      'Microsoft.Purview/consents/write',
      'Microsoft.Purview/consents/delete',
      'Microsoft.Resources/deploymentStacks/manageDenySetting/action',
      'Microsoft.Subscription/cancel/action',
      'Microsoft.Subscription/enable/action',
    ],
  }),
  role('acdd72a7-3385-48ef-bd42-f606fba81ae7', 'Reader', 'View all resources, change none.', {
    actions: ['*/read'],
  }),
  role(
    '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9',
    'User Access Administrator',
    'Manage access to Azure resources.',
    { actions: ['*/read', 'Microsoft.Authorization/*', 'Microsoft.Support/*'] },
  ),
  role(
    'f58310d9-a9f6-439a-9e8d-f62e7b41a168',
    'Role Based Access Control Administrator',
    'Manage access to Azure resources by assigning roles.',
    {
      actions: [
        'Microsoft.Authorization/roleAssignments/write',
        'Microsoft.Authorization/roleAssignments/delete',
        '*/read',
        'Microsoft.Support/*',
      ],
    },
  ),
  role(
    'f1a07417-d97a-45cb-824c-7a7467783830',
    'Managed Identity Operator',
    'Read and assign user-assigned identities.',
    {
      actions: [
        'Microsoft.ManagedIdentity/userAssignedIdentities/*/read',
        'Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action',
        ...MANAGEMENT,
      ],
    },
  ),
  role(
    'e40ec5ca-96e0-45a2-b4ff-59039f2c2b59',
    'Managed Identity Contributor',
    'Create, read, update and delete user-assigned identities.',
    {
      actions: [
        'Microsoft.ManagedIdentity/userAssignedIdentities/read',
        'Microsoft.ManagedIdentity/userAssignedIdentities/write',
        'Microsoft.ManagedIdentity/userAssignedIdentities/delete',
        'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/read',
        'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write',
        'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/delete',
        'Microsoft.ManagedIdentity/userAssignedIdentities/revokeTokens/action',
        ...MANAGEMENT,
      ],
    },
  ),
  role(
    'f25e0fa2-a7c8-4377-a976-54943a77a395',
    'Key Vault Contributor',
    'Manage vaults, not their contents.',
    {
      actions: [...MANAGEMENT, 'Microsoft.KeyVault/*'],
      notActions: [
        'Microsoft.KeyVault/locations/deletedVaults/purge/action',
        'Microsoft.KeyVault/hsmPools/*',
        'Microsoft.KeyVault/managedHsms/*',
      ],
    },
  ),
  role(
    '00482a5a-887f-4fb3-b363-3b7fe8e74483',
    'Key Vault Administrator',
    'All data plane operations on a vault and everything in it.',
    { actions: KEY_VAULT_MANAGEMENT_READ, dataActions: ['Microsoft.KeyVault/vaults/*'] },
  ),
  role(
    'b86a8fe4-44ce-4948-aee5-eccb2c155cd7',
    'Key Vault Secrets Officer',
    'Any action on the secrets of a vault, except managing permissions.',
    { actions: KEY_VAULT_MANAGEMENT_READ, dataActions: ['Microsoft.KeyVault/vaults/secrets/*'] },
  ),
  role('4633458b-17de-408a-b874-0445c86b69e6', 'Key Vault Secrets User', 'Read secret contents.', {
    dataActions: [
      'Microsoft.KeyVault/vaults/secrets/getSecret/action',
      'Microsoft.KeyVault/vaults/secrets/readMetadata/action',
    ],
  }),
  role(
    '21090545-7ca7-4776-b22c-e363652d74d2',
    'Key Vault Reader',
    'Read metadata of vaults, certificates, keys and secrets.',
    {
      actions: KEY_VAULT_MANAGEMENT_READ,
      dataActions: [
        'Microsoft.KeyVault/vaults/*/read',
        'Microsoft.KeyVault/vaults/secrets/readMetadata/action',
      ],
    },
  ),
  role(
    '12338af0-0e69-4776-bea7-57ae8d297424',
    'Key Vault Crypto User',
    'Cryptographic operations with keys.',
    {
      dataActions: [
        'Microsoft.KeyVault/vaults/keys/read',
        'Microsoft.KeyVault/vaults/keys/update/action',
        'Microsoft.KeyVault/vaults/keys/backup/action',
        'Microsoft.KeyVault/vaults/keys/encrypt/action',
        'Microsoft.KeyVault/vaults/keys/decrypt/action',
        'Microsoft.KeyVault/vaults/keys/wrap/action',
        'Microsoft.KeyVault/vaults/keys/unwrap/action',
        'Microsoft.KeyVault/vaults/keys/sign/action',
        'Microsoft.KeyVault/vaults/keys/verify/action',
      ],
    },
  ),
  role(
    'db79e9a7-68ee-4b58-9aeb-b90e7c24fcba',
    'Key Vault Certificate User',
    'Read certificate contents, their secret and key parts included.',
    {
      dataActions: [
        'Microsoft.KeyVault/vaults/certificates/read',
        'Microsoft.KeyVault/vaults/secrets/getSecret/action',
        'Microsoft.KeyVault/vaults/secrets/readMetadata/action',
        'Microsoft.KeyVault/vaults/keys/read',
      ],
    },
  ),
  role(
    '8b54135c-b56d-4d72-a534-26097cfdc8d8',
    'Key Vault Data Access Administrator',
    'Manage access to Key Vault by assigning its data roles.',
    {
      actions: [
        'Microsoft.Authorization/roleAssignments/write',
        'Microsoft.Authorization/roleAssignments/delete',
        'Microsoft.Authorization/*/read',
        'Microsoft.Resources/deployments/*',
        'Microsoft.Resources/subscriptions/resourceGroups/read',
        'Microsoft.Resources/subscriptions/read',
        'Microsoft.Management/managementGroups/read',
        'Microsoft.Support/*',
        'Microsoft.KeyVault/vaults/*/read',
      ],
      condition: KEY_VAULT_DATA_ROLES_ONLY,
      conditionVersion: '2.0',
    },
  ),
  role(
    '0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8',
    'Azure Kubernetes Service Cluster Admin Role',
    'List the cluster administrator credential.',
    {
      actions: [
        'Microsoft.ContainerService/managedClusters/listClusterAdminCredential/action',
        'Microsoft.ContainerService/managedClusters/accessProfiles/listCredential/action',
        'Microsoft.ContainerService/managedClusters/read',
        'Microsoft.ContainerService/managedClusters/runcommand/action',
      ],
    },
  ),
  role(
    '4abbcc35-e782-43d8-92c5-2d3f1bd2253f',
    'Azure Kubernetes Service Cluster User Role',
    'List the cluster user credential.',
    {
      actions: [
        'Microsoft.ContainerService/managedClusters/listClusterUserCredential/action',
        'Microsoft.ContainerService/managedClusters/read',
      ],
    },
  ),
  role(
    'ed7f3fbd-7b88-4dd4-9017-9adb7ce333f8',
    'Azure Kubernetes Service Contributor Role',
    'Manage clusters.',
    {
      actions: [
        'Microsoft.Authorization/*/read',
        'Microsoft.ContainerService/locations/*',
        'Microsoft.ContainerService/managedClusters/*',
        'Microsoft.ContainerService/managedclustersnapshots/*',
        'Microsoft.ContainerService/snapshots/*',
        'Microsoft.ContainerService/deploymentSafeguards/*',
        'Microsoft.Insights/alertRules/*',
        'Microsoft.Resources/deployments/*',
        'Microsoft.Resources/subscriptions/resourceGroups/read',
      ],
    },
  ),
  ...SERVICE_ROLES,
  ...OPENSHIFT_ROLES,
];

const nameIn = (idOrName: string): string => (idOrName.split('/').pop() ?? '').toLowerCase();

/** The built-in role with that GUID, or with that role definition id. */
export function roleDefinition(idOrName: string): RoleDefinition | undefined {
  const name = nameIn(idOrName);
  return BUILT_IN_ROLES.find((candidate) => candidate.name === name);
}

/** The built-in or custom role with that GUID, or with that role definition id. */
export const findRole = (store: Pick<Store, 'customRoles'>, idOrName: string): RoleDefinition | undefined =>
  roleDefinition(idOrName) ?? store.customRoles.get(nameIn(idOrName));
