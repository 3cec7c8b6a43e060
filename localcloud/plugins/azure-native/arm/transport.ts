import { setTimeout as delay } from 'node:timers/promises';
import type { TokenCredential } from '@azure/core-auth';
import type { HttpClient, HttpMethods, Pipeline, PipelineResponse } from '@azure/core-rest-pipeline';
import { openPipeline, requestSignal } from '../../azure/pipeline';
import type { Properties } from '../../protocol';
import { armError } from './armError';

/** A response with its parsed body. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Properties | undefined;
}

/**
 * Error codes of temporary conflicts with another write to the same parent. For concurrent writes to the federated
 * credentials of one identity, Azure answers with the first of these codes.
 */
const passingConflicts = new Set([
  'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
  'AnotherOperationInProgress',
]);
const conflictAttempts = 12;
const conflictDelayMilliseconds = 250;

/** Sends authorized requests, with the SDK's policies for retries, throttling, proxies and tracing. */
export class Transport {
  private pipeline: Promise<Pipeline> | undefined;

  /** @param client HTTP client. @default HTTP(S), through the environment's proxy */
  constructor(
    private readonly credential: TokenCredential,
    private readonly scope: string,
    private client?: HttpClient,
  ) {}

  /**
   * Sends a request and retries temporary failures.
   *
   * @param requestName name of the request in errors, for example `PUT /subscriptions/…`
   * @throws ArmError for every answer that is not 2xx
   */
  async send(
    method: HttpMethods,
    url: string,
    body: Properties | undefined,
    signal: AbortSignal,
    requestName: string,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.sendOnce(method, url, body, signal);
      if (response.status >= 200 && response.status < 300) return answer(response);
      const error = armError(response.status, response.bodyAsText, requestName);
      if (error.status !== 409 || !passingConflicts.has(error.code) || attempt === conflictAttempts)
        throw error;
      await delay(conflictDelayMilliseconds * Math.min(attempt, 6), undefined, { signal });
    }
  }

  private async sendOnce(
    method: HttpMethods,
    url: string,
    body: Properties | undefined,
    signal: AbortSignal,
  ): Promise<PipelineResponse> {
    const rest = await import('@azure/core-rest-pipeline');
    this.pipeline ??= this.open();
    const pipeline = await this.pipeline;
    signal.throwIfAborted();
    this.client ??= rest.createDefaultHttpClient();
    const headers = rest.createHttpHeaders({ accept: 'application/json' });
    if (body !== undefined) headers.set('content-type', 'application/json; charset=utf-8');
    const request = rest.createPipelineRequest({
      url,
      method,
      headers,
      abortSignal: requestSignal(method, signal),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return pipeline.sendRequest(this.client, request);
  }

  private async open(): Promise<Pipeline> {
    const rest = await import('@azure/core-rest-pipeline');
    const pipeline = await openPipeline();
    pipeline.addPolicy(
      rest.bearerTokenAuthenticationPolicy({ credential: this.credential, scopes: this.scope }),
      { phase: 'Sign' },
    );
    return pipeline;
  }
}

function answer(response: PipelineResponse): Answer {
  const text = response.bodyAsText ?? '';
  return {
    status: response.status,
    headers: response.headers.toJSON(),
    body: text.trim() === '' ? undefined : (JSON.parse(text) as Properties),
  };
}
