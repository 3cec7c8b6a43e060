import { AzureCliCredential, WorkloadIdentityCredential } from '@azure/identity';
import type { TokenCredential } from '@azure/identity';

/** In a cluster, a program signs in to Azure by workload identity; with `--once` in a pipeline, as the Azure CLI's account. */
export function azureCredential(isOnce: boolean): TokenCredential {
  const { AZURE_FEDERATED_TOKEN_FILE: token } = process.env;
  return isOnce && token === undefined ? new AzureCliCredential() : new WorkloadIdentityCredential();
}
