import { readFileSync } from 'node:fs';
import https from 'node:https';
import * as z from 'zod';
import type { Instance } from '../daemon/instance';
import type { RunRecord } from '../daemon/runFile';
import { commandLine } from '../project';
import { readCredentials } from './credentials';
import type { DeletedVault, VaultManager } from './purge';
import { tokenRequest, type TokenRequest } from './tokenRequests';
import { UserError } from '../userError';

/** The API version that the program's managed clusters use. */
const clusterApiVersion = '2025-09-01';
const vaultApiVersion = '2023-07-01';
/** Time limit for the answer to a request. */
const answerLimitMilliseconds = 10_000;
/** Time limit for all control planes to serve. One may take two minutes on a busy machine. */
const clustersLimitMilliseconds = 300_000;
/** Time limit of a purge, which normally takes a moment. */
const purgeLimitMilliseconds = 60_000;

/** A managed cluster in a list of the resource manager. */
export interface ListedCluster {
  id: string;
  name: string;
  provisioningState: string;
  /** The stack that created it; undefined if no stack did. */
  stack?: string;
}

/** Name of the tag on resources that a stack creates; its value is `<project>/<stack>`. */
const STACK_TAG = 'pulumi-stack';

const clusterList = z.object({
  value: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      tags: z.record(z.string(), z.string()).default({}),
      properties: z.object({ provisioningState: z.string().default('Unknown') }),
    }),
  ),
});
const credentialResults = z.object({ kubeconfigs: z.array(z.object({ value: z.string() })).min(1) });
const vaultList = z.object({ value: z.array(z.object({ name: z.string() })) });
const deletedVaultList = z.object({
  value: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      properties: z.object({ purgeProtectionEnabled: z.boolean().default(false) }),
    }),
  ),
});
const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const tokenRequestList = z.object({ value: z.array(z.looseObject(tokenRequest.shape)) });
const podList = z.object({ value: z.array(z.object({ cluster: z.string(), pod: z.string() })) });
const tokenAnswer = z.object({ access_token: z.string() });

interface Reply {
  status: number;
  /** URL with the result of a long-running operation. */
  location: string | undefined;
  body: unknown;
}

/**
 * The commands' client of the local resource manager. It reads the local certificate authority's file itself, because
 * Node reads NODE_EXTRA_CA_CERTS only at start. The vendor's clients would be a package for each service, and have no
 * requests for the local cloud's own paths (`/_local/…`).
 */
export class ArmClient implements VaultManager {
  private readonly ca: string;
  private token: string | undefined;

  constructor(
    private readonly instance: Instance,
    private readonly run: RunRecord,
  ) {
    this.ca = readFileSync(instance.caFile, 'utf8');
  }

  async clusters(): Promise<ListedCluster[]> {
    const { body } = await this.arm(
      'GET',
      `${this.subscription()}/providers/Microsoft.ContainerService/managedClusters`,
      clusterApiVersion,
    );
    return clusterList.parse(body).value.map(({ id, name, tags, properties }) => ({
      id,
      name,
      provisioningState: properties.provisioningState,
      stack: tags[STACK_TAG]?.split('/').at(-1),
    }));
  }

  /** Returns the cluster's administrator kubeconfig (YAML). */
  async kubeconfig(cluster: Pick<ListedCluster, 'id'>): Promise<string> {
    const { body } = await this.arm('POST', `${cluster.id}/listClusterAdminCredential`, clusterApiVersion);
    const [first] = credentialResults.parse(body).kubeconfigs;
    return Buffer.from(first?.value ?? '', 'base64').toString('utf8');
  }

  async vaults(): Promise<string[]> {
    const path = `${this.subscription()}/providers/Microsoft.KeyVault/vaults`;
    const { body } = await this.arm('GET', path, vaultApiVersion);
    return vaultList.parse(body).value.map(({ name }) => name);
  }

  async deletedVaults(): Promise<DeletedVault[]> {
    const path = `${this.subscription()}/providers/Microsoft.KeyVault/deletedVaults`;
    const { body } = await this.arm('GET', path, vaultApiVersion);
    return deletedVaultList.parse(body).value.map(({ id, name, properties }) => ({
      id,
      name,
      purgeProtected: properties.purgeProtectionEnabled,
    }));
  }

  async purge({ id }: Pick<DeletedVault, 'id'>): Promise<void> {
    const deadline = performance.now() + purgeLimitMilliseconds;
    let reply = await this.arm('POST', `${id}/purge`, vaultApiVersion);
    while (reply.status === 202 && reply.location !== undefined) {
      if (performance.now() > deadline) {
        throw new UserError(
          `The purge of ${id} has not finished after ${purgeLimitMilliseconds / 1000} s.`,
          'Run the command again: it says whether the vault is still there.',
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      // Only the path is used, because the host is a public name, which needs the proxy.
      const { pathname, search } = new URL(reply.location);
      reply = await this.authorised('GET', `${pathname}${search}`);
    }
  }

  /** Returns the token requests to the local Entra, oldest first. */
  async tokenRequests(): Promise<TokenRequest[]> {
    const { body } = await this.authorised('GET', '/_local/audit');
    return tokenRequestList.parse(body).value;
  }

  /** Waits until the clusters serve, and returns the pods that were ready before the start and are not yet. */
  async unreadyPods(): Promise<{ cluster: string; pod: string }[]> {
    const { body } = await this.authorised('GET', '/_local/pods', undefined, clustersLimitMilliseconds);
    return podList.parse(body).value;
  }

  /** Injects a fault into the requests of other clients. */
  async addFault(fault: { name: string; resource?: string; times?: number }): Promise<void> {
    await this.authorised('POST', '/_local/faults', JSON.stringify(fault));
  }

  async clearFaults(): Promise<void> {
    await this.authorised('DELETE', '/_local/faults');
  }

  private subscription(): string {
    return `/subscriptions/${readCredentials(this.instance).subscriptionId}`;
  }

  private arm(method: 'GET' | 'POST', path: string, apiVersion: string): Promise<Reply> {
    return this.authorised(method, `${path}?api-version=${apiVersion}`);
  }

  private async authorised(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: string,
    limit?: number,
  ): Promise<Reply> {
    this.token ??= await this.signIn();
    return this.request(method, path, { authorization: `Bearer ${this.token}` }, body, limit);
  }

  private async signIn(): Promise<string> {
    const { tenantId, clientId, clientSecret } = readCredentials(this.instance);
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'https://management.azure.com/.default',
    });
    const { body } = await this.request(
      'POST',
      `/${tenantId}/oauth2/v2.0/token`,
      { 'content-type': 'application/x-www-form-urlencoded' },
      form.toString(),
    );
    return tokenAnswer.parse(body).access_token;
  }

  private request(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
    timeout = answerLimitMilliseconds,
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const request = https.request(
        { host: '127.0.0.1', port: this.run.azurePort, method, path, headers, ca: this.ca, timeout },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const status = response.statusCode ?? 0;
            if (status >= 200 && status < 300) {
              const { location } = response.headers;
              resolve({ status, location, body: text === '' ? undefined : JSON.parse(text) });
              return;
            }
            reject(
              new UserError(`The local cloud answered ${status} to ${method} ${path}: ${refusal(text)}`),
            );
          });
        },
      );
      request.on('timeout', () => request.destroy(new Error(`no answer within ${timeout / 1000} s`)));
      request.on('error', (error) => {
        reject(
          new UserError(
            `The local cloud does not answer on port ${this.run.azurePort}: ${error.message}`,
            `Restart it: ${commandLine('cloud stop')}, then ${commandLine('cloud start')}.`,
          ),
        );
      });
      request.end(body);
    });
  }
}

/** Returns code and message of an error answer, or the beginning of any other text. */
function refusal(text: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return text.slice(0, 300);
  }
  const parsed = errorAnswer.safeParse(answer);
  return parsed.success ? `${parsed.data.error.code}: ${parsed.data.error.message}` : text.slice(0, 300);
}
