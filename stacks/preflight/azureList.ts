import { getClientToken } from '@pulumi/azure-native/authorization';
import type * as pulumi from '@pulumi/pulumi';
import type { AzureList } from '../../components/azure/resourceManager';
import { allPages, listUrl } from '../../components/azure/resourceManager';
import type { Cloud } from '../../components/azure/clouds';

/**
 * Every item of a list of the resource manager, for which azure-native has no function. Undefined where it cannot be read:
 * the identity that deploys may not be allowed to, and then Azure says at the write what is wrong.
 */
export type ListInAzure = (
  list: AzureList,
  opts?: pulumi.InvokeOptions,
) => Promise<readonly Readonly<Record<string, unknown>>[] | undefined>;

const timeoutMs = 10_000;

/** Lists with the token of the identity that deploys. */
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

/** The pipeline of Azure's own clients, which knows proxies; loaded only where something is listed. */
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
