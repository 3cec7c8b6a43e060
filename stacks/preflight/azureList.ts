import { getClientToken } from '@pulumi/azure-native/authorization';
import type * as pulumi from '@pulumi/pulumi';
import type { AzureList } from '../../components/azure/resourceManager';
import { allPages, listUrl } from '../../components/azure/resourceManager';
import type { Cloud } from '../../components/azure/clouds';

/**
 * Returns every item of a list of the resource manager for which azure-native has no function, or undefined if it cannot be
 * read. The deploying identity may lack the permission; Azure then reports the error at the write.
 */
export type ListInAzure = (
  list: AzureList,
  opts?: pulumi.InvokeOptions,
) => Promise<readonly Readonly<Record<string, unknown>>[] | undefined>;

const timeoutMs = 10_000;

/** Returns a function that lists with the token of the deploying identity. */
export const listIn =
  ({ resourceManager: endpoint }: Cloud): ListInAzure =>
  async (list, opts) => {
    if (endpoint === undefined) return undefined;
    try {
      const [{ token }, get] = await Promise.all([getClientToken({}, opts), jsonReader()]);
      return await allPages(listUrl(endpoint, list), (url) => get(url, token));
    } catch {
      return undefined;
    }
  };

type ReadJson = (url: string, token: string) => Promise<unknown>;

/**
 * Returns a reader on the HTTP pipeline of Azure's own clients, which supports proxies. It is loaded only when something is
 * listed.
 */
async function jsonReader(): Promise<ReadJson> {
  const { createDefaultHttpClient, createHttpHeaders, createPipelineFromOptions, createPipelineRequest } =
    await import('@azure/core-rest-pipeline');
  const pipeline = createPipelineFromOptions({ retryOptions: { maxRetries: 1 } });
  const client = createDefaultHttpClient();
  return async (url, token) => {
    const headers = createHttpHeaders({ authorization: `Bearer ${token}` });
    const request = createPipelineRequest({ url, headers, timeout: timeoutMs });
    const { status, bodyAsText } = await pipeline.sendRequest(client, request);
    if (status !== 200) throw new Error(`HTTP ${status}`);
    return JSON.parse(bodyAsText ?? '') as unknown;
  };
}
