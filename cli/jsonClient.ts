import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
} from '@azure/core-rest-pipeline';
import { UserError } from './userError';

/**
 * Creates a client for JSON services of a CI system. It retries when throttled, and uses proxies from the environment. The
 * project sends only four requests; the systems' own clients would be two packages that each sign in, retry and fail in
 * their own way.
 * @param hint what to do if the service refuses a request
 */
export function jsonClient(headers: Record<string, string>, hint: string) {
  const pipeline = createPipelineFromOptions({});
  const client = createDefaultHttpClient();
  return async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object): Promise<unknown> => {
    const { status, bodyAsText } = await pipeline.sendRequest(
      client,
      createPipelineRequest({
        ...{ method, url, timeout: 60_000 },
        // The CI system provides the address. It may be plain http.
        allowInsecureConnection: true,
        headers: createHttpHeaders({ ...headers, ...(body && { 'content-type': 'application/json' }) }),
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    if (status >= 200 && status < 300) return JSON.parse(bodyAsText ?? '');
    const { host, pathname } = new URL(url);
    throw new UserError(`${host} answered ${status} to ${method} ${pathname}.`, hint);
  };
}
