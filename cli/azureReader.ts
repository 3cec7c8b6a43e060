import { ClientSecretCredential, DefaultAzureCredential, type TokenCredential } from '@azure/identity';
import {
  bearerTokenAuthenticationPolicy,
  createDefaultHttpClient,
  createPipelineFromOptions,
  createPipelineRequest,
} from '@azure/core-rest-pipeline';
import { cloudNames, cloudOf } from '../stacks/offline';
import { VisibleError } from './visibleError';
import { member } from './member';

/** What is read of Azure's resource manager; nothing is ever written. */
export interface AzureReader {
  /** The resource, or undefined if there is none. */
  get(id: string, apiVersion: string): Promise<unknown>;
  /** Everything of a list, page by page; empty if what it is of does not exist. */
  list(path: string, apiVersion: string, filter?: string): Promise<unknown[]>;
}

/** Signs in as azure-native does with the same variables, else as the vendor's tools do. */
function credential(env: NodeJS.ProcessEnv): TokenCredential {
  const { ARM_TENANT_ID: tenant, ARM_CLIENT_ID: client, ARM_CLIENT_SECRET: secret } = env;
  if (tenant !== undefined && client !== undefined && secret !== undefined) {
    return new ClientSecretCredential(tenant, client, secret);
  }
  return new DefaultAzureCredential(tenant === undefined ? {} : { tenantId: tenant });
}

export function createAzureReader(env: NodeJS.ProcessEnv): AzureReader {
  const name = env.ARM_ENVIRONMENT ?? 'public';
  const { resourceManager: endpoint } = cloudOf(name);
  if (endpoint === undefined) {
    throw new VisibleError(
      `ARM_ENVIRONMENT is '${name}', which is no cloud that is known here.`,
      `Set it to one of ${cloudNames.join(', ')}, or unset it.`,
    );
  }
  const pipeline = createPipelineFromOptions({});
  pipeline.addPolicy(
    bearerTokenAuthenticationPolicy({ credential: credential(env), scopes: `${endpoint}/.default` }),
  );
  const client = createDefaultHttpClient();

  async function read(url: string): Promise<unknown> {
    const { status, bodyAsText } = await pipeline.sendRequest(client, createPipelineRequest({ url }));
    if (status === 404) return undefined;
    const body: unknown = bodyAsText === undefined || bodyAsText === null ? undefined : parsed(bodyAsText);
    if (status === 200) return body;
    throw new VisibleError(
      `Azure answered ${status}${codeOf(body)} to GET ${new URL(url).pathname}.`,
      'Sign in as who deploys the stack (ARM_… or AZURE_… variables, or `az login`), with the right to read it.',
    );
  }

  return {
    get: (id, apiVersion) => read(`${endpoint}${encodeURI(id)}?api-version=${apiVersion}`),
    async list(path, apiVersion, filter) {
      const items: unknown[] = [];
      const query = filter === undefined ? '' : `&$filter=${encodeURIComponent(filter)}`;
      let next: string | undefined = `${endpoint}${encodeURI(path)}?api-version=${apiVersion}${query}`;
      while (next !== undefined) {
        const page: unknown = await read(next);
        const value = member(page, 'value');
        if (Array.isArray(value)) items.push(...(value as unknown[]));
        const link = member(page, 'nextLink');
        // The token goes nowhere else.
        next = typeof link === 'string' && new URL(link).origin === endpoint ? link : undefined;
      }
      return items;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(body: unknown): string {
  const code = member(member(body, 'error'), 'code');
  return typeof code === 'string' ? ` ${code}` : '';
}
