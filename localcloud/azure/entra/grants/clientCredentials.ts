import type { TokenIssuance } from '../../audit';
import { TENANT_ID } from '../../../identity';
import { groupsOf } from '../../identity/groups';
import type { Tokens } from '../../identity/tokens';
import { TOKEN_LIFETIME } from '../../identity/tokens';
import type { CloudReply } from '../../server/exchange';
import type { Client } from '../client';
import { checkEnabled, clientOf } from '../client';
import { EntraError } from '../errors';
import { isResource, RESOURCES } from '../resources';
import { checkAudiences, isFederated, readAssertion } from './assertion';
import type { CertificateContext } from './certificate';
import { checkCertificate } from './certificate';
import type { FederationContext } from './federated';
import { checkFederated } from './federated';
import { required } from './form';
import { checkSecret } from './secret';

/** The only accepted type (AzureAD/azure-activedirectory-library-for-ruby #53). */
export const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Everything that a grant needs. */
export interface GrantContext extends FederationContext, CertificateContext {
  tokens: Tokens;
}

/** Version of the token endpoint. v1 has `resource` in place of `scope`, and strings in place of numbers. */
export type EndpointVersion = 'v1' | 'v2';

/** The fields of the audit record that are known so far. */
export type Entry = Partial<TokenIssuance>;

/** Returns the audience of the token: the scope without its `/.default`. */
function resourceOf(context: GrantContext, scope: string): string {
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
  return knownResource(context, first.slice(0, -'/.default'.length));
}

function knownResource(context: GrantContext, resource: string): string {
  if (isResource(resource, context.isOwnOrigin)) return resource;
  throw new EntraError(
    500011,
    'invalid_resource',
    400,
    `The resource principal named ${resource} was not found in the tenant named ${TENANT_ID}. The local cloud has ${RESOURCES.join(', ')}.`,
  );
}

/** A managed identity has no secrets or certificates of its own. */
const NO_CREDENTIALS = { secrets: [], certificates: [] };

/** Authenticates the client and records the method in the audit entry. */
export type Authenticate = (
  context: GrantContext,
  client: Client,
  form: URLSearchParams,
  entry: Entry,
) => void | Promise<void>;

/** Authenticates the client by the assertion or the secret in the form. */
export const byForm: Authenticate = async (context, client, form, entry) => {
  const credentials = { clientId: client.principal.clientId, ...(client.application ?? NO_CREDENTIALS) };
  const secret = form.get('client_secret');
  const token = form.get('client_assertion');
  if (token !== null) {
    // For a missing type, Entra's answer is assumed to be the same.
    if (form.get('client_assertion_type') !== JWT_BEARER) {
      throw new EntraError(90011, 'invalid_request', 400, 'Unexpected client assertion type.');
    }
    const assertion = await readAssertion(token);
    const { iss: issuer, sub: subject } = assertion.claims;
    Object.assign(entry, { issuer, subject, audiences: assertion.audiences });
    checkAudiences(assertion);
    if (!isFederated(assertion)) {
      entry.grant = 'certificate';
      entry.credential = (await checkCertificate(context, credentials, assertion)).keyId;
      return;
    }
    entry.grant = 'federated';
    entry.credential = (await checkFederated(context, client, assertion)).name;
    return;
  }
  if (secret !== null) {
    entry.grant = 'secret';
    entry.credential = checkSecret(context.clock, credentials, secret).keyId;
    return;
  }
  throw new EntraError(
    7000218,
    'invalid_client',
    401,
    "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
  );
};

/** The client credentials grant: issues a token for the client itself. */
export async function clientCredentials(
  context: GrantContext,
  form: URLSearchParams,
  entry: Entry,
  version: EndpointVersion,
  authenticate: Authenticate,
): Promise<CloudReply> {
  const clientId = required(form, 'client_id').toLowerCase();
  entry.clientId = clientId;
  const audience = required(form, version === 'v1' ? 'resource' : 'scope');
  entry.scope = audience;
  const client = clientOf(context.store, clientId);
  const { principal } = client;
  entry.objectId = principal.objectId;
  entry.displayName = principal.displayName;
  checkEnabled(principal);
  const resource = version === 'v1' ? knownResource(context, audience) : resourceOf(context, audience);
  entry.resource = resource;
  await authenticate(context, client, form, entry);
  const groups = groupsOf(context.store, principal.objectId);
  const method = entry.grant === 'secret' ? 'secret' : 'signature';
  const { token, tokenId } = await context.tokens.issue(principal, resource, { groups, method });
  entry.tokenId = tokenId;
  const [token_type, access_token] = ['Bearer', token];
  if (version === 'v2')
    return {
      status: 200,
      body: { token_type, expires_in: TOKEN_LIFETIME, ext_expires_in: TOKEN_LIFETIME, access_token },
    };
  const now = Math.floor(context.clock.now() / 1000);
  const lifetime = String(TOKEN_LIFETIME);
  return {
    status: 200,
    body: {
      ...{ token_type, expires_in: lifetime, ext_expires_in: lifetime, resource, access_token },
      ...{ expires_on: String(now + TOKEN_LIFETIME), not_before: String(now) },
    },
  };
}
