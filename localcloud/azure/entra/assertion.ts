import { createHash, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { TENANT_ID } from '../../identity';
import type { Clock } from '../clock';
import type { PrincipalDocument } from '../store/documents';
import type { Store } from '../store/store';
import { EntraError } from './errors';
import type { Credential } from './federation';
import { credentialOf, matchCredential } from './federation';
import type { Issuers } from './issuers';

const claimsSchema = z.looseObject({
  iss: z.string(),
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  nbf: z.number().optional(),
  iat: z.number().optional(),
});
const headerSchema = z.looseObject({
  alg: z.string(),
  kid: z.string().optional(),
  x5t: z.string().optional(),
  'x5t#S256': z.string().optional(),
});

type Claims = z.infer<typeof claimsSchema>;
type Header = z.infer<typeof headerSchema>;

/** Seconds by which clocks may differ. */
const SKEW = 300;

const malformed = (reason: string): EntraError =>
  new EntraError(50027, 'invalid_request', 400, `JWT token is invalid or malformed: ${reason}.`);

const badSignature = (reason: string): EntraError =>
  new EntraError(50013, 'invalid_grant', 400, `Assertion failed signature validation. [Reason - ${reason}.]`);

/** What an assertion says, before anything of it is believed. */
export async function readAssertion(
  token: string,
): Promise<{ header: Header; claims: Claims; audiences: string[] }> {
  const { decodeJwt, decodeProtectedHeader } = await import('jose');
  try {
    const header = headerSchema.parse(decodeProtectedHeader(token));
    const claims = claimsSchema.parse(decodeJwt(token));
    return { header, claims, audiences: [claims.aud].flat() };
  } catch (error) {
    throw malformed(
      error instanceof z.ZodError
        ? 'a claim that is needed is missing or of the wrong type'
        : 'it cannot be decoded',
    );
  }
}

function checkTimes(claims: Claims, now: number, skew: number): void {
  const seconds = now / 1000;
  const from = claims.nbf ?? claims.iat ?? 0;
  if (seconds >= from - skew && seconds < claims.exp + skew) return;
  const iso = (value: number): string => new Date(value * 1000).toISOString();
  throw new EntraError(
    700024,
    'invalid_client',
    401,
    `Client assertion is not within its valid time range. Current time: ${iso(seconds)}, assertion valid from ${iso(from)}, expiry time of assertion ${iso(claims.exp)}. Review the documentation at https://docs.microsoft.com/azure/active-directory/develop/active-directory-certificate-credentials .`,
  );
}

export interface FederationContext {
  store: Store;
  clock: Clock;
  issuers: Issuers;
  /** Milliseconds until Entra sees a new federated credential. */
  propagation: () => number;
}

/** Checks the assertion of another issuer: a federated credential that fits, signature by its keys, times. */
export async function checkFederated(
  context: FederationContext,
  principal: PrincipalDocument,
  token: string,
): Promise<Credential> {
  const { header, claims, audiences } = await readAssertion(token);
  const credentials = principal.resourceId === undefined ? [] : context.store.below(principal.resourceId);
  const now = context.clock.now();
  const match = matchCredential(
    credentials.map(credentialOf),
    { issuer: claims.iss, subject: claims.sub, audiences },
    now - context.propagation(),
  );
  if (header.alg !== 'RS256') throw badSignature(`the algorithm is '${header.alg}', only RS256 is supported`);
  const jwk = await context.issuers.key(claims.iss, header.kid);
  if (jwk === undefined) throw badSignature(`the issuer has no key '${header.kid ?? ''}'`);
  const { compactVerify, importJWK } = await import('jose');
  try {
    await compactVerify(token, await importJWK(jwk, 'RS256'), { algorithms: ['RS256'] });
  } catch {
    throw badSignature('the key was found, but use of the key to verify the signature failed');
  }
  // Kubernetes sets `nbf` to the time of issue; a token is not taken after its end by even a second.
  checkTimes({ ...claims, nbf: (claims.nbf ?? claims.iat ?? 0) - SKEW }, now, 0);
  return match;
}

/** Checks an assertion that the client signed itself with the key of a registered certificate. */
export async function checkCertificate(
  clock: Clock,
  principal: PrincipalDocument,
  token: string,
): Promise<void> {
  const { header, claims, audiences } = await readAssertion(token);
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
