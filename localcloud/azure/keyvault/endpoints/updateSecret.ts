import type { CloudReply } from '../../server/exchange';
import { authorise } from '../authorize';
import { readBody, updateBody } from '../body';
import type { VaultCall, VaultContext } from '../context';
import { secretNotFound } from '../errors';
import { presentVersion } from '../present';

/** `PATCH /secrets/{name}/{version}`: changes attributes, content type and tags, never the value. */
export function updateSecret(context: VaultContext, call: VaultCall): CloudReply {
  const [, name = '', versionId] = call.segments;
  authorise(context, call, 'update', name);
  const secret = context.secrets.get(call.vault, name);
  const version = secret === undefined ? undefined : context.secrets.version(secret, versionId);
  if (secret === undefined || version === undefined) throw secretNotFound(name);
  const { contentType, tags, attributes } = readBody(updateBody, call.body);
  const changed = context.secrets.update(secret, version, { contentType, tags, attributes });
  return { status: 200, body: presentVersion(call.vault, secret, changed) };
}
