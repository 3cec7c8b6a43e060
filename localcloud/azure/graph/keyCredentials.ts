import { X509Certificate } from 'node:crypto';
import * as z from 'zod';
import { certificateDocument } from '../identity/application';
import type { CertificateDocument } from '../store/documents';
import type { Entity } from './body';
import { guid, odataType, text, time } from './body';
import { graphTime } from './context';
import { badRequest } from './errors';

/**
 * A key credential in a request. Only certificates that verify client assertions are supported. Other kinds sign SAML tokens or
 * are symmetric (microsoftgraph/microsoft-graph-docs-contrib `api-reference/v1.0/resources/keycredential.md`).
 */
export const keyCredential = z.strictObject({
  '@odata.type': odataType,
  keyId: guid.nullish(),
  type: z.literal('AsymmetricX509Cert', 'the local cloud has AsymmetricX509Cert'),
  usage: z.literal('Verify', 'the local cloud has Verify'),
  key: z.string().nullish(),
  startDateTime: time.nullish(),
  endDateTime: time.nullish(),
  displayName: text(256),
  customKeyIdentifier: z.string().min(1, 'it is not empty').max(64, 'at most 64 characters').nullish(),
});

type KeyCredential = z.infer<typeof keyCredential>;

/** Reads the certificate in a key: base64 of its DER or, as hashicorp/terraform-provider-azuread sends it, of its PEM. */
function certificateIn(key: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(key, 'base64'));
  } catch {
    // Code and text are assumed.
    throw badRequest(
      'Key value is invalid certificate: the base64 of a certificate as DER or PEM is needed.',
      'KeyCredentialsInvalidKey',
    );
  }
}

/**
 * A new certificate. Sources: Azure/azure-rest-api-specs #11985 (a credential does not end after its certificate),
 * Azure-Samples/active-directory-dotnet-daemon-certificate-credential #4 (missing times are the certificate's),
 * Worklytics/psoxy `infra/modules/azuread-local-cert/main.tf` (code).
 */
function added(requested: KeyCredential, now: number): CertificateDocument {
  if (requested.key === undefined || requested.key === null) {
    throw badRequest(
      `The key credential '${requested.keyId ?? requested.displayName ?? ''}' is new and needs a key; only a credential that the application has can be without.`,
    );
  }
  const created = certificateDocument(certificateIn(requested.key));
  const startsAt = requested.startDateTime ?? created.startsAt;
  const expiresAt = requested.endDateTime ?? created.expiresAt;
  if (expiresAt > created.expiresAt || expiresAt <= now || expiresAt <= startsAt) {
    throw badRequest(
      `Key credential end date is invalid. It is '${graphTime(expiresAt)}'; the certificate ends at '${graphTime(created.expiresAt)}', and the credential starts at '${graphTime(startsAt)}'.`,
      'KeyCredentialsInvalidEndDate',
    );
  }
  return {
    ...created,
    keyId: requested.keyId ?? created.keyId,
    displayName: requested.displayName ?? null,
    customKeyIdentifier: requested.customKeyIdentifier ?? created.customKeyIdentifier,
    startsAt,
    expiresAt,
  };
}

function isUnchanged(current: CertificateDocument, requested: KeyCredential): boolean {
  const same = <T>(value: T | null | undefined, own: T): boolean =>
    value === undefined || value === null || value === own;
  return (
    same(requested.key, current.der) &&
    same(requested.startDateTime, current.startsAt) &&
    same(requested.endDateTime, current.expiresAt) &&
    same(requested.customKeyIdentifier, current.customKeyIdentifier) &&
    (requested.displayName === undefined || requested.displayName === current.displayName)
  );
}

/**
 * Returns the certificates after a PATCH, which replaces the whole list. A credential that the application already has may come
 * without its key, must not change, and is removed if it is left out. Sources: Azure/azure-cli #7728 (message),
 * microsoftgraph/microsoft-graph-docs #3579. The message for a repeated key id is assumed.
 */
export function replaced(
  current: readonly CertificateDocument[],
  requested: readonly KeyCredential[],
  now: number,
): CertificateDocument[] {
  const keyIds = requested.flatMap(({ keyId }) => keyId ?? []);
  const twice = keyIds.find((keyId, index) => keyIds.indexOf(keyId) !== index);
  if (twice !== undefined) throw badRequest(`The key credentials have KeyId '${twice}' more than once.`);
  return requested.map((credential) => {
    const own = current.find(({ keyId }) => keyId === credential.keyId);
    if (own === undefined) return added(credential, now);
    if (isUnchanged(own, credential)) return own;
    throw badRequest(`Update to existing credential with KeyId '${own.keyId}' is not allowed.`);
  });
}

/** A key credential in an answer. @param withKey whether the request selects `keyCredentials` of one application */
export const presentKey = (
  { keyId, displayName, customKeyIdentifier, der, startsAt, expiresAt }: CertificateDocument,
  withKey: boolean,
): Entity => ({
  customKeyIdentifier,
  displayName,
  endDateTime: graphTime(expiresAt),
  key: withKey ? der : null,
  keyId,
  startDateTime: graphTime(startsAt),
  type: 'AsymmetricX509Cert',
  usage: 'Verify',
});
