import https from 'node:https';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Json, JsonObject } from '../json';
import { isJsonObject } from '../json';
import { ApiError, Unreachable, apiErrorOf } from './errors';
import type { KubeconfigOverrides } from './kubeconfig';

// Loads only the client's configuration, and only on demand: the client's generated classes take most of a second.
const loadClient = () => import('@kubernetes/client-node/dist/config.js');
type KubeConfig = InstanceType<Awaited<ReturnType<typeof loadClient>>['KubeConfig']>;

export interface ApiRequest {
  method: 'GET' | 'PATCH' | 'DELETE' | 'POST';
  /** Absolute path on the server. */
  path: string;
  query?: Record<string, string>;
  body?: JsonObject;
  /** @default application/json */
  contentType?: string;
  signal?: AbortSignal;
}

const attempts = 5;
const firstDelayMilliseconds = 200;
const brokenConnection = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Sends requests to one API server, with the credentials of a kubeconfig. */
export class Connection {
  private agent: https.Agent | undefined;

  private constructor(
    private readonly config: KubeConfig,
    private readonly base: URL,
    private readonly proxied: boolean,
    private readonly timeoutMilliseconds: number,
  ) {}

  static async open(
    kubeconfig: string,
    overrides: KubeconfigOverrides,
    timeoutSeconds: number,
  ): Promise<Connection> {
    const { KubeConfig } = await loadClient();
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    if (overrides.context !== undefined) config.setCurrentContext(overrides.context);
    if (overrides.cluster !== undefined) {
      const name = overrides.cluster;
      const current = config.getCurrentContext();
      config.contexts = config.contexts.map((known) =>
        known.name === current ? { ...known, cluster: name } : known,
      );
    }
    const cluster = config.getCurrentCluster();
    if (cluster === null) {
      throw new Unreachable(
        `the kubeconfig's context '${config.getCurrentContext()}' names no cluster; contexts: ` +
          (config.contexts.map((known) => known.name).join(', ') || 'none'),
      );
    }
    const base = new URL(cluster.server);
    return new Connection(config, base, cluster.proxyUrl !== undefined, timeoutSeconds * 1000);
  }

  /** Sends a request, and returns the body of the answer. Retries if the server is busy or drops the connection. */
  async request(request: ApiRequest): Promise<JsonObject> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(request);
      } catch (error) {
        if (attempt === attempts || !mayPass(error)) throw error;
        const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
        const milliseconds =
          retryAfterSeconds === undefined
            ? firstDelayMilliseconds * 2 ** (attempt - 1)
            : retryAfterSeconds * 1000;
        await delay(milliseconds, undefined, { signal: request.signal });
      }
    }
  }

  private async send(request: ApiRequest): Promise<JsonObject> {
    const url = new URL(this.base.href.replace(/\/$/, '') + request.path);
    for (const [key, value] of Object.entries(request.query ?? {})) url.searchParams.set(key, value);
    const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
    const options = await this.options(request, body);
    const { status, text, retryAfter } = await this.exchange(url, options, body);
    if (status >= 400) throw apiErrorOf(status, text, retryAfter);
    const parsed = JSON.parse(text) as Json;
    if (!isJsonObject(parsed))
      throw new Error(`${request.method} ${request.path} did not answer with an object`);
    return parsed;
  }

  private async options(request: ApiRequest, body: Buffer | undefined): Promise<https.RequestOptions> {
    const options: https.RequestOptions = {};
    // Repeated for every request, because tokens of credential plugins (exec) expire.
    await this.config.applyToHTTPSOptions(options);
    if (!this.proxied) {
      const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized } = options;
      // The client would create an agent per request, with a TLS handshake each.
      this.agent ??= new https.Agent({
        keepAlive: true,
        ...{ ca, cert, key, pfx, passphrase, servername },
        ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
      });
      options.agent = this.agent;
    }
    return {
      ...options,
      method: request.method,
      signal: request.signal,
      timeout: this.timeoutMilliseconds,
      headers: {
        ...headersOf(options),
        accept: 'application/json',
        'user-agent': 'pulumi-kubernetes-local',
        ...(body && {
          'content-type': request.contentType ?? 'application/json',
          'content-length': String(body.length),
        }),
      },
    };
  }

  private exchange(
    url: URL,
    options: https.RequestOptions,
    body: Buffer | undefined,
  ): Promise<{ status: number; text: string; retryAfter: string | undefined }> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        if (error.name === 'AbortError') reject(error);
        else reject(new Unreachable(`${this.base.origin}: ${error.message}`, { cause: error }));
      };
      const request = https.request(url, options, (response: IncomingMessage) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] });
        });
      });
      request.on('timeout', () => {
        request.destroy(new Error(`no answer within ${this.timeoutMilliseconds / 1000} s`));
      });
      request.on('error', fail);
      request.end(body);
    });
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status === 503;
  if (!(error instanceof Unreachable) || !(error.cause instanceof Error)) return false;
  return 'code' in error.cause && brokenConnection.has(String(error.cause.code));
}

/** Returns the headers of the kubeconfig's credentials. */
function headersOf({ headers }: https.RequestOptions): OutgoingHttpHeaders {
  return headers === undefined || Array.isArray(headers) ? {} : (headers as OutgoingHttpHeaders);
}
