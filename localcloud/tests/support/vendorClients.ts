import { readFileSync } from 'node:fs';
import https from 'node:https';
import { AuthorizationManagementClient } from '@azure/arm-authorization';
import { ContainerServiceClient } from '@azure/arm-containerservice';
import { KeyVaultManagementClient } from '@azure/arm-keyvault';
import { ManagementLockClient } from '@azure/arm-locks';
import { ManagedServiceIdentityClient } from '@azure/arm-msi';
import { OperationalInsightsManagementClient } from '@azure/arm-operationalinsights';
import { ResourceManagementClient } from '@azure/arm-resources';
import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import type { TokenCredential } from '@azure/identity';
import {
  ClientAssertionCredential,
  ClientCertificateCredential,
  ClientSecretCredential,
} from '@azure/identity';
import { CryptographyClient, KeyClient } from '@azure/keyvault-keys';
import type { SecretClientOptions } from '@azure/keyvault-secrets';
import { SecretClient } from '@azure/keyvault-secrets';
import type { Context, Middleware } from '@microsoft/microsoft-graph-client';
import { AuthenticationHandler, Client } from '@microsoft/microsoft-graph-client';
import { LogsQueryClient } from '@azure/monitor-query-logs';
import { TunnelAgent } from './tunnelAgent';

/** Access to a local cloud by Azure's public names, with its administrator. */
export interface Access {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly proxyPort: number;
  /** PEM file of the local cloud's certificate authority. */
  readonly caFile: string;
}

/** An answer with any status. */
export interface RawReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Parsed JSON; `undefined` if the body is empty. */
  readonly body: unknown;
}

/** The last step of Microsoft Graph's client, which by itself uses `fetch` and so no agent. */
class AgentHandler implements Middleware {
  constructor(private readonly agent: TunnelAgent) {}

  async execute(context: Context): Promise<void> {
    const { method = 'GET', headers, body } = context.options ?? {};
    const address: unknown = context.request;
    if (typeof address !== 'string') throw new Error('The client names a request by its address.');
    const {
      status,
      headers: received,
      text,
    } = await send(
      address,
      { method, agent: this.agent, headers: Object.fromEntries(new Headers(headers)) },
      typeof body === 'string' ? body : undefined,
    );
    context.response = new Response(text === '' ? null : text, { status, headers: received });
  }
}

/** Common options of the vendors' clients. */
export interface ClientOptions {
  readonly agent: TunnelAgent;
  readonly retryOptions: { readonly maxRetries: number };
  readonly additionalPolicies: { readonly policy: PipelinePolicy; readonly position: 'perRetry' }[];
}

/**
 * Shortens the poll interval of long-running operations, which finish sooner here than on Azure. Intervals
 * below a second need a date; without the header, clients wait for two seconds.
 */
const lookAgainSoon: PipelinePolicy = {
  name: 'lookAgainSoon',
  sendRequest: async (request, next) => {
    const response = await next(request);
    if (response.status < 300 && response.headers.has('retry-after')) {
      const retryAt = new Date(Date.now() + 20);
      const milliseconds = String(retryAt.getMilliseconds()).padStart(3, '0');
      response.headers.set('retry-after', retryAt.toUTCString().replace(' GMT', `.${milliseconds} GMT`));
    }
    return response;
  },
};

/**
 * The vendors' clients for a local cloud, by default as its administrator. They run in the test's process, with
 * an agent in place of HTTPS_PROXY and NODE_EXTRA_CA_CERTS.
 */
export abstract class VendorClients {
  /** Called for every client, because a local cloud may restart with other ports. */
  protected abstract access(): Access;

  get subscriptionId(): string {
    return this.access().subscriptionId;
  }

  get tenantId(): string {
    return this.access().tenantId;
  }

  /** The proxy agent, no retries that would hide errors, and no waiting. */
  clientOptions(): ClientOptions {
    const { proxyPort, caFile } = this.access();
    const agent = new TunnelAgent(proxyPort, readFileSync(caFile, 'utf8'));
    return {
      agent,
      retryOptions: { maxRetries: 0 },
      additionalPolicies: [{ policy: lookAgainSoon, position: 'perRetry' }],
    };
  }

  administrator(): TokenCredential {
    const { clientId, clientSecret } = this.access();
    return this.secretCredential(clientId, clientSecret);
  }

  secretCredential(clientId: string, secret: string): ClientSecretCredential {
    return new ClientSecretCredential(this.tenantId, clientId, secret, this.clientOptions());
  }

  assertionCredential(clientId: string, assertion: () => Promise<string>): ClientAssertionCredential {
    return new ClientAssertionCredential(this.tenantId, clientId, assertion, this.clientOptions());
  }

  resources(
    credential = this.administrator(),
    subscriptionId = this.subscriptionId,
  ): ResourceManagementClient {
    return new ResourceManagementClient(credential, subscriptionId, this.clientOptions());
  }

  identities(
    credential = this.administrator(),
    subscriptionId = this.subscriptionId,
  ): ManagedServiceIdentityClient {
    return new ManagedServiceIdentityClient(credential, subscriptionId, this.clientOptions());
  }

  vaults(credential = this.administrator(), subscriptionId = this.subscriptionId): KeyVaultManagementClient {
    return new KeyVaultManagementClient(credential, subscriptionId, this.clientOptions());
  }

  authorization(
    credential = this.administrator(),
    subscriptionId = this.subscriptionId,
  ): AuthorizationManagementClient {
    return new AuthorizationManagementClient(credential, subscriptionId, this.clientOptions());
  }

  /** @param version of the API, if it is not the client's own */
  clusters(
    credential = this.administrator(),
    subscriptionId = this.subscriptionId,
    version: { apiVersion?: string } = {},
  ): ContainerServiceClient {
    return new ContainerServiceClient(credential, subscriptionId, { ...this.clientOptions(), ...version });
  }

  locks(credential = this.administrator(), subscriptionId = this.subscriptionId): ManagementLockClient {
    return new ManagementLockClient(credential, subscriptionId, this.clientOptions());
  }

  workspaces(
    credential = this.administrator(),
    subscriptionId = this.subscriptionId,
  ): OperationalInsightsManagementClient {
    return new OperationalInsightsManagementClient(credential, subscriptionId, this.clientOptions());
  }

  /** The data plane of a vault. The administrator also needs a role or a policy for it. */
  keys(vault: string, credential = this.administrator()): KeyClient {
    return new KeyClient(`https://${vault}.vault.azure.net`, credential, this.clientOptions());
  }

  /** @param key id of a version */
  cryptography(key: string, credential = this.administrator()): CryptographyClient {
    return new CryptographyClient(key, credential, this.clientOptions());
  }

  secrets(
    vault: string,
    credential = this.administrator(),
    options: Pick<SecretClientOptions, 'additionalPolicies'> = {},
  ): SecretClient {
    return new SecretClient(`https://${vault}.vault.azure.net`, credential, {
      ...this.clientOptions(),
      ...options,
    });
  }

  /** The query service of Log Analytics. */
  logs(credential = this.administrator()): LogsQueryClient {
    return new LogsQueryClient(credential, this.clientOptions());
  }

  /** Microsoft Graph, as the client sends each request: no retries. */
  graph(credential = this.administrator()): Client {
    const authentication = new AuthenticationHandler({
      getAccessToken: async () => {
        const token = await credential.getToken('https://graph.microsoft.com/.default');
        return token?.token ?? '';
      },
    });
    authentication.setNext(new AgentHandler(this.clientOptions().agent));
    return Client.initWithMiddleware({ middleware: authentication });
  }

  certificateCredential(clientId: string, pem: string): ClientCertificateCredential {
    return new ClientCertificateCredential(
      this.tenantId,
      clientId,
      { certificate: pem },
      this.clientOptions(),
    );
  }

  /** The answer to a request without a token, as text. */
  async text(url: string): Promise<{ status: number; text: string }> {
    const { status, text } = await send(url, { agent: this.clientOptions().agent });
    return { status, text };
  }

  /** A request that no vendor's client sends; without a credential it has no token. */
  async raw(
    url: string,
    options: {
      method?: string;
      headers?: Record<string, string>;
      body?: string;
      credential?: TokenCredential;
    } = {},
  ): Promise<RawReply> {
    const { hostname } = new URL(url);
    const resource = hostname.endsWith('.vault.azure.net')
      ? 'https://vault.azure.net/.default'
      : hostname === 'graph.microsoft.com'
        ? 'https://graph.microsoft.com/.default'
        : 'https://management.azure.com/.default';
    const token = await options.credential?.getToken(resource);
    const request = {
      method: options.method ?? 'GET',
      agent: this.clientOptions().agent,
      headers: {
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined || token === null ? {} : { authorization: `Bearer ${token.token}` }),
        ...options.headers,
      },
    };
    const { status, headers, text } = await send(url, request, options.body);
    return { status, headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }
}

function send(
  url: string,
  options: https.RequestOptions,
  body?: string,
): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  return new Promise((resolve, reject) => {
    const request = https.request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(headers) as Record<string, string>,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** All elements of a vendor's paged list. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
