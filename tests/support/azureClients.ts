import { AuthorizationManagementClient } from '@azure/arm-authorization';
import { ContainerServiceClient } from '@azure/arm-containerservice';
import { KeyVaultManagementClient } from '@azure/arm-keyvault';
import { ManagedServiceIdentityClient } from '@azure/arm-msi';
import { ResourceManagementClient } from '@azure/arm-resources';
import type { TokenCredential } from '@azure/identity';
import { ClientSecretCredential } from '@azure/identity';
import { SecretClient } from '@azure/keyvault-secrets';
import { randomUUID } from 'node:crypto';
import https from 'node:https';
import { TunnelAgent } from '../localcloud/support/tunnelAgent';

/** How a local cloud is reached by Azure's public names. */
export interface Access {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly proxyPort: number;
  /** PEM. */
  readonly ca: string;
}

/** An answer of the resource manager, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * The vendors' clients on a local cloud, as its administrator: what somebody would do in the portal. They run in the
 * test's own process: the agent is for each client what HTTPS_PROXY and NODE_EXTRA_CA_CERTS are for a process.
 */
export class AzureClients {
  readonly credential: TokenCredential;
  readonly subscriptionId: string;
  readonly tenantId: string;
  private readonly options: { agent: TunnelAgent; retryOptions: { maxRetries: number } };

  constructor(access: Access) {
    this.subscriptionId = access.subscriptionId;
    this.tenantId = access.tenantId;
    this.options = { agent: new TunnelAgent(access.proxyPort, access.ca), retryOptions: { maxRetries: 0 } };
    this.credential = new ClientSecretCredential(
      access.tenantId,
      access.clientId,
      access.clientSecret,
      this.options,
    );
  }

  resources(subscriptionId = this.subscriptionId): ResourceManagementClient {
    return new ResourceManagementClient(this.credential, subscriptionId, this.options);
  }

  identities(subscriptionId = this.subscriptionId): ManagedServiceIdentityClient {
    return new ManagedServiceIdentityClient(this.credential, subscriptionId, this.options);
  }

  vaults(subscriptionId = this.subscriptionId): KeyVaultManagementClient {
    return new KeyVaultManagementClient(this.credential, subscriptionId, this.options);
  }

  authorization(subscriptionId = this.subscriptionId): AuthorizationManagementClient {
    return new AuthorizationManagementClient(this.credential, subscriptionId, this.options);
  }

  clusters(subscriptionId = this.subscriptionId): ContainerServiceClient {
    return new ContainerServiceClient(this.credential, subscriptionId, this.options);
  }

  /** The data of a vault. The administrator needs a role or a policy in it, as anybody else. */
  secrets(vault: string): SecretClient {
    return new SecretClient(`https://${vault}.vault.azure.net`, this.credential, this.options);
  }

  /**
   * Assigns a role to the administrator itself.
   * @param role GUID of a built-in role
   */
  async grant(scope: string, role: string): Promise<void> {
    const token = await this.credential.getToken('https://management.azure.com/.default');
    const payload = Buffer.from(token?.token.split('.')[1] ?? '', 'base64url').toString('utf8');
    const { oid } = JSON.parse(payload) as { oid: string };
    await this.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId: oid,
      principalType: 'ServicePrincipal',
      roleDefinitionId: `/subscriptions/${this.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    });
  }

  /** A request to the resource manager that none of these clients would send; `path` includes the api-version. */
  async request(
    method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const token = await this.credential.getToken('https://management.azure.com/.default');
    return new Promise((resolve, reject) => {
      const request = https.request(
        `https://management.azure.com${path}`,
        {
          method,
          agent: this.options.agent,
          headers: {
            authorization: `Bearer ${token?.token ?? ''}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({
              status: response.statusCode ?? 0,
              body: text === '' ? undefined : (JSON.parse(text) as unknown),
            });
          });
        },
      );
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** Everything of a vendor's paged list. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
