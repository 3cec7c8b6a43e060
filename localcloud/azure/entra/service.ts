import { randomUUID } from 'node:crypto';
import type { SigningKey } from '../identity/signingKey';
import type { CloudReply, CloudRequest, CloudService } from '../server/exchange';
import { checkTenant, instanceDiscovery, openidConfiguration } from './discovery';
import { EntraError, errorReply } from './errors';
import type { TokenContext } from './token';
import { token } from './token';

/** Path of the discovery document. */
const CONFIGURATION = '.well-known/openid-configuration';

/** Entra: discovery documents, keys and the token endpoint. */
export class EntraService implements CloudService {
  constructor(
    private readonly context: TokenContext,
    private readonly key: SigningKey,
  ) {}

  fault(status: number, code: string, message: string): CloudReply {
    const [, number = '0'] = /^(?:AADSTS)?(\d+)$/.exec(code) ?? [];
    const error = status >= 500 ? 'temporarily_unavailable' : 'invalid_client';
    return errorReply(
      new EntraError(Number(number), error, status, message),
      this.context.clock.now(),
      randomUUID(),
    );
  }

  async handle(request: CloudRequest): Promise<CloudReply> {
    try {
      return await this.answer(request);
    } catch (error) {
      if (!(error instanceof EntraError)) throw error;
      return errorReply(
        error,
        this.context.clock.now(),
        request.headers['client-request-id'] ?? randomUUID(),
      );
    }
  }

  private answer(request: CloudRequest): CloudReply | Promise<CloudReply> {
    const [tenant = '', ...rest] = request.segments;
    const path = rest.join('/').toLowerCase();
    const route = `${request.method} ${path}`;
    switch (route) {
      case 'GET discovery/instance':
        return instanceDiscovery(request.origin);
      case `GET v2.0/${CONFIGURATION}`:
        return openidConfiguration(request.origin, tenant, 'v2');
      case `GET ${CONFIGURATION}`:
        return openidConfiguration(request.origin, tenant, 'v1');
      case 'GET discovery/v2.0/keys':
      case 'GET discovery/keys':
        checkTenant(tenant, true);
        return { status: 200, body: { keys: [this.key.jwk()] } };
      case 'POST oauth2/v2.0/token':
        checkTenant(tenant, false);
        return token(this.context, request);
      default:
        throw new EntraError(
          900561,
          'invalid_request',
          404,
          `The endpoint '${request.method} /${request.segments.join('/')}' is not known to the local cloud. It has GET /common/discovery/instance and, below a tenant, GET v2.0/${CONFIGURATION}, GET discovery/v2.0/keys, POST oauth2/v2.0/token.`,
        );
    }
  }
}
