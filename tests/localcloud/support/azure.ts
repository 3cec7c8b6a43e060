import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AuthorizationManagementClient } from '@azure/arm-authorization';
import { ContainerServiceClient } from '@azure/arm-containerservice';
import { KeyVaultManagementClient } from '@azure/arm-keyvault';
import { ManagementLockClient } from '@azure/arm-locks';
import { ManagedServiceIdentityClient } from '@azure/arm-msi';
import { OperationalInsightsManagementClient } from '@azure/arm-operationalinsights';
import { ResourceManagementClient } from '@azure/arm-resources';
import { ClientAssertionCredential, ClientSecretCredential } from '@azure/identity';
import type { TokenCredential } from '@azure/identity';
import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import { SecretClient } from '@azure/keyvault-secrets';
import type { AzureOptions, AzureService } from '../../../localcloud/azure';
import { startAzure } from '../../../localcloud/azure';
import { FakeClusterRuntime } from './fakeClusterRuntime';
import { TunnelAgent } from './tunnelAgent';

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

const RETRIES = { retryOptions: { maxRetries: 0 } };

/** A local Azure of its own on free ports, and the vendors' clients pointed at it by the public names. */
export class TestCloud {
  /** Inner code of the last refusal that a secret client met. */
  innerError: string | undefined;

  private constructor(
    public azure: AzureService,
    readonly runtime: FakeClusterRuntime,
    readonly stateDir: string,
    private readonly options: Partial<AzureOptions>,
  ) {}

  static async start(options: Partial<AzureOptions> = {}): Promise<TestCloud> {
    const stateDir = mkdtempSync(path.join(tmpdir(), 'local-azure-'));
    const runtime = new FakeClusterRuntime();
    return new TestCloud(await startAzure({ stateDir, runtime, ...options }), runtime, stateDir, options);
  }

  /** Stops and starts again from the same state, as after `make down` or a kill. */
  async restart(): Promise<void> {
    await this.azure.close();
    this.azure = await startAzure({ stateDir: this.stateDir, runtime: this.runtime, ...this.options });
  }

  async stop(): Promise<void> {
    await this.azure.close();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  get subscriptionId(): string {
    return this.azure.credentials.subscriptionId;
  }

  get tenantId(): string {
    return this.azure.credentials.tenantId;
  }

  /** What every vendor's client takes: the way through the proxy, and no retries that would hide errors. */
  clientOptions(): { agent: TunnelAgent; retryOptions: { maxRetries: number } } {
    const agent = new TunnelAgent(this.azure.proxyPort, readFileSync(this.azure.caFile, 'utf8'));
    return { agent, ...RETRIES };
  }

  administrator(): TokenCredential {
    const { clientId, clientSecret } = this.azure.credentials;
    return this.secretCredential(clientId, clientSecret);
  }

  secretCredential(clientId: string, secret: string): ClientSecretCredential {
    return new ClientSecretCredential(this.tenantId, clientId, secret, this.clientOptions());
  }

  assertionCredential(clientId: string, assertion: () => Promise<string>): ClientAssertionCredential {
    return new ClientAssertionCredential(this.tenantId, clientId, assertion, this.clientOptions());
  }

  /** A new service principal with a client secret and its credential. */
  principal(displayName: string): { clientId: string; objectId: string; credential: TokenCredential } {
    const secret = `not-secret-${displayName}`;
    const made = this.azure.control.addServicePrincipal({ displayName, secret });
    return { ...made, credential: this.secretCredential(made.clientId, secret) };
  }

  resources(
    credential: TokenCredential = this.administrator(),
    subscriptionId = this.subscriptionId,
  ): ResourceManagementClient {
    return new ResourceManagementClient(credential, subscriptionId, this.clientOptions());
  }

  identities(
    credential: TokenCredential = this.administrator(),
    subscriptionId = this.subscriptionId,
  ): ManagedServiceIdentityClient {
    return new ManagedServiceIdentityClient(credential, subscriptionId, this.clientOptions());
  }

  vaults(
    credential: TokenCredential = this.administrator(),
    subscriptionId = this.subscriptionId,
  ): KeyVaultManagementClient {
    return new KeyVaultManagementClient(credential, subscriptionId, this.clientOptions());
  }

  authorization(
    credential: TokenCredential = this.administrator(),
    subscriptionId = this.subscriptionId,
  ): AuthorizationManagementClient {
    return new AuthorizationManagementClient(credential, subscriptionId, this.clientOptions());
  }

  clusters(
    credential: TokenCredential = this.administrator(),
    subscriptionId = this.subscriptionId,
  ): ContainerServiceClient {
    return new ContainerServiceClient(credential, subscriptionId, this.clientOptions());
  }

  locks(credential: TokenCredential = this.administrator()): ManagementLockClient {
    return new ManagementLockClient(credential, this.subscriptionId, this.clientOptions());
  }

  workspaces(credential: TokenCredential = this.administrator()): OperationalInsightsManagementClient {
    return new OperationalInsightsManagementClient(credential, this.subscriptionId, this.clientOptions());
  }

  secrets(vault: string, credential: TokenCredential = this.administrator()): SecretClient {
    // The client's own error drops the inner code: it is noted on its way.
    const policy: PipelinePolicy = {
      name: 'noteInnerError',
      sendRequest: async (request, next) => {
        const response = await next(request);
        if (response.status >= 400 && response.status !== 401) {
          const body = JSON.parse(response.bodyAsText ?? '{}') as {
            error?: { innererror?: { code?: string } };
          };
          this.innerError = body.error?.innererror?.code;
        }
        return response;
      },
    };
    return new SecretClient(`https://${vault}.vault.azure.net`, credential, {
      ...this.clientOptions(),
      additionalPolicies: [{ position: 'perRetry', policy }],
    });
  }

  async group(name: string): Promise<string> {
    const group = await this.resources().resourceGroups.createOrUpdate(name, { location: 'westeurope' });
    return group.id ?? '';
  }

  /** The answer to a request that needs no token, as text. */
  async text(url: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      https
        .get(url, { agent: this.clientOptions().agent }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
          });
        })
        .on('error', reject);
    });
  }

  /** A request that no vendor's client would send. */
  async raw(
    url: string,
    options: {
      method?: string;
      headers?: Record<string, string>;
      body?: string;
      credential?: TokenCredential;
    } = {},
  ): Promise<RawReply> {
    const resource = new URL(url).hostname.endsWith('.vault.azure.net')
      ? 'https://vault.azure.net/.default'
      : 'https://management.azure.com/.default';
    const token = await options.credential?.getToken(resource);
    return new Promise((resolve, reject) => {
      const request = https.request(
        url,
        {
          method: options.method ?? 'GET',
          agent: this.clientOptions().agent,
          headers: {
            ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(token === undefined || token === null ? {} : { authorization: `Bearer ${token.token}` }),
            ...options.headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(headers) as Record<string, string>,
              body: text === '' ? undefined : (JSON.parse(text) as unknown),
            });
          });
        },
      );
      request.on('error', reject);
      request.end(options.body);
    });
  }
}

/** What a promise was refused with: status and code of a vendor's error. */
export async function refusal(
  promise: Promise<unknown>,
): Promise<{ status?: number; code?: string; message: string; error: unknown }> {
  try {
    await promise;
  } catch (error) {
    const { statusCode, code, message } = error as { statusCode?: number; code?: string; message: string };
    return { status: statusCode, code, message, error };
  }
  throw new Error('It was expected to be refused, and was not.');
}

/** Everything of an async iterator. */
export async function all<T>(iterator: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of iterator) items.push(item);
  return items;
}
