import type { Clock } from '../../clock';
import { secretMatches } from '../../credentials';
import type { ApplicationDocument, ClientSecretDocument } from '../../store/documents';
import { EntraError } from '../errors';

/** Checks a client secret against those of the application, and returns the one that it is. */
export function checkSecret(
  clock: Clock,
  { clientId, secrets }: Pick<ApplicationDocument, 'clientId' | 'secrets'>,
  secret: string,
): ClientSecretDocument {
  const held = secrets.find((candidate) => secretMatches(secret, candidate));
  if (held === undefined) {
    throw new EntraError(
      7000215,
      'invalid_client',
      401,
      `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${clientId}'.`,
    );
  }
  if (held.expiresAt > clock.now()) return held;
  throw new EntraError(
    7000222,
    'invalid_client',
    401,
    `The provided client secret keys for app '${clientId}' are expired.`,
  );
}
