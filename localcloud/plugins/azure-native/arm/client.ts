import type { TokenCredential } from '@azure/core-auth';
import type { HttpClient } from '@azure/core-rest-pipeline';
import type { OperationResponse, OperationState, RawResponse } from '@azure/core-lro';
import type { Properties } from '../../protocol';
import { ArmError, OperationFailed } from './armError';
import type { Settings } from './settings';
import { Transport, type Answer } from './transport';
import { reason } from '../../../logger';

/** Poll interval of long-running operations if the service sends no `Retry-After`. */
const pollMilliseconds = 1000;

/** A client of the resource manager, by resource id. It waits for long-running operations. */
export class ArmClient {
  private readonly transport: Transport;

  constructor(
    private readonly settings: Settings,
    credential: TokenCredential,
    client?: HttpClient,
  ) {
    this.transport = new Transport(credential, settings.cloud.resourceManagerScope, client);
  }

  /** Returns a resource. @throws ArmError, with status 404 if the resource does not exist */
  async get(id: string, apiVersion: string, signal: AbortSignal): Promise<Properties> {
    const answer = await this.send('GET', id, apiVersion, signal);
    return answer.body ?? {};
  }

  async post(
    id: string,
    apiVersion: string,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Properties> {
    const answer = await this.send('POST', id, apiVersion, signal, query);
    return answer.body ?? {};
  }

  /** Creates or updates a resource, and waits for the end. Read the resource afterwards, because answers differ. */
  async put(id: string, apiVersion: string, body: Properties, signal: AbortSignal): Promise<void> {
    await this.run('PUT', id, apiVersion, body, signal);
  }

  /** Deletes a resource, and waits for the end. A missing resource counts as deleted. */
  async delete(id: string, apiVersion: string, signal: AbortSignal): Promise<void> {
    try {
      await this.run('DELETE', id, apiVersion, undefined, signal);
    } catch (error) {
      const cause = error instanceof OperationFailed ? error.cause : error;
      if (!(cause instanceof ArmError && cause.status === 404)) throw error;
    }
  }

  private async run(
    method: 'PUT' | 'DELETE',
    id: string,
    apiVersion: string,
    body: Properties | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const requestName = `${method} ${id}`;
    const url = this.url(id, apiVersion);
    const progress = { accepted: false };
    const { createHttpPoller } = await import('@azure/core-lro');
    const poller = createHttpPoller<Properties | undefined, OperationState<Properties | undefined>>(
      {
        sendInitialRequest: async () => {
          const answer = await this.transport.send(method, url, body, signal, requestName);
          progress.accepted = true;
          return lroResponse(answer, method, url);
        },
        sendPollRequest: async (location) =>
          lroResponse(
            await this.transport.send('GET', this.absolute(location), undefined, signal, requestName),
            'GET',
            url,
          ),
      },
      // The caller reads the resource afterwards.
      { intervalInMs: pollMilliseconds, skipFinalGet: true },
    );
    try {
      await poller.pollUntilDone({ abortSignal: signal });
    } catch (error) {
      if (!progress.accepted) throw error;
      throw new OperationFailed(`${requestName}: ${reason(error)}`, { cause: error });
    }
  }

  private send(
    method: 'GET' | 'POST',
    id: string,
    apiVersion: string,
    signal: AbortSignal,
    query: Record<string, string> = {},
  ): Promise<Answer> {
    return this.transport.send(method, this.url(id, apiVersion, query), undefined, signal, `${method} ${id}`);
  }

  private url(id: string, apiVersion: string, query: Record<string, string> = {}): string {
    const parameters = new URLSearchParams({ ...query, 'api-version': apiVersion });
    return `${this.settings.cloud.resourceManager}${encodeURI(id)}?${parameters.toString()}`;
  }

  private absolute(location: string): string {
    return new URL(location, this.settings.cloud.resourceManager).href;
  }
}

function lroResponse(answer: Answer, method: string, url: string): OperationResponse<Properties | undefined> {
  const rawResponse: RawResponse = {
    statusCode: answer.status,
    headers: answer.headers,
    request: { method, url },
    body: answer.body,
  };
  return { flatResponse: answer.body, rawResponse };
}
