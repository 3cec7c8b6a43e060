import type { SignIns } from './access';
import { applicationCredentialRemoval, certificateRemoval, passwordRemoval } from './removal';
import type { Outcome } from './results';

/** Checks that a credential has not expired, and tells when an update renews it. */
export function validity(expiresOn: string, renewAfter = expiresOn, now: Date): Outcome {
  if (now.getTime() >= Date.parse(expiresOn))
    return { ok: false, detail: `expired on ${expiresOn}; \`pulumi up\` creates the next one` };
  const isDue = now.getTime() >= Date.parse(renewAfter);
  return {
    ok: true,
    detail: `until ${expiresOn}, renewed by ${isDue ? 'the next update' : `an update from ${renewAfter} on`}`,
  };
}

/** Checks that an application has exactly the stack's credentials, compared by key id. */
export function soleSignIns(
  clientId: string,
  { certificates: ourCertificates = [], passwords: ourPasswords = [] }: Partial<SignIns>,
  signIns: SignIns | undefined,
): Outcome {
  if (signIns === undefined)
    return { ok: false, detail: 'Entra has no such application; `pulumi up --refresh` creates another' };
  const { certificates, passwords, federated } = signIns;
  const foreign = [
    ...certificates
      .filter((keyId) => !ourCertificates.includes(keyId))
      .map((keyId) => `a certificate; remove it: ${certificateRemoval(clientId, keyId)}`),
    ...passwords
      .filter((keyId) => !ourPasswords.includes(keyId))
      .map((keyId) => `a password; remove it: ${passwordRemoval(clientId, keyId)}`),
    ...federated.map(
      (name) => `a federated credential; remove it: ${applicationCredentialRemoval(clientId, name)}`,
    ),
  ];
  if (foreign.length > 0)
    return { ok: false, detail: `has credentials that this stack did not register: ${foreign.join('; ')}` };
  const [noun, expected, actual] =
    ourPasswords.length > 0
      ? ['password', ourPasswords, passwords]
      : ['certificate', ourCertificates, certificates];
  const missing = expected.filter((keyId) => !actual.includes(keyId));
  return missing.length === 0
    ? { ok: true, detail: `${actual.length} ${noun}${actual.length === 1 ? '' : 's'}` }
    : {
        ok: false,
        detail: `Entra does not have its ${noun} ${missing.join(', ')}; \`pulumi up --refresh\` registers another`,
      };
}
