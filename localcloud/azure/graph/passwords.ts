import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { clientSecret } from '../identity/application';
import type { ClientSecretDocument } from '../store/documents';
import { findApplication } from './lookup';
import type { Entity } from './body';
import { guid, odataType, readBody, text, time } from './body';
import type { GraphEndpoint } from './context';
import { graphTime } from './context';
import { badRequest } from './errors';

const addBody = z.strictObject({
  passwordCredential: z
    .strictObject({
      '@odata.type': odataType,
      displayName: text(256),
      startDateTime: time.nullish(),
      endDateTime: time.nullish(),
    })
    .nullish(),
});
const removeBody = z.strictObject({ keyId: guid });

/** A password credential in an answer. Only the answer to its creation has the secret itself. */
export const presentPassword = (
  { keyId, displayName, hint, startsAt, expiresAt }: ClientSecretDocument,
  secretText: string | null = null,
): Entity => ({
  customKeyIdentifier: null,
  displayName,
  endDateTime: graphTime(expiresAt),
  hint,
  keyId,
  secretText,
  startDateTime: graphTime(startsAt),
});

/** Two years after a time, Graph's default (`api-reference/v1.0/api/application-addpassword.md`). */
function twoYearsAfter(start: number): number {
  const date = new Date(start);
  return date.setUTCFullYear(date.getUTCFullYear() + 2);
}

/** Client secrets of applications. */
export const passwordEndpoints: GraphEndpoint[] = [
  {
    operation: 'AddPassword',
    method: 'POST',
    path: 'applications/{id}/addPassword',
    handle(context, call) {
      const application = findApplication(context, call);
      const requested = readBody(addBody, call.body, 'PasswordCredential').passwordCredential;
      const startsAt = requested?.startDateTime ?? context.clock.now();
      const expiresAt = requested?.endDateTime ?? twoYearsAfter(startsAt);
      // Code and text are assumed to correspond to those of key credentials.
      if (expiresAt <= startsAt || expiresAt <= context.clock.now()) {
        throw badRequest('Password credential end date is invalid.', 'PasswordCredentialsInvalidEndDate');
      }
      const text = randomBytes(30).toString('base64url');
      const secret = clientSecret(text, { displayName: requested?.displayName ?? null, startsAt, expiresAt });
      context.store.applications.set(application.objectId, {
        ...application,
        secrets: [...application.secrets, secret],
      });
      return {
        status: 200,
        body: {
          '@odata.context': `${call.root}/$metadata#microsoft.graph.passwordCredential`,
          ...presentPassword(secret, text),
        },
      };
    },
  },
  {
    operation: 'RemovePassword',
    method: 'POST',
    path: 'applications/{id}/removePassword',
    handle(context, call) {
      const application = findApplication(context, call);
      const { keyId } = readBody(removeBody, call.body, 'PasswordCredential');
      const secrets = application.secrets.filter((secret) => secret.keyId !== keyId);
      // Source of the message: hashicorp/vault-plugin-secrets-azure `client.go`.
      if (secrets.length === application.secrets.length) {
        throw badRequest(`No password credential found with keyId ${keyId}.`);
      }
      context.store.applications.set(application.objectId, { ...application, secrets });
      return { status: 204 };
    },
  },
];
