import type { TokenCredential } from '@azure/identity';
import type { HttpClient } from '@azure/core-rest-pipeline';
import {
  bearerTokenAuthenticationPolicy,
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
} from '@azure/core-rest-pipeline';
import { fieldsOf } from '../components/resource/fields';

/** Timeout of a request, in milliseconds. */
const timeout = 30_000;

/** Sends a request and returns the body of the answer. Error codes in `accepted` count as success. */
export type Send = (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  body?: object,
  accepted?: readonly string[],
) => Promise<unknown>;

/**
 * Returns a function that sends requests to a resource manager. The vendor's clients would need a package for each service.
 * The program is read from a ConfigMap, which holds 1 MiB.
 */
export function resourceManager(
  endpoint: string,
  credential: TokenCredential,
  client: HttpClient = createDefaultHttpClient(),
): Send {
  const pipeline = createPipelineFromOptions({
    userAgentOptions: { userAgentPrefix: 'aks-wi-reconciler' },
    // The next run tries again. Azure may ask to wait longer than a run takes, which would delay other scopes.
    retryOptions: { maxRetries: 0 },
  });
  pipeline.addPolicy(bearerTokenAuthenticationPolicy({ credential, scopes: `${endpoint}/.default` }));
  return async (method, url, body, accepted = []) => {
    const headers = createHttpHeaders({ 'Content-Type': 'application/json' });
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const request = createPipelineRequest({ url, method, timeout, ...sent });
    const { status, bodyAsText } = await pipeline.sendRequest(client, request);
    if (status < 300) return JSON.parse(bodyAsText || '{}') as unknown;
    const code = errorCode(bodyAsText ?? '');
    if (accepted.includes(code)) return {};
    // No bodies in the message: they may contain keys.
    throw new Error(`Azure answered ${status} ${code} to ${method} ${new URL(url).pathname}`);
  };
}

/** Returns the error code in Azure's answer. A proxy's answer has none. */
function errorCode(text: string): string {
  try {
    return String(fieldsOf(fieldsOf(JSON.parse(text)).error).code);
  } catch {
    return 'without a code';
  }
}
