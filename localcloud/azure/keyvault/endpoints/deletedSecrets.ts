import type { CloudReply } from '../../server/exchange';
import type { SecretDocument, SecretVersionDocument } from '../../store/documents';
import { authorise } from '../authorize';
import type { VaultCall, VaultContext } from '../context';
import { VaultError } from '../errors';
import { page, presentDeletion, presentVersion } from '../present';

function required(
  context: VaultContext,
  call: VaultCall,
): { secret: SecretDocument; version: SecretVersionDocument } {
  const [, name = ''] = call.segments;
  const secret = context.secrets.getDeleted(call.vault, name);
  const version = secret === undefined ? undefined : context.secrets.version(secret);
  if (secret !== undefined && version !== undefined) return { secret, version };
  throw new VaultError(404, 'SecretNotFound', `Deleted Secret not found: ${name}`);
}

/** `GET /deletedsecrets`. */
export function listDeleted(context: VaultContext, call: VaultCall): CloudReply {
  authorise(context, call, 'list');
  const items = context.secrets.list(call.vault, 'deleted').flatMap((secret) => {
    const version = context.secrets.version(secret);
    if (version === undefined) return [];
    return [
      { ...presentDeletion(call.vault, secret), ...presentVersion(call.vault, secret, version, false) },
    ];
  });
  return { status: 200, body: page(call.vault, 'deletedsecrets', items, call.query) };
}

/** `GET /deletedsecrets/{name}`. */
export function getDeleted(context: VaultContext, call: VaultCall): CloudReply {
  authorise(context, call, 'getDeleted', call.segments[1]);
  const { secret, version } = required(context, call);
  return {
    status: 200,
    body: { ...presentDeletion(call.vault, secret), ...presentVersion(call.vault, secret, version) },
  };
}

/** `POST /deletedsecrets/{name}/recover`. */
export function recoverDeleted(context: VaultContext, call: VaultCall): CloudReply {
  authorise(context, call, 'recover', call.segments[1]);
  const { secret, version } = required(context, call);
  context.secrets.recover(secret);
  return { status: 200, body: presentVersion(call.vault, secret, version) };
}

/** `DELETE /deletedsecrets/{name}`: purges the secret, unless the vault has purge protection. */
export function purgeDeleted(context: VaultContext, call: VaultCall): CloudReply {
  authorise(context, call, 'purge', call.segments[1]);
  const { secret } = required(context, call);
  if (call.vault.properties['enablePurgeProtection'] === true) {
    throw new VaultError(
      403,
      'Forbidden',
      'Operation "purge" is not allowed because purge protection is enabled for this vault. Key Vault service will automatically purge it after the retention period has passed.',
    );
  }
  context.secrets.purge(call.vault, secret.name);
  return { status: 204 };
}
