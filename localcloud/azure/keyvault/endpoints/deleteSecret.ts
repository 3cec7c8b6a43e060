import type { CloudReply } from '../../server/exchange';
import { authorise } from '../authorize';
import type { VaultCall, VaultContext } from '../context';
import { secretNotFound } from '../errors';
import { presentDeletion, presentVersion } from '../present';

/** `DELETE /secrets/{name}`: a soft delete. The name stays taken until the secret is purged or recovered. */
export function deleteSecret(context: VaultContext, call: VaultCall): CloudReply {
  const [, name = ''] = call.segments;
  authorise(context, call, 'delete', name);
  const secret = context.secrets.get(call.vault, name);
  const version = secret === undefined ? undefined : context.secrets.version(secret);
  if (secret === undefined || version === undefined) throw secretNotFound(name);
  const deleted = context.secrets.delete(call.vault, secret);
  return {
    status: 200,
    body: { ...presentDeletion(call.vault, deleted), ...presentVersion(call.vault, deleted, version) },
  };
}
