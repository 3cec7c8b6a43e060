import type { Pipeline } from '@azure/core-rest-pipeline';

/** Retries after throttling and temporary failures; `Retry-After` is respected up to the limit. */
const retries = { maxRetries: 6, retryDelayInMs: 500, maxRetryDelayInMs: 30_000 };

/**
 * Timeout of writes. Cancellation does not abort them: the service may have created the resource, and if the engine did
 * not record it, the next update would fail to create it.
 */
const writeMilliseconds = 60_000;

/** Returns the SDK's policies for retries, throttling, tracing and the environment's proxy. */
export async function openPipeline(): Promise<Pipeline> {
  const rest = await import('@azure/core-rest-pipeline');
  return rest.createPipelineFromOptions({ retryOptions: retries });
}

/** Returns the signal that aborts a request. Reads end with their operation; writes only at their timeout. */
export function requestSignal(method: string, operation: AbortSignal): AbortSignal {
  return method === 'GET' ? operation : AbortSignal.timeout(writeMilliseconds);
}
