import type { CloudReply } from '../../server/exchange';
import type { KeyDocument, KeyVersionDocument } from '../../store/documents';
import { authorise } from '../authorize';
import { createKeyBody, keyOperations, readBody } from '../body';
import type { VaultCall, VaultContext } from '../context';
import { checkName, keyNotFound } from '../errors';
import { presentKey } from '../present';

/** `POST /keys/{name}/create`: creates a key, or a new version of it. */
export function createKey(context: VaultContext, call: VaultCall): CloudReply {
  const [, name = ''] = call.segments;
  checkName(name);
  authorise(context, call, 'createKey', name);
  const { key_size: size, key_ops: operations, tags, attributes } = readBody(createKeyBody, call.body);
  const { key, version } = context.keys.create(call.vault, name, {
    ...{ size, tags, operations: operations ?? [...keyOperations], enabled: attributes?.enabled ?? true },
  });
  return { status: 200, body: presentKey(call.vault, key, version) };
}

/** `GET /keys/{name}[/{version}]`. A disabled key can be read. */
export function getKey(context: VaultContext, call: VaultCall): CloudReply {
  const [, name = '', versionId] = call.segments;
  authorise(context, call, 'getKey', name);
  const { key, version } = requiredKey(context, call, versionId);
  return { status: 200, body: presentKey(call.vault, key, version) };
}

/** Returns the key in the path and the wanted version, by default the latest; throws if there is none. */
export function requiredKey(
  context: VaultContext,
  call: VaultCall,
  versionId: string | undefined,
): { key: KeyDocument; version: KeyVersionDocument } {
  const [, name = ''] = call.segments;
  const key = context.keys.get(call.vault, name);
  const version = key === undefined ? undefined : context.keys.version(key, versionId);
  if (key === undefined || version === undefined)
    throw keyNotFound(versionId === undefined ? name : `${name}/${versionId}`);
  return { key, version };
}
