import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ManagedCluster } from '@azure/arm-containerservice';
import type { TokenCredential } from '@azure/identity';
import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import type { SecretClient } from '@azure/keyvault-secrets';
import type { AzureOptions, AzureService } from '../../azure';
import { startAzure } from '../../azure';
import { SUBSCRIPTION_ID } from '../../identity';
import type { Access, RawReply } from './vendorClients';
import { VendorClients } from './vendorClients';
import { FakeClusterRuntime } from './fakeClusterRuntime';

export { all } from './vendorClients';

/** A separate local Azure on free ports, with the vendors' clients by public names. */
export class TestCloud extends VendorClients {
  /** Inner code of the last refusal that a secret client received. */
  innerError: string | undefined;
  /** A replacement for clusters, without control planes. */
  runtime = new FakeClusterRuntime();
  /** The instance folder, which is deleted when the cloud stops. */
  stateDir = '';
  private service: AzureService | undefined;
  private readonly users: (() => Promise<unknown>)[] = [];

  constructor(private readonly options: Partial<AzureOptions> = {}) {
    super();
  }

  static async start(options: Partial<AzureOptions> = {}): Promise<TestCloud> {
    const cloud = new TestCloud(options);
    try {
      await cloud.open();
    } catch (error) {
      await cloud.stop();
      throw error;
    }
    return cloud;
  }

  get azure(): AzureService {
    if (this.service === undefined) throw new Error('The cloud runs in hooks and tests only.');
    return this.service;
  }

  /** Starts with an empty state. */
  async open(): Promise<void> {
    this.stateDir = mkdtempSync(path.join(tmpdir(), 'local-azure-'));
    this.runtime = new FakeClusterRuntime();
    await this.serve();
  }

  /** Stops and starts again with the same state, as after `make down` or a kill. */
  async restart(): Promise<void> {
    await this.azure.close();
    await this.serve();
  }

  /** Makes a vault in the group rg, with role assignments unless the properties say otherwise, and returns its resource id. */
  async makeVault(name: string, properties: object = {}): Promise<string> {
    const { id } = await this.vaults().vaults.createOrUpdate('rg', name, {
      location: 'westeurope',
      properties: {
        tenantId: this.tenantId,
        sku: { family: 'A', name: 'standard' },
        enableRbacAuthorization: true,
        ...properties,
      },
    });
    return id ?? '';
  }

  /** Registers a process to stop before the cloud, which would wait for its connections. */
  stopBefore(stop: () => Promise<unknown>): void {
    this.users.push(stop);
  }

  async stop(): Promise<void> {
    for (const stop of this.users.splice(0).reverse()) await stop();
    await this.service?.close();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  /** Environment variables with which a process reaches this Azure as its administrator. */
  get environment(): NodeJS.ProcessEnv {
    const { credentials, proxyPort, caFile } = this.azure;
    return {
      PATH: process.env['PATH'],
      HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
      NO_PROXY: '127.0.0.1,localhost',
      NODE_EXTRA_CA_CERTS: caFile,
      ARM_CLIENT_ID: credentials.clientId,
      ARM_CLIENT_SECRET: credentials.clientSecret,
      ARM_TENANT_ID: credentials.tenantId,
      ARM_SUBSCRIPTION_ID: credentials.subscriptionId,
    };
  }

  private async serve(): Promise<void> {
    const { stateDir, runtime, options } = this;
    this.service = await startAzure({ stateDir, runtime, ...options });
  }

  protected override access(): Access {
    const { credentials, proxyPort, caFile } = this.azure;
    return { ...credentials, proxyPort, caFile };
  }

  /** A request to the resource manager, as Azure Service Operator sends it; by default of the administrator. */
  arm(method: string, rest: string, body?: object, credential = this.administrator()): Promise<RawReply> {
    const url = `https://management.azure.com${rest}`;
    return this.raw(url, { method, credential, ...(body && { body: JSON.stringify(body) }) });
  }

  /** A new service principal with a client secret, and its credential. */
  principal(displayName: string): { clientId: string; objectId: string; credential: TokenCredential } {
    const secret = `not-secret-${displayName}`;
    const created = this.azure.control.addServicePrincipal({ displayName, secret });
    return { ...created, credential: this.secretCredential(created.clientId, secret) };
  }

  override secrets(vault: string, credential = this.administrator()): SecretClient {
    // The client's own error lacks the inner code, so it is recorded here.
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
    return super.secrets(vault, credential, { additionalPolicies: [{ position: 'perRetry', policy }] });
  }

  async group(name: string): Promise<string> {
    await this.resources().resourceGroups.createOrUpdate(name, { location: 'westeurope' });
    return groupId(name);
  }
}

/** A managed cluster with an OIDC issuer and workload identity. */
export const clusterWithIssuer = (change: Partial<ManagedCluster> = {}): ManagedCluster => ({
  location: 'westeurope',
  dnsPrefix: 'dns',
  identity: { type: 'SystemAssigned' },
  agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
  oidcIssuerProfile: { enabled: true },
  securityProfile: { workloadIdentity: { enabled: true } },
  ...change,
});

/** Id of a resource group of the first subscription. */
export const groupId = (name: string): string => `/subscriptions/${SUBSCRIPTION_ID}/resourceGroups/${name}`;

/**
 * The local Azure of the tests in a file or block; hooks start and stop it.
 *
 * @param fresh whether each test gets its own. @default one for all of them
 * @param groups resource groups in it. @default `rg`
 */
export function withCloud({ fresh = false, groups = ['rg'] } = {}): TestCloud {
  const cloud = new TestCloud();
  (fresh ? beforeEach : beforeAll)(async () => {
    await cloud.open();
    for (const name of groups) await cloud.group(name);
  });
  // A test may hold the clock, so that what goes on in the background lasts as long as it wants.
  if (!fresh) afterEach(() => void (cloud.azure.control.clock.auto = true));
  (fresh ? afterEach : afterAll)(() => cloud.stop());
  return cloud;
}

/** Status and code of a vendor's error, with which a promise must be rejected. */
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
