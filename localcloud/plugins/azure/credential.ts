import type { TokenCredential } from '@azure/core-auth';

/** A service principal, with a client secret or a token that is exchanged. */
export interface ServicePrincipal {
  authorityHost: string;
  tenantId: string;
  clientId: string;
  clientSecret: string;
  /** The token that is exchanged; undefined: it signs in with the secret. */
  assertion: (() => Promise<string>) | undefined;
}

/** The service principal's credential. The SDK is loaded with the first token, because that is slow. */
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

/** The object id in an access token, i.e. the caller for the service. */
export function objectIdOf(token: string): string {
  const payload = token.split('.')[1] ?? '';
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8') || '{}');
  const id = typeof claims === 'object' && claims !== null && 'oid' in claims ? claims.oid : '';
  return typeof id === 'string' ? id : '';
}
