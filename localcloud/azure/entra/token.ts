import { randomUUID } from 'node:crypto';
import type { AuditLog, TokenIssuance } from '../audit';
import { secretMatches } from '../credentials';
import { TENANT_ID } from '../../identity';
import type { Tokens } from '../identity/tokens';
import { TOKEN_LIFETIME } from '../identity/tokens';
import type { CloudReply, CloudRequest } from '../server/exchange';
import type { PrincipalDocument } from '../store/documents';
import type { FederationContext } from './assertion';
import { checkCertificate, checkFederated, readAssertion } from './assertion';
import { EntraError, errorReply } from './errors';

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const RESOURCES = [
  'https://management.azure.com',
  'https://management.core.windows.net',
  'https://vault.azure.net',
  'https://graph.microsoft.com',
];

export interface TokenContext extends FederationContext {
  tokens: Tokens;
  audit: AuditLog;
  /** Whether a resource is the local server itself, reached by its address. */
  isOwnOrigin: (resource: string) => boolean;
}

type Entry = Partial<TokenIssuance>;

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value !== null && value !== '') return value;
  throw new EntraError(
    900144,
    'invalid_request',
    400,
    `The request body must contain the following parameter: '${name}'.`,
  );
}

/** The audience of the token: the scope without its `/.default`. */
function resourceOf(context: TokenContext, scope: string): string {
  const [first = '', ...more] = scope
    .split(' ')
    .filter((each) => !['openid', 'profile', 'offline_access', ''].includes(each));
  if (!first.endsWith('/.default') || more.length > 0) {
    throw new EntraError(
      1002012,
      'invalid_scope',
      400,
      `The provided value for scope ${scope} is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).`,
    );
  }
  const resource = first.slice(0, -'/.default'.length);
  const plain = resource.replace(/\/+$/, '');
  if (RESOURCES.includes(plain) || context.isOwnOrigin(plain)) return resource;
  throw new EntraError(
    500011,
    'invalid_resource',
    400,
    `The resource principal named ${resource} was not found in the tenant named ${TENANT_ID}. The local cloud has ${RESOURCES.join(', ')}.`,
  );
}

function checkSecret(context: TokenContext, principal: PrincipalDocument, secret: string): void {
  const held = principal.secrets.find((candidate) => secretMatches(secret, candidate));
  if (held === undefined) {
    throw new EntraError(
      7000215,
      'invalid_client',
      401,
      `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${principal.clientId}'.`,
    );
  }
  if (held.expiresAt > context.clock.now()) return;
  throw new EntraError(
    7000222,
    'invalid_client',
    401,
    `The provided client secret keys for app '${principal.clientId}' are expired.`,
  );
}

/** Proves who the client is; notes in the audit entry how. */
async function authenticate(
  context: TokenContext,
  principal: PrincipalDocument,
  form: URLSearchParams,
  entry: Entry,
): Promise<void> {
  const secret = form.get('client_secret');
  const assertion = form.get('client_assertion');
  if (assertion !== null) {
    if (form.get('client_assertion_type') !== JWT_BEARER) {
      throw new EntraError(
        50058,
        'invalid_request',
        400,
        `The client_assertion_type must be '${JWT_BEARER}'; it is '${form.get('client_assertion_type') ?? ''}'.`,
      );
    }
    const { claims, audiences } = await readAssertion(assertion);
    entry.issuer = claims.iss;
    entry.subject = claims.sub;
    entry.audiences = audiences;
    if (claims.iss === principal.clientId) {
      entry.grant = 'certificate';
      await checkCertificate(context.clock, principal, assertion);
      return;
    }
    entry.grant = 'federated';
    entry.credential = (await checkFederated(context, principal, assertion)).name;
    return;
  }
  if (secret !== null) {
    entry.grant = 'secret';
    checkSecret(context, principal, secret);
    return;
  }
  throw new EntraError(
    7000218,
    'invalid_client',
    401,
    "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
  );
}

async function issue(context: TokenContext, form: URLSearchParams, entry: Entry): Promise<CloudReply> {
  const grantType = required(form, 'grant_type');
  if (grantType !== 'client_credentials') {
    throw new EntraError(
      70003,
      'unsupported_grant_type',
      400,
      `The app requested an unsupported grant type '${grantType}'. The local cloud has client_credentials.`,
    );
  }
  const clientId = required(form, 'client_id').toLowerCase();
  entry.clientId = clientId;
  const scope = required(form, 'scope');
  entry.scope = scope;
  const principal = context.store.principalByClientId(clientId);
  if (principal === undefined) {
    throw new EntraError(
      700016,
      'unauthorized_client',
      400,
      `Application with identifier '${clientId}' was not found in the directory 'Local cloud'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.`,
    );
  }
  entry.objectId = principal.objectId;
  entry.displayName = principal.displayName;
  const resource = resourceOf(context, scope);
  entry.resource = resource;
  await authenticate(context, principal, form, entry);
  const { token, tokenId } = await context.tokens.issue(principal, resource);
  entry.tokenId = tokenId;
  return {
    status: 200,
    headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    body: {
      token_type: 'Bearer',
      expires_in: TOKEN_LIFETIME,
      ext_expires_in: TOKEN_LIFETIME,
      access_token: token,
    },
  };
}

/** `POST /{tenant}/oauth2/v2.0/token`. Each request leaves a line in the audit log. */
export async function token(context: TokenContext, request: CloudRequest): Promise<CloudReply> {
  const form = new URLSearchParams(request.body);
  const correlationId = request.headers['client-request-id'] ?? form.get('client-request-id') ?? randomUUID();
  const entry: Entry = {};
  let reply: CloudReply;
  let error: number | undefined;
  try {
    reply = await issue(context, form, entry);
  } catch (caught) {
    if (!(caught instanceof EntraError)) throw caught;
    error = caught.code;
    reply = errorReply(caught, context.clock.now(), correlationId);
  }
  context.audit.append({
    clientId: '',
    grant: 'none',
    ...entry,
    time: new Date(context.clock.now()).toISOString(),
    outcome: error === undefined ? 'issued' : 'refused',
    ...(error === undefined ? {} : { error }),
    correlationId,
  });
  return { ...reply, headers: { ...reply.headers, 'client-request-id': correlationId } };
}
