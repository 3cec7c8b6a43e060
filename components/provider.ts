import { componentProviderHost } from '@pulumi/pulumi/provider/experimental';
import {
  AzureDependency,
  CertManager,
  FederatedCredentials,
  KeyVault,
  LogWorkspace,
  ManagedIdentity,
  ProvisioningCredential,
  ServiceOperator,
  Workload,
  WorkloadIdentityCluster,
  WorkloadIdentityWebhook,
} from './index';

void componentProviderHost({
  name: 'aks-workload-identity',
  components: [
    AzureDependency,
    CertManager,
    FederatedCredentials,
    KeyVault,
    LogWorkspace,
    ManagedIdentity,
    ProvisioningCredential,
    ServiceOperator,
    Workload,
    WorkloadIdentityCluster,
    WorkloadIdentityWebhook,
  ],
  dirname: __dirname,
});
