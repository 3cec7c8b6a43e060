import { apiVersions, resourceUrl, type Cloud } from '../stacks/offline';
import { readService } from './azureReader';

/** Removes access through Azure's resource manager, and through Microsoft Graph. */
export interface AzureRemover {
  /** Deletes what is at this path in Entra; what is not there is no error. */
  deleteInEntra(path: string): Promise<void>;
  /** Deletes the resource; one that is not there is no error. */
  delete(id: string, apiVersion: string): Promise<void>;
  /** Takes from a vault these access policies, as the vault has them. */
  removePolicies(vault: string, policies: readonly unknown[]): Promise<void>;
}

/** Removes access in a cloud. */
export function createAzureRemover(cloud: Cloud, env: NodeJS.ProcessEnv): AzureRemover {
  const { endpoint, write } = readService(cloud, env, 'resourceManager');
  const graph = readService(cloud, env, 'graph');
  return {
    deleteInEntra: (path) => graph.write('DELETE', `${graph.endpoint}/v1.0${encodeURI(path)}`),
    delete: (id, apiVersion) => write('DELETE', resourceUrl(endpoint, id, apiVersion)),
    removePolicies: (vault, accessPolicies) =>
      write('PUT', resourceUrl(endpoint, `${vault}/accessPolicies/remove`, apiVersions.vaults), {
        properties: { accessPolicies },
      }),
  };
}
