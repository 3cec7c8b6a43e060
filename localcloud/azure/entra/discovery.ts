import { TENANT_ID } from '../../identity';
import type { CloudReply } from '../server/exchange';
import { ENTRA_HOST } from '../server/hosts';
import { EntraError } from './errors';

const ANY_TENANT = ['common', 'organizations'];

/**
 * Refuses a tenant that does not exist. Sources: Azure/azure-cli #22145 (discovery answers `invalid_tenant`),
 * microsoft/azure-tools-for-java #3900 (the token endpoint answers `invalid_request`).
 */
export function checkTenant(tenant: string, error: 'invalid_tenant' | 'invalid_request'): void {
  if (tenant.toLowerCase() === TENANT_ID) return;
  throw new EntraError(
    90002,
    error,
    400,
    `Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for the tenant. The local cloud has tenant '${TENANT_ID}'.`,
  );
}

/** Returns the tenant of a discovery document, which may be `common` or `organizations`; throws for an unknown one. */
export function discoveredTenant(tenant: string): string {
  const lowerCase = tenant.toLowerCase();
  if (!ANY_TENANT.includes(lowerCase)) checkTenant(tenant, 'invalid_tenant');
  return lowerCase;
}

/** The directory's discovery document. */
export function openidConfiguration(origin: string, tenant: string, version: 'v1' | 'v2'): CloudReply {
  const base = `${origin}/${discoveredTenant(tenant)}`;
  const suffix = version === 'v2' ? '/v2.0' : '';
  return {
    status: 200,
    body: {
      token_endpoint: `${base}/oauth2${suffix}/token`,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
      jwks_uri: `${base}/discovery${suffix}/keys`,
      response_modes_supported: ['query', 'fragment', 'form_post'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      issuer:
        version === 'v2'
          ? `https://${ENTRA_HOST}/${TENANT_ID}/v2.0`
          : `https://sts.windows.net/${TENANT_ID}/`,
      authorization_endpoint: `${base}/oauth2${suffix}/authorize`,
      tenant_region_scope: 'EU',
      cloud_instance_name: 'microsoftonline.com',
      cloud_graph_host_name: 'graph.windows.net',
      msgraph_host: 'graph.microsoft.com',
    },
  };
}

/** The document with the hosts of this authority. Clients request it before they trust an unknown authority. */
export function instanceDiscovery(origin: string): CloudReply {
  const names = [ENTRA_HOST, 'login.windows.net', 'login.microsoft.com', 'sts.windows.net'];
  return {
    status: 200,
    body: {
      tenant_discovery_endpoint: `${origin}/${TENANT_ID}/v2.0/.well-known/openid-configuration`,
      'api-version': '1.1',
      metadata: [
        {
          preferred_network: ENTRA_HOST,
          preferred_cache: 'login.windows.net',
          aliases: [...new Set([...names, new URL(origin).host])],
        },
      ],
    },
  };
}
