import { randomBytes } from 'node:crypto';
import { TENANT_ID } from '../../identity';
import type { Clock } from '../clock';
import type { PrincipalDocument } from '../store/documents';
import type { SigningKey } from './signingKey';
import { reason } from '../../logger';

/** The caller of a request, from its access token. */
export interface Caller {
  objectId: string;
  clientId: string;
  /** Object ids of the groups that it was in when the token was issued. */
  groups: readonly string[];
  /** Unique id of the token, as in the audit record. */
  tokenId: string;
}

/** The error for a token that is refused. */
export class TokenRefused extends Error {
  constructor(
    readonly reason: 'invalid' | 'expired' | 'audience' | 'tenant',
    message: string,
  ) {
    super(message);
  }
}

/** Lifetime of access tokens in seconds. Entra's default is about an hour. */
export const TOKEN_LIFETIME = 3599;
/**
 * Lifetime of the tokens of managed identities in seconds: 24 hours (entra-docs
 * `managed-identity-best-practice-recommendations.md`).
 */
export const MANAGED_IDENTITY_LIFETIME = 86_399;

const ISSUER = `https://sts.windows.net/${TENANT_ID}/`;

/**
 * Values of `appidacr`, the claim that says how a client authenticated (entra-docs
 * `docs/identity-platform/access-token-claims-reference.md`).
 */
const METHODS = { secret: '1', signature: '2' };

/**
 * The resource id of a managed identity as its tokens have it, with `resourcegroups` in lower case, as in public records of
 * tokens.
 */
const miridOf = (resourceId: string): string => resourceId.replace('/resourceGroups/', '/resourcegroups/');

/** Contents of a token besides its principal and its audience. */
export interface Issuance {
  /** Object ids of all groups that the principal is in. They stay in the token until it expires. */
  groups: readonly string[];
  /** Seconds. @default TOKEN_LIFETIME */
  lifetime?: number;
  method: keyof typeof METHODS;
}

/** Issues and verifies Entra's access tokens (version 1.0, which the resource manager and Key Vault accept). */
export class Tokens {
  constructor(
    private readonly key: SigningKey,
    private readonly clock: Clock,
  ) {}

  async issue(
    principal: PrincipalDocument,
    audience: string,
    { groups, lifetime = TOKEN_LIFETIME, method }: Issuance,
  ): Promise<{ token: string; tokenId: string }> {
    const { SignJWT } = await import('jose');
    const now = Math.floor(this.clock.now() / 1000);
    const tokenId = randomBytes(16).toString('base64url');
    const token = await new SignJWT({
      appid: principal.clientId,
      appidacr: METHODS[method],
      ...(groups.length > 0 && { groups }),
      idp: ISSUER,
      idtyp: 'app',
      oid: principal.objectId,
      sub: principal.objectId,
      tid: TENANT_ID,
      uti: tokenId,
      ver: '1.0',
      ...(principal.resourceId !== undefined && { xms_mirid: miridOf(principal.resourceId) }),
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: this.key.keyId, x5t: this.key.keyId })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setIssuedAt(now)
      .setNotBefore(now - 5)
      .setExpirationTime(now + lifetime)
      .sign(this.key.privateKey);
    return { token, tokenId };
  }

  /** Returns the caller of a valid token with an accepted audience; throws otherwise. */
  async verify(token: string, accepts: (audience: string) => boolean): Promise<Caller> {
    const { jwtVerify, errors } = await import('jose');
    const payload = await jwtVerify(token, this.key.publicKey, {
      algorithms: ['RS256'],
      requiredClaims: ['exp'],
      currentDate: new Date(this.clock.now()),
    }).then(
      (verified) => verified.payload,
      (error: unknown) => {
        if (error instanceof errors.JWTExpired) throw new TokenRefused('expired', error.message);
        throw new TokenRefused('invalid', reason(error));
      },
    );
    if (payload.iss !== ISSUER) throw new TokenRefused('tenant', `issuer '${payload.iss}'`);
    const audience = String(payload.aud);
    if (!accepts(audience)) throw new TokenRefused('audience', audience);
    const groups = payload['groups'];
    return {
      objectId: String(payload['oid']),
      clientId: String(payload['appid']),
      groups: Array.isArray(groups) ? groups.map(String) : [],
      tokenId: String(payload['uti']),
    };
  }
}
