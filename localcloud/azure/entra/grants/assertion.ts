import * as z from 'zod';
import { EntraError } from '../errors';

/** Accepted clock difference in seconds. */
export const SKEW = 300;

const claimsSchema = z.looseObject({
  iss: z.string(),
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string()).min(1)]),
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

/** A parsed client assertion. */
export interface Assertion {
  token: string;
  header: z.infer<typeof headerSchema>;
  claims: Claims;
  audiences: string[];
}

const malformed = (reason: string): EntraError =>
  new EntraError(50027, 'invalid_request', 400, `JWT token is invalid or malformed: ${reason}.`);

/** Parses an assertion without verifying it. */
export async function readAssertion(token: string): Promise<Assertion> {
  const { decodeJwt, decodeProtectedHeader } = await import('jose');
  try {
    const header = headerSchema.parse(decodeProtectedHeader(token));
    const claims = claimsSchema.parse(decodeJwt(token));
    return { token, header, claims, audiences: [claims.aud].flat() };
  } catch (error) {
    throw malformed(
      error instanceof z.ZodError
        ? 'a claim that is needed is missing or of the wrong type'
        : 'it cannot be decoded',
    );
  }
}

/**
 * Refuses an assertion for more than one audience. Sources: zitadel/oidc #887, jkroepke/openvpn-auth-oauth2 #857 (for
 * certificate assertions; the same is assumed for federated ones).
 */
export function checkAudiences({ audiences }: Assertion): void {
  if (audiences.length === 1) return;
  throw new EntraError(
    5002741,
    'invalid_client',
    401,
    `Number of audience values in the provided client credential exceed maximum allowed. ${audiences.length} audience values provided, maximum allowed is 1.`,
  );
}

/**
 * Tells whether an assertion is from an external issuer: its `iss` is a URL. If a client signs the assertion itself, `iss` is the
 * client's id.
 */
export const isFederated = ({ claims }: Assertion): boolean => URL.canParse(claims.iss);

/** Latest and earliest time in a message: the limits of .NET's `DateTime`, because Entra is a .NET program. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');

/** A claim's time as it is in a message. The claim may be any number. */
function shownTime(seconds: number): string {
  return new Date(Math.min(Math.max(seconds * 1000, EARLIEST), LATEST)).toISOString();
}

/** Refuses an assertion outside its validity period. @param skew accepted clock difference in seconds */
export function checkTimes(claims: Claims, now: number, skew: number): void {
  const seconds = now / 1000;
  const from = claims.nbf ?? claims.iat ?? 0;
  if (seconds >= from - skew && seconds < claims.exp + skew) return;
  throw new EntraError(
    700024,
    'invalid_client',
    401,
    `Client assertion is not within its valid time range. Current time: ${shownTime(seconds)}, assertion valid from ${shownTime(from)}, expiry time of assertion ${shownTime(claims.exp)}. Review the documentation at https://docs.microsoft.com/azure/active-directory/develop/active-directory-certificate-credentials .`,
  );
}
