import { createHash } from 'node:crypto';
import { TENANT_ID } from '../../../identity';
import type { Clock } from '../../clock';
import { x509Of } from '../../identity/application';
import type { ApplicationDocument, CertificateDocument } from '../../store/documents';
import { ENTRA_HOST } from '../../server/hosts';
import { EntraError } from '../errors';
import type { Assertion } from './assertion';
import { checkTimes, SKEW } from './assertion';

type Header = Assertion['header'];

const thumbprintOf = ({ x5t, ...header }: Header): string => header['x5t#S256'] ?? x5t ?? '';

/**
 * Converts a thumbprint to base64url, as in RFC 7515. MSAL for Go sends plain base64
 * (AzureAD/microsoft-authentication-library-for-go `apps/internal/oauth/ops/accesstokens/accesstokens.go`), which Entra
 * accepts.
 */
const normalized = (thumbprint: string | undefined): string =>
  Buffer.from(thumbprint ?? '', 'base64').toString('base64url');

function signs(certificate: CertificateDocument, header: Header): boolean {
  const thumbprint = (algorithm: string): string =>
    createHash(algorithm).update(Buffer.from(certificate.der, 'base64')).digest('base64url');
  const [sha256, sha1] = [normalized(header['x5t#S256']), normalized(header.x5t)];
  return sha256 === thumbprint('sha256') || sha1 === thumbprint('sha1');
}

/** A time as it is in Entra's message: `09/09/2026 17:51:32`. */
function shown(time: number): string {
  const [date = '', clock = ''] = new Date(time).toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  return `${month}/${day}/${year} ${clock}`;
}

/**
 * Returns the registered certificate that the assertion names; throws if there is none, or none that is valid now. Source of
 * the message: MicrosoftDocs/azure-stack-docs `azure-stack/hci/deploy/troubleshoot-hci-registration.md`; the text for a
 * certificate that is not valid yet is assumed.
 */
function registered(
  certificates: readonly CertificateDocument[],
  header: Header,
  now: number,
): CertificateDocument {
  const signing = certificates.filter((certificate) => signs(certificate, header));
  const valid = signing.find(({ startsAt, expiresAt }) => startsAt <= now && now < expiresAt);
  if (valid !== undefined) return valid;
  const [first] = signing;
  const client = `Thumbprint of key used by client: '${thumbprintOf(header)}'`;
  if (first === undefined) {
    throw new EntraError(
      700027,
      'invalid_client',
      401,
      `The certificate with identifier used to sign the client assertion is not registered on application. [Reason - The key was not found., ${client}.]`,
    );
  }
  const [state, reason] =
    first.expiresAt <= now
      ? ['expired on application', 'The key used is expired.']
      : ['not yet valid on application', 'The key used is not yet valid.'];
  throw new EntraError(
    700027,
    'invalid_client',
    401,
    `The certificate with identifier used to sign the client assertion is ${state}. [Reason - ${reason}, ${client}, Found key 'Start=${shown(first.startsAt)}, End=${shown(first.expiresAt)}'.]`,
  );
}

const HELP =
  'Review the documentation at https://docs.microsoft.com/azure/active-directory/develop/active-directory-certificate-credentials .';
const refused = (code: number, message: string): EntraError =>
  new EntraError(code, 'invalid_client', 401, message);

/**
 * Refuses an assertion of another client. Sources of the messages: AzureAD/microsoft-authentication-library-for-java #430
 * (50048), the tests of AzureAD/microsoft-authentication-library-for-dotnet (700021).
 */
function checkClient({ claims }: Assertion, clientId: string): void {
  if (claims.iss !== claims.sub)
    throw refused(50048, `Subject must match the issuer claim in the client assertion. ${HELP}`);
  if (claims.iss.toLowerCase() !== clientId)
    throw refused(
      700021,
      `Client assertion application identifier doesn't match 'client_id' parameter. ${HELP}`,
    );
}

/**
 * The accepted audiences: the directory's issuer and the token endpoint of either version (entra-docs
 * `docs/identity-platform/certificate-credentials.md`, and its earlier version for v1). Clients send the endpoint that they
 * call.
 */
const AUDIENCE = /^(https:\/\/[^/]+)\/([^/]+)\/(?:v2\.0|oauth2\/v2\.0\/token|oauth2\/token)$/;

/** Source of the message: AzureAD/microsoft-authentication-library-for-dotnet #2746. */
function checkAudience({ audiences }: Assertion, isOwnOrigin: CertificateContext['isOwnOrigin']): void {
  const [, origin = '', tenant = ''] = AUDIENCE.exec(audiences[0] ?? '') ?? [];
  const isAuthority = origin === `https://${ENTRA_HOST}` || isOwnOrigin(origin);
  if (isAuthority && tenant.toLowerCase() === TENANT_ID) return;
  throw refused(700023, `Client assertion audience claim does not match Realm issuer. ${HELP}`);
}

/** Everything that is needed to check a certificate's assertion. */
export interface CertificateContext {
  clock: Clock;
  /** Tells whether an origin is that of the local server itself. */
  isOwnOrigin: (origin: string) => boolean;
}

/**
 * Verifies an assertion that the client signed with the key of a registered certificate, and returns the certificate.
 */
export async function checkCertificate(
  { clock, isOwnOrigin }: CertificateContext,
  application: Pick<ApplicationDocument, 'clientId' | 'certificates'>,
  assertion: Assertion,
): Promise<CertificateDocument> {
  const { token, header, claims } = assertion;
  checkClient(assertion, application.clientId);
  const certificate = registered(application.certificates, header, clock.now());
  const { compactVerify } = await import('jose');
  try {
    await compactVerify(token, x509Of(certificate).publicKey, { algorithms: ['RS256', 'PS256'] });
  } catch {
    throw new EntraError(
      700027,
      'invalid_client',
      401,
      'Client assertion failed signature validation. [Reason - The key was found, but use of the key to verify the signature failed.]',
    );
  }
  checkAudience(assertion, isOwnOrigin);
  checkTimes(claims, clock.now(), SKEW);
  return certificate;
}
