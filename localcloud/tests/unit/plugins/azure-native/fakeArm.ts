import {
  createHttpHeaders,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline';
import { isObject, type Properties } from '../../../../plugins/protocol';

export interface Sent {
  method: string;
  path: string;
  apiVersion: string;
  body: Properties | undefined;
}

export interface Reply {
  status: number;
  body?: Properties;
  headers?: Record<string, string>;
}

/**
 * A resource manager in memory. It stores resources and adds a default like a service. Tests can inject
 * answers.
 */
export class FakeArm implements HttpClient {
  readonly resources = new Map<string, Properties>();
  readonly sent: Sent[] = [];
  /** Called for each request before it is answered. */
  onArrival: (method: string) => void = () => undefined;
  private readonly scripted: { method: string; reply: Reply }[] = [];

  /** Sets the answer to the next request with the method. */
  next(method: string, reply: Reply): void {
    this.scripted.push({ method, reply });
  }

  methods(): string[] {
    return this.sent.map((request) => request.method);
  }

  sendRequest(request: PipelineRequest): Promise<PipelineResponse> {
    if (request.abortSignal?.aborted) {
      const error = new Error('The operation was aborted.');
      error.name = 'AbortError';
      return Promise.reject(error);
    }
    const url = new URL(request.url);
    const path = decodeURI(url.pathname);
    const body = typeof request.body === 'string' ? (JSON.parse(request.body) as Properties) : undefined;
    this.sent.push({
      method: request.method,
      path,
      apiVersion: url.searchParams.get('api-version') ?? '',
      body,
    });
    this.onArrival(request.method);
    const index = this.scripted.findIndex((script) => script.method === request.method);
    const reply = index >= 0 ? this.scripted.splice(index, 1)[0]?.reply : undefined;
    const { status, body: answer, headers } = reply ?? this.answer(request.method, path, body);
    return Promise.resolve({
      request,
      status,
      headers: createHttpHeaders(headers),
      bodyAsText: answer === undefined ? '' : JSON.stringify(answer),
    });
  }

  private answer(method: string, path: string, body: Properties | undefined): Reply {
    const key = path.toLowerCase();
    const known = this.resources.get(key);
    switch (method) {
      case 'PUT': {
        const requested = body?.['properties'];
        const properties = {
          ...(isObject(requested) ? requested : {}),
          chosenByService: true,
          provisioningState: 'Succeeded',
        };
        this.resources.set(key, {
          ...body,
          id: path,
          name: path.split('/').at(-1) ?? '',
          type: 'T',
          properties,
        });
        return { status: known ? 200 : 201, body: this.resources.get(key) };
      }
      case 'DELETE':
        this.resources.delete(key);
        return { status: known ? 200 : 204 };
      default:
        return known
          ? { status: 200, body: known }
          : { status: 404, body: { error: { code: 'ResourceNotFound', message: `${path} was not found` } } };
    }
  }
}
