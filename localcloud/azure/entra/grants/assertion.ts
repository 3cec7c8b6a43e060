import { z } from 'zod';
import { EntraError } from '../errors';

/** Accepted clock difference in seconds. */
export const SKEW = 300;

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

/** Refuses an assertion outside its validity period. @param skew accepted clock difference in seconds */
export function checkTimes(claims: Claims, now: number, skew: number): void {
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
