import { SUBSCRIPTION_ID } from '../identity';
import { subscriptionScope } from './arm/resourceId';
import type { AuditLog } from './audit';
import { isAllowed } from './identity/access';
import type { Tokens } from './identity/tokens';
import { TokenRefused } from './identity/tokens';
import type { CloudReply, CloudRequest, CloudService } from './server/exchange';
import type { Store } from './store/store';

/**
 * What is not Azure's, below `/_local` on the loopback address: `GET /_local/health` for anybody,
 * `GET /_local/audit` (the record of token issuance) for who may read the subscription's activity log.
 */
export class LocalService implements CloudService {
  constructor(
    private readonly store: Store,
    private readonly tokens: Tokens,
    private readonly audit: AuditLog,
  ) {}

  fault(status: number, code: string, message: string): CloudReply {
    return { status, body: { error: { code, message } } };
  }

  async handle(request: CloudRequest): Promise<CloudReply> {
    const route = `${request.method} ${request.segments.slice(1).join('/')}`;
    if (route === 'GET health') return { status: 200, body: { status: 'serving' } };
    if (route !== 'GET audit') {
      return this.fault(404, 'NotFound', `'${route}' is not one of GET health, GET audit.`);
    }
    const token = /^Bearer (.+)$/i.exec(request.headers['authorization'] ?? '')?.[1] ?? '';
    try {
      const caller = await this.tokens.verify(token, (audience) =>
        audience.startsWith('https://management.'),
      );
      const action = 'Microsoft.Insights/eventtypes/values/read';
      if (!isAllowed(this.store, caller.objectId, action, subscriptionScope(SUBSCRIPTION_ID))) {
        return this.fault(
          403,
          'AuthorizationFailed',
          `The caller may not perform '${action}' on the subscription.`,
        );
      }
      return { status: 200, body: { value: this.audit.read() } };
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      return this.fault(
        401,
        'InvalidAuthenticationToken',
        'A token for https://management.azure.com is needed.',
      );
    }
  }
}
