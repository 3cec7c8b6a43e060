import type { ApplicationDocument } from '../store/documents';
import type { Kind } from './answer';
import { DEFAULTS } from './applicationSchema';
import type { Entity } from './body';
import { merged } from './body';
import { presentKey } from './keyCredentials';
import { presentPassword } from './passwords';

/** An application in an answer. @param withKeys whether the request selects `keyCredentials` of one application */
export function presentApplication(
  application: ApplicationDocument,
  { withKeys = false, deletedDateTime = null }: { withKeys?: boolean; deletedDateTime?: string | null } = {},
): Entity {
  const { objectId, clientId, createdAt, displayName, properties, certificates, secrets } = application;
  return {
    id: objectId,
    deletedDateTime,
    appId: clientId,
    createdDateTime: createdAt,
    displayName,
    ...merged(DEFAULTS, properties),
    keyCredentials: certificates.map((certificate) => presentKey(certificate, withKeys)),
    passwordCredentials: secrets.map((secret) => presentPassword(secret)),
  };
}

/** Applications in answers. */
export const APPLICATION: Kind = {
  set: 'applications',
  type: 'application',
  members: [
    ...['id', 'deletedDateTime', 'appId', 'createdDateTime', 'displayName'],
    ...Object.keys(DEFAULTS),
    ...['keyCredentials', 'passwordCredentials'],
  ],
  filtered: {
    ...{ id: 'text', appId: 'text', displayName: 'text', description: 'text', signInAudience: 'text' },
    ...{ identifierUris: 'texts', tags: 'texts' },
  },
};
