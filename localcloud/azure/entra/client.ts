import { TENANT_ID } from '../../identity';
import type { ApplicationDocument, PrincipalDocument } from '../store/documents';
import type { Store } from '../store/store';
import { EntraError } from './errors';

/** Who asks for a token. */
export interface Client {
  principal: PrincipalDocument;
  /** Undefined for a managed identity. */
  application?: ApplicationDocument;
}

/**
 * The client with that id; throws if it cannot sign in. Sources: Azure/Commercial-Marketplace-SaaS-Accelerator #830 and
 * Azure/azure-sdk-for-net #46762 (no service principal), Worklytics/psoxy #74 (disabled). Its status codes, and that a
 * service principal whose application is deleted is as unknown as the application, are assumed.
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

/** Refuses a disabled service principal. */
export function checkEnabled({ clientId, displayName, accountEnabled = true }: PrincipalDocument): void {
  if (accountEnabled) return;
  throw new EntraError(
    7000112,
    'unauthorized_client',
    400,
    `Application '${clientId}'(${displayName}) is disabled.`,
  );
}
