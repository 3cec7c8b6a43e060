import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
} from '@azure/core-rest-pipeline';
import { VisibleError } from './visibleError';

/**
 * A client of a service of the pipeline's system, which sends and receives JSON. It heeds throttling and the variables of
 * proxies. Four requests are sent; the systems' own clients would be two packages that each sign in, retry and fail in their
 * own way.
 * @param remedy what to do if the service refuses
 */
export function jsonClient(headers: Record<string, string>, remedy: string) {
  const pipeline = createPipelineFromOptions({});
  const client = createDefaultHttpClient();
  return async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object): Promise<unknown> => {
    const { status, bodyAsText } = await pipeline.sendRequest(
      client,
      createPipelineRequest({
        ...{ method, url, timeout: 60_000 },
        // The address is the system's own.
        allowInsecureConnection: true,
        headers: createHttpHeaders({ ...headers, ...(body && { 'content-type': 'application/json' }) }),
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    if (status >= 200 && status < 300) return JSON.parse(bodyAsText ?? '');
    const { host, pathname } = new URL(url);
    throw new VisibleError(`${host} answered ${status} to ${method} ${pathname}.`, remedy);
  };
}
