import { randomUUID } from 'node:crypto';
import type { TokenCredential } from '@azure/identity';
import type { Access, RawReply } from '../../localcloud/tests/support/vendorClients';
import { VendorClients } from '../../localcloud/tests/support/vendorClients';

export { all } from '../../localcloud/tests/support/vendorClients';

/** The vendors' clients for a local cloud in another process, as its administrator. */
export class AzureClients extends VendorClients {
  readonly credential: TokenCredential;

  constructor(private readonly cloud: Access) {
    super();
    this.credential = super.administrator();
  }

  protected override access(): Access {
    return this.cloud;
  }

  /** Returns the same credential for all clients, because it caches tokens. */
  override administrator(): TokenCredential {
    return this.credential;
  }

  /**
   * Assigns a role.
   *
   * @param role GUID of a built-in role
   * @param principal object id of an identity or service principal. @default the administrator's
   * @returns id of the assignment
   */
  async grant(scope: string, role: string, principal?: string): Promise<string> {
    const { id = '' } = await this.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId: principal ?? (await this.ownObjectId()),
      principalType: 'ServicePrincipal',
      roleDefinitionId: `/subscriptions/${this.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    });
    return id;
  }

  private async ownObjectId(): Promise<string> {
    const token = await this.credential.getToken('https://management.azure.com/.default');
    const payload = Buffer.from(token?.token.split('.')[1] ?? '', 'base64url').toString('utf8');
    return (JSON.parse(payload) as { oid: string }).oid;
  }

  /** Sends a request to the resource manager that none of the clients can send. `path` includes the api-version. */
  request(
    method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<RawReply> {
    return this.raw(`https://management.azure.com${path}`, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      credential: this.credential,
    });
  }
}
