export type { WorkloadDependency } from './application/dependencies';
export type { WorkloadChart } from './application/chart';
export type { WorkloadImage } from './application/deployment';
export { SecretDelivery, secretsFolder } from './application/secretProviderClass';
export { secretVariable } from './application/secretVariable';
export { Workload, type WorkloadArgs, type WorkloadVault } from './application/workload';
export type { ResourceId } from './azure/resourceId';
export { clusterKubeconfig, type ClusterTarget } from './cluster/kubeconfig';
export { ClusterTier, type NewCluster, type SystemNodePoolArgs } from './cluster/managedCluster';
export {
  WorkloadIdentityCluster,
  type ExistingClusterArgs,
  type ExternalClusterArgs,
  type WorkloadIdentityClusterArgs,
} from './cluster/workloadIdentityCluster';
export {
  AzureDependency,
  type AzureDependencyArgs,
  type DependencyCluster,
} from './dependency/azureDependency';
export { type ExportedValue, ValueSource } from './dependency/exported';
export { ProvisioningCredential, type ProvisioningCredentialArgs } from './dependency/provisioningCredential';
export { DependencyConnection, type DependencyKind, type DependencyServiceArgs } from './dependency/service';
export {
  FederatedCredentials,
  type FederatedCredentialsArgs,
  type FederatedIdentity,
  type TrustedServiceAccount,
} from './identity/federatedCredentials';
export { selfReader } from './identity/selfReader';
export {
  ManagedIdentity,
  type ManagedIdentityArgs,
  type NewManagedIdentity,
} from './identity/managedIdentity';
export type { SignInIdentity } from './identity/signIn';
export type { ServiceAccountReference } from './identity/subjects';
export {
  clusterAuditLogs,
  type LogDestination,
  type LogSelection,
  vaultAuditLogs,
} from './logs/diagnosticLogs';
export { LogWorkspace, type LogWorkspaceArgs, type NewLogWorkspace } from './logs/logWorkspace';
export { CertManager, type CertManagerArgs } from './platform/certManager';
export type { ChartSource } from './platform/chart';
export type { SelfReadingArgs } from './platform/selfReading';
export { ServiceOperator, type ServiceOperatorArgs } from './platform/serviceOperator';
export {
  certManagerChart,
  serviceOperatorChart,
  workloadIdentityWebhookChart,
} from './platform/vendorCharts';
export {
  WorkloadIdentityWebhook,
  type WorkloadIdentityWebhookArgs,
} from './platform/workloadIdentityWebhook';
export { InvalidArgumentError, VisibleError } from './resource/errors';
export { VaultAccess } from './vault/access';
export type { KeyVaultArgs, NewKeyVault, SecretGrant } from './vault/arguments';
export { KeyVault } from './vault/keyVault';
export type { VaultFirewall, VaultPrivateEndpoint } from './vault/network';
