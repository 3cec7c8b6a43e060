export * from './accessWindows/accessWindows';
export type { AccessWindow } from './accessWindows/windows';
export * from './access/roleGrants';
export {
  SecretDelivery,
  type WorkloadArgs,
  type WorkloadChart,
  type WorkloadImage,
  type WorkloadVault,
} from './application/arguments';
export type { WorkloadDependency } from './application/dependencies';
export { secretsFolder } from './application/secretProviderClass';
export * from './application/secretVariable';
export { WorkloadSignIn } from './application/signIn';
export * from './application/workload';
export type { ServiceSuffixes } from './azure/clouds';
export type { ResourceId } from './azure/resourceId';
export { clusterKubeconfig, type ClusterTarget } from './cluster/kubeconfig';
export { ClusterTier, type NewCluster, type SystemNodePoolArgs } from './cluster/managedCluster';
export * from './cluster/workloadIdentityCluster';
export type { AzureDependencyArgs, DependencyCluster, ResourceGroupReference } from './dependency/arguments';
export * from './dependency/azureDependency';
export * from './dependency/connectionWriter';
export * from './dependency/connectionWriterRole';
export { type ExportedValue, ValueSource } from './dependency/exported';
export * from './dependency/provisioningCredential';
export {
  DependencyConnection,
  DependencyKey,
  ServiceTier,
  StorageData,
  type DependencyServiceArgs,
  type IdentityService,
  type PostgresqlService,
  type RedisService,
  type ResourceService,
  type ServiceBusService,
  type StorageAccountService,
  type VaultService,
} from './dependency/service';
export type { DependingIdentity } from './dependency/specification';
export * from './entra/certificateIdentity';
export * from './entra/entraGroup';
export type { NewApplication } from './entra/ownedApplication';
export * from './entra/servicePrincipalIdentity';
export {
  ObjectEncoding,
  type HostedClusterCertificates,
  type HostedClusterComponentArgs,
  type HostedClusterIdentitiesArgs,
  type HostedClusterKey,
  type HostedClusterScopes,
  type HostedClusterVault,
} from './hypershift/arguments';
export type { HostedIdentity, HostedIdentityRole } from './hypershift/identity';
export { HostedClusterComponent } from './hypershift/components';
export * from './hypershift/hostedCluster';
export { HostedClusterIdentities } from './hypershift/hostedClusterIdentities';
export * from './hypershift/hyperShiftOperator';
export {
  FederatedCredentials,
  type FederatedCredentialsArgs,
  type FederatedIdentity,
  type TrustedServiceAccount,
} from './identity/federatedCredentials';
export { IdentityBinding, type IdentityBindingArgs, type IdentityToBind } from './identity/identityBinding';
export * from './identity/managedIdentity';
export * from './identity/pipelineIdentity';
export * from './identity/selfReader';
export * from './identity/signIn';
export type { StoredCredential } from './identity/storedCredential';
export type { ServiceAccountReference } from './identity/subjects';
export type { GitHubIds, GitHubJob, ServiceConnection, TrustedPipeline } from './identity/trustedPipeline';
export type { LogDestination } from './logs/diagnosticLogs';
export * from './logs/logWorkspace';
export * from './platform/certManager';
export type { ChartSource } from './platform/chart';
export type { ReadIdentity, SelfReadingArgs } from './platform/selfReading';
export * from './platform/serviceOperator';
export * from './platform/vendorCharts';
export * from './platform/workloadIdentityWebhook';
export type { ReconcilerIdentity, ReconcilerSettings } from './reconciler/reconcilerPod';
export { InvalidArgumentError, UserError } from './resource/errors';
export type { NewResource } from './resource/newResource';
export { VaultAccess } from './vault/access';
export type {
  KeyVaultArgs,
  NewKeyVault,
  SecretGrant,
  VaultFirewall,
  VaultPrivateEndpoint,
} from './vault/arguments';
export * from './podIdentity/podIdentity';
export * from './podIdentity/podIdentityBinding';
export * from './podIdentity/tokenEvents';
export * from './vault/keyVault';
