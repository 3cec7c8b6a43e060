import type { Clock } from '../../clock';
import { secretMatches } from '../../credentials';
import type { ApplicationDocument, ClientSecretDocument } from '../../store/documents';
import { EntraError } from '../errors';

/** Returns the application's secret that matches the client's; throws if there is none or it has expired. */
export function checkSecret(
  clock: Clock,
  { clientId, secrets }: Pick<ApplicationDocument, 'clientId' | 'secrets'>,
  secret: string,
): ClientSecretDocument {
  const current = secrets.find((candidate) => secretMatches(secret, candidate));
  if (current === undefined) {
    throw new EntraError(
      7000215,
      'invalid_client',
      401,
      `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${clientId}'.`,
    );
  }
  if (current.expiresAt > clock.now()) return current;
  throw new EntraError(
    7000222,
    'invalid_client',
    401,
    `The provided client secret keys for app '${clientId}' are expired.`,
  );
}
