import type { Caller, Tokens } from '../identity/tokens';
import { TokenRefused } from '../identity/tokens';
import { isAllowed } from '../identity/access';
import { TENANT_ID } from '../../identity';
import type { CloudReply, CloudRequest, CloudService } from '../server/exchange';
import { commonHeaders, requestIdIn } from '../server/exchange';
import { checkApiVersion } from './apiVersions';
import { AUDIENCES, isManagement } from './audience';
import type { ArmContext } from './context';
import { present, stamp } from './context';
import type { ArmEndpoint } from './endpoint';
import { ArmError, errorReply } from './errors';
import { paged } from './pages';
import { readJson, readQuery } from './request';
import { checkLocks } from './resources/locks';
import { requireRegistration } from './resources/registrations';
import { subscriptionOf } from './resources/subscriptions';
import type { Found } from './routing';
import { route } from './routing';
import { inNewestVersion, inVersion } from './versions';

function unauthenticated(code: string, message: string, description = message): ArmError {
  return new ArmError(401, code, message, {
    headers: {
      'www-authenticate': `Bearer authorization_uri="https://login.windows.net/${TENANT_ID}", error="invalid_token", error_description="${description}"`,
    },
  });
}

/**
 * The resource manager. It checks in this order: credentials, path, query, api-version, subscription, role,
 * registration of the provider, locks, body.
 */
export class ArmService implements CloudService {
  constructor(
    private readonly context: ArmContext,
    private readonly tokens: Tokens,
    private readonly endpoints: readonly ArmEndpoint[],
    private readonly isOwnOrigin: (audience: string) => boolean,
  ) {}

  fault(status: number, code: string, message: string): CloudReply {
    return errorReply(new ArmError(status, code, message));
  }

  async handle(request: CloudRequest): Promise<CloudReply> {
    try {
      return await this.answer(request);
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      return errorReply(error);
    }
  }

  /**
   * Headers of every answer. Sources: Azure/azure-resource-manager-rpc `v1.0/common-api-details.md`, and the headers of a
   * refusal in Azure/azure-powershell #11022.
   */
  headers(request: CloudRequest): Record<string, string> {
    const clientRequestId = request.headers['x-ms-client-request-id'];
    const returned =
      clientRequestId !== undefined &&
      request.headers['x-ms-return-client-request-id']?.toLowerCase() === 'true';
    return {
      ...commonHeaders(request),
      'x-ms-correlation-request-id': correlationId(request),
      ...(returned ? { 'x-ms-client-request-id': clientRequestId } : {}),
    };
  }

  private async answer(request: CloudRequest): Promise<CloudReply> {
    const caller = await this.authenticate(request.headers['authorization']);
    const { endpoint, params, scope } = route(this.endpoints, request);
    const action = typeof endpoint.action === 'function' ? endpoint.action(params) : endpoint.action;
    const answered = (): Promise<CloudReply> =>
      this.perform(request, caller, { endpoint, params, scope, action });
    if (request.method === 'GET' || request.method === 'HEAD') return answered();
    let reply: CloudReply | undefined;
    let refusal: unknown;
    try {
      reply = await answered();
      return reply;
    } catch (error) {
      refusal = error;
      throw error;
    } finally {
      this.record(request, caller, { endpoint, action }, reply, refusal);
    }
  }

  private async perform(
    request: CloudRequest,
    caller: Caller,
    { endpoint, params, scope, action }: Found & { action: string | undefined },
  ): Promise<CloudReply> {
    const query = readQuery(endpoint, request.query);
    const apiVersion = checkApiVersion(endpoint.type, query.get('api-version'));
    checkSubscription(request.segments);
    const path = `/${request.segments.join('/')}`;
    this.authorise(caller, endpoint, action, path, scope);
    if (['PUT', 'PATCH', 'POST'].includes(request.method) && params['subscriptionId'] !== undefined) {
      requireRegistration(this.context, params['subscriptionId'], endpoint.type);
    }
    // Locks do not apply to locks; otherwise they could never be deleted.
    if (endpoint.type !== 'Microsoft.Authorization/locks') checkLocks(this.context, request.method, path);
    const replaces = request.method === 'PUT';
    const existing = replaces ? this.context.store.resources.get(path) : undefined;
    const reply = await endpoint.handle({
      params,
      scope,
      query,
      headers: request.headers,
      body: inNewestVersion(
        endpoint.type,
        apiVersion,
        readJson(request),
        replaces,
        existing && present(existing),
      ),
      caller,
      apiVersion,
      origin: request.origin,
    });
    // The `checkExistence` of Azure's clients expects 204 for an existing resource.
    if (request.method === 'HEAD') return { status: reply.status === 200 ? 204 : reply.status };
    return paged({ ...reply, body: inVersion(endpoint.type, apiVersion, reply.body) }, request, query);
  }

  private async authenticate(header: string | undefined): Promise<Caller> {
    if (header === undefined) {
      throw unauthenticated(
        'AuthenticationFailed',
        "Authentication failed. The 'Authorization' header is missing.",
        "The authentication failed because of missing 'Authorization' header.",
      );
    }
    const token = /^Bearer (.+)$/i.exec(header)?.[1];
    if (token === undefined) {
      throw unauthenticated(
        'AuthenticationFailedInvalidHeader',
        "Authentication failed. The 'Authorization' header is provided in an invalid format.",
      );
    }
    try {
      return await this.tokens.verify(token, (audience) => isManagement(audience, this.isOwnOrigin));
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      const code = {
        expired: 'ExpiredAuthenticationToken',
        invalid: 'InvalidAuthenticationToken',
        tenant: 'InvalidAuthenticationTokenTenant',
        audience: 'InvalidAuthenticationTokenAudience',
      }[error.reason];
      const text = {
        expired: 'The access token expiry is in the past.',
        invalid: 'The access token is invalid.',
        tenant: `The access token is from the wrong issuer: ${error.message}.`,
        audience: `The access token has been obtained for wrong audience or resource '${error.message}'. It should exactly match with one of the allowed audiences '${AUDIENCES.map((each) => `${each}/`).join("','")}'.`,
      }[error.reason];
      throw unauthenticated(code, text);
    }
  }

  /** Adds a request to the activity log. Reads are not logged, as in Azure. */
  private record(
    request: CloudRequest,
    caller: Caller,
    { endpoint, action }: { endpoint: ArmEndpoint; action: string | undefined },
    reply: CloudReply | undefined,
    refusal: unknown,
  ): void {
    const refused = refusal instanceof ArmError ? refusal : undefined;
    this.context.activities.append({
      time: stamp(this.context),
      action: action ?? request.method,
      // For an action, the resource on which it was called.
      resourceId: `/${request.segments.slice(0, request.method === 'POST' ? -1 : undefined).join('/')}`,
      status: reply?.status ?? refused?.status ?? 500,
      ...(refusal === undefined ? {} : { error: refused?.code ?? 'InternalServerError' }),
      caller: caller.objectId,
      clientId: caller.clientId,
      tokenId: caller.tokenId,
      correlationId: correlationId(request),
      operationId: request.id,
      ...(endpoint.logsBody === true && { requestBody: request.body }),
    });
  }

  private authorise(
    caller: Caller,
    endpoint: ArmEndpoint,
    action: string | undefined,
    path: string,
    scope: string,
  ): void {
    if (action === undefined) return;
    // An extension resource is authorized at its scope, every other resource at its own path.
    const target = endpoint.path.startsWith('{scope}') ? scope : path;
    const known = endpoint.checksConditions === true ? 'later' : {};
    if (isAllowed(this.context.store, caller, action, target, 'control', known)) return;
    throw new ArmError(
      403,
      'AuthorizationFailed',
      `The client '${caller.clientId}' with object id '${caller.objectId}' does not have authorization to perform action '${action}' over scope '${target}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
    );
  }
}

/** The id that related requests share. The client may choose it. The activity log has it too. */
const correlationId = (request: CloudRequest): string =>
  requestIdIn(request, 'x-ms-correlation-request-id') ?? request.id;

function checkSubscription(segments: readonly string[]): void {
  if (segments[0]?.toLowerCase() !== 'subscriptions') return;
  const subscription = segments[1];
  if (subscription === undefined || subscriptionOf(subscription) !== undefined) return;
  throw new ArmError(404, 'SubscriptionNotFound', `The subscription '${subscription}' could not be found.`);
}
