import { readFileSync } from 'node:fs';
import https from 'node:https';
import { z } from 'zod';
import type { Instance } from '../daemon/instance';
import type { RunRecord } from '../daemon/runFile';
import { readCredentials } from './credentials';
import { VisibleError } from './visibleError';

/** The API version that the program's managed clusters use. */
const clusterApiVersion = '2025-09-01';

/** A managed cluster as the resource manager lists it. */
export interface ListedCluster {
  id: string;
  name: string;
  provisioningState: string;
}

const clusterList = z.object({
  value: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      properties: z.object({ provisioningState: z.string().default('Unknown') }),
    }),
  ),
});
const credentialResults = z.object({ kubeconfigs: z.array(z.object({ value: z.string() })).min(1) });
const tokenAnswer = z.object({ access_token: z.string() });

/**
 * The two questions that the commands have for the resource manager. Asked directly, with the local CA: a
 * command is not started with NODE_EXTRA_CA_CERTS, which Node reads only at the start.
 */
export class ArmClient {
  private readonly ca: string;
  private token: string | undefined;

  constructor(
    private readonly instance: Instance,
    private readonly run: RunRecord,
  ) {
    this.ca = readFileSync(instance.caFile, 'utf8');
  }

  async clusters(): Promise<ListedCluster[]> {
    const { subscriptionId } = readCredentials(this.instance);
    const answer = await this.arm(
      'GET',
      `/subscriptions/${subscriptionId}/providers/Microsoft.ContainerService/managedClusters`,
    );
    return clusterList.parse(answer).value.map(({ id, name, properties }) => ({
      id,
      name,
      provisioningState: properties.provisioningState,
    }));
  }

  /** Kubeconfig YAML of the cluster's user. */
  async kubeconfig(cluster: Pick<ListedCluster, 'id'>): Promise<string> {
    const answer = await this.arm('POST', `${cluster.id}/listClusterAdminCredential`);
    const [first] = credentialResults.parse(answer).kubeconfigs;
    return Buffer.from(first?.value ?? '', 'base64').toString('utf8');
  }

  private async arm(method: 'GET' | 'POST', path: string): Promise<unknown> {
    this.token ??= await this.signIn();
    return this.request(method, `${path}?api-version=${clusterApiVersion}`, {
      authorization: `Bearer ${this.token}`,
    });
  }

  private async signIn(): Promise<string> {
    const { tenantId, clientId, clientSecret } = readCredentials(this.instance);
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'https://management.azure.com/.default',
    });
    const answer = await this.request(
      'POST',
      `/${tenantId}/oauth2/v2.0/token`,
      { 'content-type': 'application/x-www-form-urlencoded' },
      form.toString(),
    );
    return tokenAnswer.parse(answer).access_token;
  }

  private request(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request = https.request(
        { host: '127.0.0.1', port: this.run.azurePort, method, path, headers, ca: this.ca, timeout: 10_000 },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const status = response.statusCode ?? 0;
            if (status >= 200 && status < 300) resolve(JSON.parse(text));
            else
              reject(
                new VisibleError(
                  `The local cloud answered ${status} to ${method} ${path}: ${text.slice(0, 300)}`,
                ),
              );
          });
        },
      );
      request.on('timeout', () => request.destroy(new Error('no answer within 10 s')));
      request.on('error', (error) => {
        reject(
          new VisibleError(
            `The local cloud does not answer on port ${this.run.azurePort}: ${error.message}`,
            'Restart it: `npx aks-wi cloud stop`, then `npx aks-wi cloud start`.',
          ),
        );
      });
      request.end(body);
    });
  }
}
