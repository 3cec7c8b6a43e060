import type { FederatedCredentialDocument, ResourceDocument } from '../store/documents';
import type { Presented } from './errors';
import { mismatch } from './errors';

export interface Credential {
  name: string;
  issuer: string;
  subject: string;
  audience: string;
  /** Milliseconds since the epoch. */
  writtenAt: number;
}

/** The federated credential in a stored resource. */
export function credentialOf(resource: ResourceDocument): Credential {
  const { issuer, subject, audiences } = resource.properties as {
    issuer: string;
    subject: string;
    audiences: string[];
  };
  return {
    name: resource.name,
    issuer,
    subject,
    audience: audiences[0] ?? '',
    writtenAt: Number(resource.internal?.['writtenAt'] ?? 0),
  };
}

/** The federated credential of an application. */
export const ofApplication = ({ audiences, ...credential }: FederatedCredentialDocument): Credential => ({
  ...credential,
  audience: audiences[0] ?? '',
});

const fits = (credential: Credential, presented: Presented): boolean =>
  credential.issuer === presented.issuer &&
  credential.subject === presented.subject &&
  credential.audience === presented.audience;

const sameButForCase = (a: string, b: string): boolean => a !== b && a.toLowerCase() === b.toLowerCase();

/**
 * The credential that matches an assertion exactly, including case and trailing slash. Entra has not yet seen
 * credentials that were written after `seenUntil`.
 */
export function matchCredential(
  credentials: readonly Credential[],
  presented: Presented,
  seenUntil: number,
): Credential {
  const seen = credentials.filter((credential) => credential.writtenAt <= seenUntil);
  const match = seen.find((credential) => fits(credential, presented));
  if (match !== undefined) return match;
  const onItsWay = credentials.some(
    (credential) => credential.writtenAt > seenUntil && fits(credential, presented),
  );
  if (seen.length === 0 || onItsWay) throw mismatch.none(presented);

  const byIssuer = seen.filter((credential) => credential.issuer === presented.issuer);
  if (byIssuer.length === 0) {
    const caseOnly = seen.some((credential) => sameButForCase(credential.issuer, presented.issuer));
    throw caseOnly ? mismatch.caseOnly('issuer', presented.issuer) : mismatch.issuer(presented);
  }
  const bySubject = byIssuer.filter((credential) => credential.subject === presented.subject);
  if (bySubject.length === 0) {
    const caseOnly = byIssuer.some((credential) => sameButForCase(credential.subject, presented.subject));
    throw caseOnly ? mismatch.caseOnly('subject', presented.subject) : mismatch.subject(presented);
  }
  const caseOnly = bySubject.some((credential) => sameButForCase(credential.audience, presented.audience));
  throw caseOnly ? mismatch.caseOnly('audience', presented.audience) : mismatch.audience(presented);
}
