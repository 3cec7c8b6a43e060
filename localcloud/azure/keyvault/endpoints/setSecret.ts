import type { CloudReply } from '../../server/exchange';
import { authorise } from '../authorize';
import { readBody, setBody } from '../body';
import type { VaultCall, VaultContext } from '../context';
import { checkName, secretNotFound, VaultError } from '../errors';
import { presentVersion } from '../present';
import { DeletedSecretInTheWay } from '../../store/secretStore';

/** `PUT /secrets/{name}`: adds a version. */
export function setSecret(context: VaultContext, call: VaultCall): CloudReply {
  const [, name = ''] = call.segments;
  checkName(name);
  authorise(context, call, 'set', name);
  const body = readBody(setBody, call.body);
  try {
    const version = context.secrets.set(call.vault, name, body);
    const secret = context.secrets.get(call.vault, name);
    if (secret === undefined) throw secretNotFound(name);
    return {
      status: 200,
      body: { value: body.value, ...presentVersion(call.vault, secret, version) },
    };
  } catch (error) {
    if (!(error instanceof DeletedSecretInTheWay)) throw error;
    throw new VaultError(
      409,
      'Conflict',
      `Secret ${name} is currently in a deleted but recoverable state, and its name cannot be reused; in this state, the secret can only be recovered or purged.`,
      'ObjectIsDeletedButRecoverable',
    );
  }
}
