/**
 * Rules that hold for federated identity credentials of managed identities and of applications alike. Source:
 * MicrosoftDocs/entra-docs, workload-identity-federation-considerations.
 */
export const MOST_CREDENTIALS = 20;
export const LONGEST_TEXT = 600;
export const CREDENTIAL_NAME = /^[a-zA-Z0-9]{1}[a-zA-Z0-9-_]{2,119}$/;

/** Describes what is wrong with a credential, and names the member; undefined if the credential is valid. */
export function credentialProblem(credential: {
  issuer: string;
  subject: string;
  audiences: readonly string[];
}): { message: string; target: string } | undefined {
  const { issuer, subject, audiences } = credential;
  const [audience = ''] = audiences;
  if (audiences.length !== 1) {
    return { message: 'Federated identity credentials must have exactly one audience.', target: 'audiences' };
  }
  for (const [target, value] of Object.entries({ issuer, subject, audience })) {
    if (value.length > LONGEST_TEXT) {
      return {
        message: `The ${target} of a federated identity credential has at most ${LONGEST_TEXT} characters; this one has ${value.length}.`,
        target,
      };
    }
    if (value.includes('*')) {
      return {
        message: `The ${target} '${value}' has a wildcard, which federated identity credentials do not support.`,
        target,
      };
    }
  }
  if (URL.canParse(issuer) && new URL(issuer).protocol === 'https:') return undefined;
  return { message: `The issuer '${issuer}' is not an https URL.`, target: 'issuer' };
}
