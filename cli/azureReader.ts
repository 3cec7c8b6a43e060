import {
  ClientAssertionCredential,
  ClientSecretCredential,
  DefaultAzureCredential,
  type TokenCredential,
} from '@azure/identity';
import {
  bearerTokenAuthenticationPolicy,
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
} from '@azure/core-rest-pipeline';
import * as z from 'zod';
import { allPages, listUrl, resourceUrl } from '../components/azure/resourceManager';
import { cloudNames, type Cloud } from '../components/azure/clouds';
import { assertionFrom } from './federation';
import { UserError } from './userError';

const azureResource = z.object({
  id: z.string(),
  name: z.string().default(''),
  type: z.string().default(''),
  location: z.string().optional(),
  /** Set on a resource group that Azure created for a resource: that resource's id. */
  managedBy: z.string().nullish(),
  tags: z.record(z.string(), z.string()).nullish(),
  properties: z.record(z.string(), z.unknown()).default({}),
});

/** A resource as the resource manager describes it. */
export type AzureResource = z.infer<typeof azureResource>;

/** Timeout of a request, in milliseconds. */
const timeout = 60_000;

/**
 * Reads resources of any type by id through Azure's resource manager. The vendor's clients would need a package for each
 * service.
 */
export interface AzureReader {
  /** Reads a resource; undefined if it does not exist. */
  get(id: string, apiVersion: string): Promise<AzureResource | undefined>;
  /** Reads all pages of a list; empty if its parent does not exist. */
  list(path: string, apiVersion: string, filter?: string): Promise<AzureResource[]>;
}

/**
 * Signs in like azure-native with the same variables, or else like the vendor's tools.
 * @param authorityHost Entra's address. Default: the client's
 */
export function credential(env: NodeJS.ProcessEnv, authorityHost: string | undefined): TokenCredential {
  const { ARM_TENANT_ID: tenantId, ARM_CLIENT_ID: client, ARM_CLIENT_SECRET: secret } = env;
  const options = authorityHost === undefined ? {} : { authorityHost };
  const assertion = assertionFrom(env);
  if (assertion !== undefined && tenantId !== undefined && client !== undefined)
    return new ClientAssertionCredential(tenantId, client, assertion, options);
  return tenantId !== undefined && client !== undefined && secret !== undefined
    ? new ClientSecretCredential(tenantId, client, secret, options)
    : new DefaultAzureCredential({ ...options, ...(tenantId !== undefined && { tenantId }) });
}

/** Requests to a service of a cloud, as the signed-in account. */
export interface ReadService {
  /** Address of the service. Requests carry a token and go only there. */
  readonly endpoint: string;
  /**
   * Returns the body of the answer; undefined if the resource does not exist.
   * @param method POST for an operation that only reads. Default: GET
   */
  readonly read: (url: string, method?: 'GET' | 'POST') => Promise<unknown>;
  /** Sends a write. Deleting a missing resource succeeds. A long operation may continue after the service accepted it. */
  readonly write: (method: 'PUT' | 'DELETE' | 'POST', url: string, body?: unknown) => Promise<void>;
}

/** Hints for requests that a service refuses. */
const hints = {
  resourceManager:
    'Check the subscription, and sign in with an account that may read it (ARM_… or AZURE_… variables, or `az login`).',
  graph:
    'Sign in with an account that may read applications and groups in Entra (ARM_… or AZURE_… variables, or `az login`); a service principal needs application roles of Microsoft Graph such as Application.Read.All and Group.Read.All.',
};

/** Returns the address of a service in a cloud. @throws UserError if the cloud is unknown */
export function addressOf(
  { name, ...addresses }: Cloud,
  service: 'resourceManager' | 'graph' | 'logs',
): string {
  const { [service]: address } = addresses;
  if (address !== undefined) return address;
  throw new UserError(
    `The cloud '${name}' (azure-native:environment, ARM_ENVIRONMENT) is unknown.`,
    `Set it to one of ${cloudNames.join(', ')}, or unset it.`,
  );
}

/** @param service selects the cloud's address */
export function readService(cloud: Cloud, env: NodeJS.ProcessEnv, service: keyof typeof hints): ReadService {
  const { operator } = cloud;
  const endpoint = addressOf(cloud, service);
  const pipeline = createPipelineFromOptions({});
  pipeline.addPolicy(
    bearerTokenAuthenticationPolicy({
      credential: credential(env, operator?.authorityHost),
      scopes: `${endpoint}/.default`,
    }),
  );
  const client = createDefaultHttpClient();

  async function read(url: string, method: 'GET' | 'POST' = 'GET'): Promise<unknown> {
    const { status, bodyAsText } = await pipeline.sendRequest(
      client,
      createPipelineRequest({ url, method, timeout }),
    );
    if (status === 200) return JSON.parse(bodyAsText ?? '');
    const code = codeIn(bodyAsText);
    // A missing subscription does not prove that the resource is missing.
    if (status === 404 && code !== 'SubscriptionNotFound') return undefined;
    throw new UserError(
      `Azure answered ${status} ${code} to ${method} ${new URL(url).pathname}.`,
      hints[service],
    );
  }

  async function write(method: 'PUT' | 'DELETE' | 'POST', url: string, body?: unknown): Promise<void> {
    const headers = createHttpHeaders({ 'Content-Type': 'application/json' });
    const { status, bodyAsText } = await pipeline.sendRequest(
      client,
      createPipelineRequest({
        ...{ url, method, timeout },
        ...(body !== undefined && { headers, body: JSON.stringify(body) }),
      }),
    );
    const code = codeIn(bodyAsText);
    const isGone = method === 'DELETE' && status === 404 && code !== 'SubscriptionNotFound';
    if ([200, 201, 202, 204].includes(status) || isGone) return;
    throw new UserError(`Azure answered ${status} ${code} to ${method} ${new URL(url).pathname}.`);
  }

  return { endpoint, read, write };
}

function codeIn(body: string | null | undefined): string {
  return /"code":\s*"(\w+)"/.exec(body ?? '')?.[1] ?? '';
}

/** Creates a reader of a cloud's resource manager. */
export function createAzureReader(cloud: Cloud, env: NodeJS.ProcessEnv): AzureReader {
  const { endpoint, read } = readService(cloud, env, 'resourceManager');
  return {
    async get(id, apiVersion) {
      return azureResource.optional().parse(await read(resourceUrl(endpoint, id, apiVersion)));
    },
    async list(path, apiVersion, filter) {
      const items = await allPages(listUrl(endpoint, { path, apiVersion, filter }), (url) => read(url));
      return items.map((item) => azureResource.parse(item));
    },
  };
}
