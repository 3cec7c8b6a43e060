import { createHash, X509Certificate } from 'node:crypto';
import { TENANT_ID } from '../../../identity';
import type { Clock } from '../../clock';
import type { PrincipalDocument } from '../../store/documents';
import { EntraError } from '../errors';
import type { Assertion } from './assertion';
import { checkTimes, SKEW } from './assertion';

/** Verifies an assertion that the client signed with the key of a registered certificate. */
export async function checkCertificate(
  clock: Clock,
  principal: PrincipalDocument,
  { token, header, claims, audiences }: Assertion,
): Promise<void> {
  const thumbprint = (pem: string, algorithm: string): string =>
    createHash(algorithm).update(new X509Certificate(pem).raw).digest('base64url');
  const certificate = principal.certificates.find(
    (pem) => header['x5t#S256'] === thumbprint(pem, 'sha256') || header.x5t === thumbprint(pem, 'sha1'),
  );
  if (certificate === undefined) {
    throw new EntraError(
      700027,
      'invalid_client',
      401,
      `The certificate with identifier used to sign the client assertion is not registered on application. [Reason - The key was not found., Thumbprint of key used by client: '${header['x5t#S256'] ?? header.x5t ?? ''}'.]`,
    );
  }
  const { compactVerify } = await import('jose');
  try {
    await compactVerify(token, new X509Certificate(certificate).publicKey, {
      algorithms: ['RS256', 'PS256'],
    });
  } catch {
    throw new EntraError(
      700027,
      'invalid_client',
      401,
      'Client assertion failed signature validation. [Reason - The key was found, but use of the key to verify the signature failed.]',
    );
  }
  const expected = audiences.some((audience) =>
    new RegExp(`/${TENANT_ID}/(?:v2\\.0|oauth2/v2\\.0/token)/?$`).test(audience),
  );
  if (!expected || claims.sub !== principal.clientId) {
    throw new EntraError(
      700023,
      'invalid_client',
      401,
      `Client assertion audience claim does not match Realm issuer, or its subject is not the client. Expected the token endpoint of tenant '${TENANT_ID}' and '${principal.clientId}'.`,
    );
  }
  checkTimes(claims, clock.now(), SKEW);
}
