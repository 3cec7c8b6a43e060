import { apiVersions, resourceUrl } from '../components/azure/resourceManager';
import type { Cloud } from '../components/azure/clouds';
import { readService } from './azureReader';

/** Removes access of any type by id, like `AzureReader`, through Azure's resource manager and Microsoft Graph. */
export interface AzureRemover {
  /** Deletes the object at this path in Entra, if it exists. */
  deleteInEntra(path: string): Promise<void>;
  /** Deletes the resource, if it exists. */
  delete(id: string, apiVersion: string): Promise<void>;
  /** Writes the properties of an existing resource. */
  update(id: string, apiVersion: string, properties: unknown): Promise<void>;
  /** Removes access policies, in the vault's own form, from a vault. */
  removePolicies(vault: string, policies: readonly unknown[]): Promise<void>;
}

/** Creates a remover for a cloud. */
export function createAzureRemover(cloud: Cloud, env: NodeJS.ProcessEnv): AzureRemover {
  const { endpoint, write } = readService(cloud, env, 'resourceManager');
  const graph = readService(cloud, env, 'graph');
  return {
    deleteInEntra: (path) => graph.write('DELETE', `${graph.endpoint}/v1.0${encodeURI(path)}`),
    delete: (id, apiVersion) => write('DELETE', resourceUrl(endpoint, id, apiVersion)),
    update: (id, apiVersion, properties) =>
      write('PUT', resourceUrl(endpoint, id, apiVersion), { properties }),
    removePolicies: (vault, accessPolicies) =>
      write('PUT', resourceUrl(endpoint, `${vault}/accessPolicies/remove`, apiVersions.vaults), {
        properties: { accessPolicies },
      }),
  };
}
