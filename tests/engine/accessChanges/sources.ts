/** Where vendors say how access is gained. Pages of Microsoft are in learn.microsoft.com, by their paths there. */
export const sources = {
  trust:
    'entra/workload-id/workload-identity-federation-create-trust-user-assigned-managed-identity: issuer, subject and audience say who signs in',
  identityBindings:
    'azure/aks/identity-bindings: whoever has the role on the client id in a cluster with a binding uses the identity',
  considerations:
    'entra/workload-id/workload-identity-federation-considerations: issuer and subject are matched exactly; whoever has the issuer has the subjects',
  audience:
    'graph/api/resources/federatedidentitycredential: which audience a token has to have to be exchanged',
  issuer:
    'azure.github.io/azure-workload-identity oidc-issuer: Entra takes the keys from the address of the issuer',
  namespaces:
    'kubernetes.io/docs/concepts/security/rbac-good-practices: whoever makes pods in a namespace can use its service accounts and secrets',
  kubernetesSecrets:
    'kubernetes.io/docs/concepts/configuration/secret: whoever reads secrets in a namespace, or makes pods there, has them',
  localAccounts:
    'azure/aks/manage-local-accounts-managed-azure-ad: listClusterAdminCredential gives a certificate of an administrator while local accounts are on',
  administrators:
    'azure/aks/enable-authentication-microsoft-entra-id: members of the admin groups are cluster administrators',
  apiServer:
    'azure/aks/api-server-authorized-ip-ranges: without ranges, every address reaches the API server',
  sharing:
    'entra/identity/managed-identities-azure-resources/managed-identity-best-practice-recommendations: what an identity may, all that use it may',
  rotation:
    'entra/identity/managed-identities-azure-resources/overview: an identity has only what it is assigned',
  scopes: 'azure/role-based-access-control/scope-overview: a role holds at its scope and below',
  roles: 'azure/role-based-access-control/built-in-roles',
  customRoles:
    'azure/role-based-access-control/custom-roles: what a custom role allows, only its definition in the directory says',
  conditions:
    'azure/role-based-access-control/delegate-role-assignments-overview: who assigns roles, under a condition',
  vaultRoles: 'azure/key-vault/general/rbac-guide: a role on one secret reads that one',
  nameConditions: 'azure-security-docs/key-vault/general/rbac-abac: a condition names secrets, in preview',
  vaultPolicies: 'azure/key-vault/general/assign-access-policy: a policy is for all secrets of the vault',
  vaultContributor:
    'azure/key-vault/general/rbac-access-policy: whoever may write a vault with access policies can give himself one',
  vaultNetwork: 'azure/key-vault/general/network-security: who reaches the vault',
  vaultNames:
    'azure/key-vault/general/about-keys-secrets-certificates: names are unique in a vault, in any case',
  privateLink: 'azure/key-vault/general/private-link-service: an endpoint opens the vault to its network',
  groups: 'azure/role-based-access-control/overview: members of a group have what is assigned to it',
  groupOwners: 'entra/fundamentals/how-to-manage-groups: owners add members',
  appCredentials:
    'entra/identity-platform/security-best-practices-for-app-registration: whoever has the certificate or the password is the application',
  passwords: 'entra/identity-platform/how-to-add-credentials: a password is sent, a certificate is not',
  podIdentityBinding:
    'azure.github.io/aad-pod-identity/docs/concepts/azureidentitybinding: every pod with the label gets tokens',
  podIdentityException:
    'azure.github.io/aad-pod-identity/docs/configure/application_exception: such pods get tokens of the identities of their node',
  podIdentityNodes:
    'azure.github.io/aad-pod-identity/docs/concepts/mic: the controller assigns identities to nodes',
  storageKeys: 'azure/storage/common/storage-account-keys-manage: a key gives all data of the account',
  storageRoles: 'azure/storage/blobs/authorize-access-azure-active-directory: a role for each kind of data',
  database:
    'azure/postgresql/flexible-server/security-entra-concepts: an Entra administrator may do everything on the server',
  serviceBus:
    'azure/service-bus-messaging/service-bus-sas: who has the key of a rule has what the rule allows',
  operator:
    'azure.github.io/azure-service-operator/guide/authentication: whoever makes its custom resources acts by its identity',
  operatorResources:
    'azure.github.io/azure-service-operator/reference: its kinds include RoleAssignment and FederatedIdentityCredential',
  charts: 'helm.sh/docs/topics/charts: a chart makes any object, also bindings of roles and service accounts',
  certManager:
    'cert-manager.io/docs/installation/best-practice: it reads and writes secrets in all namespaces',
  webhook:
    'azure.github.io/azure-workload-identity/docs/installation/mutating-admission-webhook: it changes pods',
  csi: 'secrets-store-csi-driver.sigs.k8s.io/topics/sync-as-kubernetes-secret: secrets are copied into the namespace',
  hostedIdentities:
    'Azure/ARO-HCP demo/bicep/cluster.bicep, openshift/hypershift AzureAuthenticationConfiguration: identities of the components and their roles',
  hostedReader:
    'openshift/hypershift ARO_HCP_KEY_VAULT_USER_CLIENT_ID: the identity on the nodes reads the credentials of all components',
  hostedTokens:
    'hypershift.pages.dev/reference/api HostedClusterSpec issuerURL, serviceAccountSigningKey: whoever has the key issues tokens of all service accounts',
  hostedSpec:
    'hypershift.pages.dev/reference/api HostedClusterSpec configuration, sshKey: who signs in to the hosted cluster',
  encryption: 'azure/key-vault/keys/about-keys: Crypto User encrypts and decrypts by the key',
  managementGroups:
    'azure/governance/management-groups/overview: what is assigned there holds in all subscriptions',
  places:
    'azure/azure-resource-manager/management/overview: what is assigned on a resource group holds on everything in it',
  ids: 'azure/azure-resource-manager/management/resource-name-rules: ids of resources are the same in any case',
  nothing: 'docs/configuration.md: the setting says nothing of who may use what',
};
