import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TokenCredential } from '@azure/identity';
import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import type { SecretClient } from '@azure/keyvault-secrets';
import type { AzureOptions, AzureService } from '../../../localcloud/azure';
import { startAzure } from '../../../localcloud/azure';
import type { Access } from '../../support/vendorClients';
import { VendorClients } from '../../support/vendorClients';
import { FakeClusterRuntime } from './fakeClusterRuntime';

export { all } from '../../support/vendorClients';

/** A local Azure of its own on free ports, and the vendors' clients pointed at it by the public names. */
export class TestCloud extends VendorClients {
  /** Inner code of the last refusal that a secret client met. */
  innerError: string | undefined;

  private constructor(
    public azure: AzureService,
    readonly runtime: FakeClusterRuntime,
    readonly stateDir: string,
    private readonly options: Partial<AzureOptions>,
  ) {
    super();
  }

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

  protected override access(): Access {
    const { credentials, proxyPort, caFile } = this.azure;
    return { ...credentials, proxyPort, caFile };
  }

  /** A new service principal with a client secret and its credential. */
  principal(displayName: string): { clientId: string; objectId: string; credential: TokenCredential } {
    const secret = `not-secret-${displayName}`;
    const made = this.azure.control.addServicePrincipal({ displayName, secret });
    return { ...made, credential: this.secretCredential(made.clientId, secret) };
  }

  override secrets(vault: string, credential = this.administrator()): SecretClient {
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
    return super.secrets(vault, credential, { additionalPolicies: [{ position: 'perRetry', policy }] });
  }

  async group(name: string): Promise<string> {
    const group = await this.resources().resourceGroups.createOrUpdate(name, { location: 'westeurope' });
    return group.id ?? '';
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
