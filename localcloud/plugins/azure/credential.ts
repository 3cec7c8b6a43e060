import type { TokenCredential } from '@azure/core-auth';

/** A service principal that signs in with a client secret or by exchanging a token. */
export interface ServicePrincipal {
  authorityHost: string;
  tenantId: string;
  clientId: string;
  clientSecret: string;
  /** Returns the token to exchange; undefined: the service principal signs in with the secret. */
  assertion: (() => Promise<string>) | undefined;
}

/** Returns the service principal's credential. It loads the SDK only for the first token, because loading is slow. */
export function openCredential(principal: ServicePrincipal): TokenCredential {
  let opened: Promise<TokenCredential> | undefined;
  return {
    async getToken(scopes, options) {
      opened ??= open(principal);
      return (await opened).getToken(scopes, options);
    },
  };
}

async function open(principal: ServicePrincipal): Promise<TokenCredential> {
  const { ClientAssertionCredential, ClientSecretCredential } = await import('@azure/identity');
  const { authorityHost, tenantId, clientId, clientSecret, assertion } = principal;
  const options = {
    authorityHost,
    // Instance discovery would ask login.microsoftonline.com, which does not know loopback hosts.
    disableInstanceDiscovery: /^https:\/\/(127\.|localhost|\[::1\])/.test(authorityHost),
  };
  return assertion === undefined
    ? new ClientSecretCredential(tenantId, clientId, clientSecret, options)
    : new ClientAssertionCredential(tenantId, clientId, assertion, options);
}

/** Returns the object id in an access token, which identifies the caller to the service. */
export function objectIdOf(token: string): string {
  const payload = token.split('.')[1] ?? '';
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8') || '{}');
  const id = typeof claims === 'object' && claims !== null && 'oid' in claims ? claims.oid : '';
  return typeof id === 'string' ? id : '';
}
