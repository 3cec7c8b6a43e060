import type { CloudReply } from '../../server/exchange';
import { authorise } from '../authorize';
import type { VaultCall, VaultContext } from '../context';
import { secretNotFound, VaultError } from '../errors';
import { presentVersion } from '../present';

/**
 * `GET /secrets/{name}[/{version}]`. The dates `nbf` and `exp` are informational and do not prevent reading
 * (MicrosoftDocs/azure-docs, about-secrets.md); disabling a secret does.
 */
export function getSecret(context: VaultContext, call: VaultCall): CloudReply {
  const [, name = '', versionId] = call.segments;
  authorise(context, call, 'get', name);
  const secret = context.secrets.get(call.vault, name);
  const version = secret === undefined ? undefined : context.secrets.version(secret, versionId);
  if (secret === undefined || version === undefined) {
    throw secretNotFound(versionId === undefined ? name : `${name}/${versionId}`);
  }
  if (!version.enabled) {
    throw new VaultError(
      403,
      'Forbidden',
      'Operation get is not allowed on a disabled secret.',
      'SecretDisabled',
    );
  }
  return {
    status: 200,
    headers: { 'cache-control': 'no-cache', pragma: 'no-cache' },
    body: { value: context.secrets.value(version), ...presentVersion(call.vault, secret, version) },
  };
}
