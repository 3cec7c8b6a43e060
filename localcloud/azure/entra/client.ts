import { TENANT_ID } from '../../identity';
import type { ApplicationDocument, PrincipalDocument } from '../store/documents';
import type { Store } from '../store/store';
import { EntraError } from './errors';

/** The client that requests a token. */
export interface Client {
  principal: PrincipalDocument;
  /** Undefined for a managed identity. */
  application?: ApplicationDocument;
}

/**
 * Returns the client with that id; throws if there is none or it has no service principal. Sources:
 * Azure/Commercial-Marketplace-SaaS-Accelerator #830 and Azure/azure-sdk-for-net #46762 (no service principal). The status
 * codes are assumed. A service principal whose application is deleted is assumed to be as unknown as the application.
 */
export function clientOf(store: Store, clientId: string): Client {
  const principal = store.principalByClientId(clientId);
  const application = store.applicationByClientId(clientId);
  const isKnown = application !== undefined || principal?.kind === 'managedIdentity';
  if (!isKnown) {
    throw new EntraError(
      700016,
      'unauthorized_client',
      400,
      `Application with identifier '${clientId}' was not found in the directory 'Local cloud'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.`,
    );
  }
  if (principal === undefined) {
    throw new EntraError(
      7000229,
      'invalid_client',
      401,
      `The client application ${clientId} is missing service principal in the tenant ${TENANT_ID}. See instructions here: https://go.microsoft.com/fwlink/?linkid=2225119`,
    );
  }
  return { principal, application };
}

/** Refuses a disabled service principal. Source: Worklytics/psoxy #74; the status code is assumed. */
export function checkEnabled({ clientId, displayName, accountEnabled = true }: PrincipalDocument): void {
  if (accountEnabled) return;
  throw new EntraError(
    7000112,
    'unauthorized_client',
    400,
    `Application '${clientId}'(${displayName}) is disabled.`,
  );
}
