import { randomUUID } from 'node:crypto';
import type { SigningKey } from '../identity/signingKey';
import type { CloudReply, CloudRequest, CloudService } from '../server/exchange';
import { commonHeaders } from '../server/exchange';
import { discoveredTenant, instanceDiscovery, openidConfiguration } from './discovery';
import { EntraError, errorReply } from './errors';
import type { TokenContext } from './token';
import { correlationIdOf, token } from './token';

/** Path of the discovery document. */
const CONFIGURATION = '.well-known/openid-configuration';
/** Path of the token endpoint. */
const TOKEN = 'oauth2/v2.0/token';
/** Path of the v1 token endpoint, which ADAL uses. */
const TOKEN_V1 = 'oauth2/token';

/** Entra: discovery documents, keys and the token endpoint. */
export class EntraService implements CloudService {
  constructor(
    private readonly context: TokenContext,
    private readonly key: SigningKey,
  ) {}

  /**
   * Entra's code for a request that its token service does not read is not known. The nearest ones in entra-docs
   * `docs/identity-platform/reference-error-codes.md` are 90013 (invalid input) and 90033 (transient error).
   */
  fault(status: number, code: string, message: string): CloudReply {
    const number = /^(?:AADSTS)?(\d+)$/.exec(code)?.[1];
    const error =
      status >= 500 ? 'temporarily_unavailable' : number === undefined ? 'invalid_request' : 'invalid_client';
    return errorReply(
      new EntraError(Number(number ?? (status >= 500 ? 90033 : 90013)), error, status, message),
      this.context.clock.now(),
      randomUUID(),
    );
  }

  /** As in the answer of the token endpoint in microsoftgraph/microsoft-graph-docs #20272. */
  headers(request: CloudRequest): Record<string, string> {
    return { ...commonHeaders(request), 'cache-control': 'no-store, no-cache' };
  }

  async handle(request: CloudRequest): Promise<CloudReply> {
    try {
      return await this.answer(request);
    } catch (error) {
      if (!(error instanceof EntraError)) throw error;
      return errorReply(error, this.context.clock.now(), correlationIdOf(request));
    }
  }

  private answer(request: CloudRequest): CloudReply | Promise<CloudReply> {
    const [tenant = '', ...rest] = request.segments;
    const path = rest.join('/').toLowerCase();
    if ([TOKEN, TOKEN_V1].includes(path) && request.method !== 'POST') {
      // Code and text are Entra's own; its status is not known.
      throw new EntraError(
        900561,
        'invalid_request',
        405,
        `The endpoint only accepts POST requests. Received a ${request.method} request.`,
      );
    }
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
        discoveredTenant(tenant);
        return { status: 200, body: { keys: [this.key.jwk()] } };
      case `POST ${TOKEN}`:
        return token(this.context, request, 'v2');
      case `POST ${TOKEN_V1}`:
        return token(this.context, request, 'v1');
      default:
        throw new EntraError(
          90013,
          'invalid_request',
          404,
          `The endpoint '${request.method} /${request.segments.join('/')}' is not known to the local cloud. It has GET /common/discovery/instance and, below a tenant, GET v2.0/${CONFIGURATION}, GET discovery/v2.0/keys, POST ${TOKEN}, POST ${TOKEN_V1}.`,
        );
    }
  }
}
