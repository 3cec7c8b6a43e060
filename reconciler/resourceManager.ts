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

/** How long an answer may take, in milliseconds. */
const timeout = 30_000;

/** Sends a request and gives the answer's body. `accepted` are codes of errors that are none here. */
export type Send = (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  body?: object,
  accepted?: readonly string[],
) => Promise<unknown>;

/** Requests to a resource manager. */
export function resourceManager(
  endpoint: string,
  credential: TokenCredential,
  client: HttpClient = createDefaultHttpClient(),
): Send {
  const pipeline = createPipelineFromOptions({
    userAgentOptions: { userAgentPrefix: 'aks-wi-reconciler' },
    // The next run tries again. Azure may ask to wait for longer than a run takes, and others have their turn.
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
    // Nothing of the request's body or of the answer's: they may have keys.
    throw new Error(`Azure answered ${status} ${code} to ${method} ${new URL(url).pathname}`);
  };
}

/** The code in Azure's answer; none if something in between answered. */
function errorCode(text: string): string {
  try {
    return String(fieldsOf(fieldsOf(JSON.parse(text)).error).code);
  } catch {
    return 'without a code';
  }
}
