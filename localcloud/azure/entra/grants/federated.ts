import type { Clock } from '../../clock';
import type { Store } from '../../store/store';
import type { Client } from '../client';
import { EntraError } from '../errors';
import type { Credential } from '../federation';
import { credentialOf, matchCredential, ofApplication } from '../federation';
import type { Issuers } from '../issuers';
import type { Assertion } from './assertion';
import { checkTimes, SKEW } from './assertion';

const badSignature = (reason: string): EntraError =>
  new EntraError(50013, 'invalid_grant', 400, `Assertion failed signature validation. [Reason - ${reason}.]`);

/**
 * The error for a key that the issuer does not publish (Azure/azure-workload-identity #1232). The text for an assertion without
 * a key id is assumed.
 */
const unknownKey = (issuer: string, keyId: string | undefined): EntraError =>
  new EntraError(
    7000272,
    'invalid_client',
    401,
    `The certificate with identifier ${keyId ?? ''} used to sign the federated credential could not be found in the metadata of identity provider ${issuer}. Please validate that your Identity Provider's metadata exposes the key used to sign the incoming token.`,
  );

/** Everything that is needed to check a federated assertion. */
export interface FederationContext {
  store: Store;
  clock: Clock;
  issuers: Issuers;
  /** Milliseconds until Entra sees a new federated credential. */
  propagation: () => number;
}

/**
 * The federated credentials of an application or a managed identity. Those of a managed identity are resources of the resource
 * manager.
 */
export function credentialsOf(store: Store, { principal, application }: Client): Credential[] {
  if (application !== undefined) return application.federatedCredentials.map(ofApplication);
  return principal.resourceId === undefined ? [] : store.below(principal.resourceId).map(credentialOf);
}

/**
 * Checks the assertion of an external issuer: a matching federated credential, the signature, the validity period. Returns the
 * credential.
 */
export async function checkFederated(
  context: FederationContext,
  client: Client,
  { token, header, claims, audiences }: Assertion,
): Promise<Credential> {
  const now = context.clock.now();
  const match = matchCredential(
    credentialsOf(context.store, client),
    { issuer: claims.iss, subject: claims.sub, audience: audiences[0] ?? '' },
    now - context.propagation(),
  );
  if (header.alg !== 'RS256') throw badSignature(`the algorithm is '${header.alg}', only RS256 is supported`);
  const jwk = header.kid === undefined ? undefined : await context.issuers.key(claims.iss, header.kid);
  if (jwk === undefined) throw unknownKey(claims.iss, header.kid);
  const { compactVerify, importJWK } = await import('jose');
  try {
    await compactVerify(token, await importJWK(jwk, 'RS256'), { algorithms: ['RS256'] });
  } catch {
    throw badSignature('the key was found, but use of the key to verify the signature failed');
  }
  // Kubernetes sets `nbf` to the time of issue, so it gets the clock skew. The expiry gets none.
  checkTimes({ ...claims, nbf: (claims.nbf ?? claims.iat ?? 0) - SKEW }, now, 0);
  return match;
}
