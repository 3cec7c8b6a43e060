import type { CloudReply } from '../../server/exchange';
import { authorise } from '../authorize';
import type { VaultCall, VaultContext } from '../context';
import { secretNotFound } from '../errors';
import { page, presentVersion } from '../present';

/** `GET /secrets`: the secrets of a vault, without values and versions. */
export function listSecrets(context: VaultContext, call: VaultCall): CloudReply {
  authorise(context, call, 'list');
  const items = context.secrets.list(call.vault, 'live').flatMap((secret) => {
    const version = context.secrets.version(secret);
    return version === undefined ? [] : [presentVersion(call.vault, secret, version, false)];
  });
  return { status: 200, body: page(call.vault, 'secrets', items, call.query) };
}

/** `GET /secrets/{name}/versions`. */
export function listVersions(context: VaultContext, call: VaultCall): CloudReply {
  const [, name = ''] = call.segments;
  authorise(context, call, 'list', name);
  const secret = context.secrets.get(call.vault, name);
  if (secret === undefined) throw secretNotFound(name);
  const items = secret.versions.map((version) => presentVersion(call.vault, secret, version));
  return { status: 200, body: page(call.vault, `secrets/${secret.name}/versions`, items, call.query) };
}
