import { getClientToken } from '@pulumi/azure-native/authorization';
import type * as pulumi from '@pulumi/pulumi';
import { isRecord } from '../configuration/record';
import { knownResourceManager } from '../environment/currentCloud';

/** A federated credential that an identity has in Azure. */
export interface FoundCredential {
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
}

/**
 * Lists the federated credentials of an identity, whoever made them. Undefined where that is not to be had: who deploys
 * may not be allowed to list them, and then Azure says at the write what is wrong.
 */
export type ListCredentials = (
  identityId: string,
  opts: pulumi.InvokeOptions,
) => Promise<readonly FoundCredential[] | undefined>;

const apiVersion = '2023-01-31';
const timeoutMs = 10_000;

/** By the resource manager, with the token of who deploys: azure-native has no function for it. */
export const listCredentials: ListCredentials = async (identityId, opts) => {
  const endpoint = knownResourceManager(process.env);
  if (endpoint === undefined) return undefined;
  try {
    const [{ token }, get] = await Promise.all([getClientToken({}, opts), jsonReader()]);
    const found: FoundCredential[] = [];
    let next: string | undefined =
      `${endpoint}${encodeURI(identityId)}/federatedIdentityCredentials?api-version=${apiVersion}`;
    while (next !== undefined) {
      const page = await get(next, token);
      found.push(...(Array.isArray(page.value) ? page.value.flatMap(credentialOf) : []));
      const { nextLink } = page;
      // The token goes nowhere else.
      next = typeof nextLink === 'string' && new URL(nextLink).origin === endpoint ? nextLink : undefined;
    }
    return found;
  } catch {
    return undefined;
  }
};

type ReadJson = (url: string, token: string) => Promise<Record<string, unknown>>;

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
    const body: unknown = JSON.parse(bodyAsText ?? '');
    return isRecord(body) ? body : {};
  };
}

function credentialOf(item: unknown): FoundCredential[] {
  if (!isRecord(item) || !isRecord(item.properties)) return [];
  const { name } = item;
  const { issuer, subject } = item.properties;
  if (typeof name !== 'string' || typeof issuer !== 'string' || typeof subject !== 'string') return [];
  return [{ name, issuer, subject }];
}
