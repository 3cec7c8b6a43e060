import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { hashSecret } from '../credentials';
import type {
  ApplicationDocument,
  CertificateDocument,
  ClientSecretDocument,
  PrincipalDocument,
} from '../store/documents';

/** The end of a credential that does not expire, as the portal and the Azure CLI set it. */
const NEVER = Date.parse('2299-12-31T00:00:00Z');

/** A new application without credentials. */
export function newApplication(
  displayName: string,
  now: number,
  clientId: string = randomUUID(),
): ApplicationDocument {
  return {
    objectId: randomUUID(),
    clientId,
    displayName,
    createdAt: new Date(now).toISOString(),
    owners: [],
    secrets: [],
    certificates: [],
    federatedCredentials: [],
    properties: {},
  };
}

/** A new service principal of an application. */
export function newServicePrincipal(
  { clientId, displayName }: ApplicationDocument,
  now: number,
  objectId: string = randomUUID(),
): PrincipalDocument {
  return { objectId, clientId, displayName, kind: 'application', createdAt: new Date(now).toISOString() };
}

/** A client secret as it is stored, without the secret itself. */
export function clientSecret(
  secret: string,
  { displayName = null, startsAt, expiresAt = NEVER }: Partial<ClientSecretDocument> & { startsAt: number },
): ClientSecretDocument {
  return {
    keyId: randomUUID(),
    displayName,
    ...hashSecret(secret),
    hint: secret.slice(0, 3),
    startsAt,
    expiresAt,
  };
}

/** A certificate as it is stored, with its own validity period. */
export function certificateDocument(certificate: X509Certificate): CertificateDocument {
  return {
    keyId: randomUUID(),
    displayName: null,
    customKeyIdentifier: createHash('sha1').update(certificate.raw).digest('hex').toUpperCase(),
    der: certificate.raw.toString('base64'),
    startsAt: Date.parse(certificate.validFrom),
    expiresAt: Date.parse(certificate.validTo),
  };
}

export const x509Of = ({ der }: CertificateDocument): X509Certificate =>
  new X509Certificate(Buffer.from(der, 'base64'));
