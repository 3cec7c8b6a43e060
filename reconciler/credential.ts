import { AzureCliCredential, WorkloadIdentityCredential } from '@azure/identity';
import type { TokenCredential } from '@azure/identity';

/** Signs in with workload identity in a cluster, and as the Azure CLI's account with `--once` in a pipeline. */
export function azureCredential(isOnce: boolean): TokenCredential {
  const { AZURE_FEDERATED_TOKEN_FILE: token } = process.env;
  return isOnce && token === undefined ? new AzureCliCredential() : new WorkloadIdentityCredential();
}
