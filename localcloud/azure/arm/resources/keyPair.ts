import { randomBytes } from 'node:crypto';
import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';

/** Names of the two keys that many services have. */
const KEY_NAMES = ['primaryKey', 'secondaryKey'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/** A random key of 32 bytes in Base64, encrypted like secrets of vaults. */
const sealedKey = (context: ArmContext): string => context.store.box.seal(randomBytes(32).toString('base64'));

/** The keys of a new resource. */
export const newKeyPair = (context: ArmContext): Record<string, unknown> => ({
  keys: { primaryKey: sealedKey(context), secondaryKey: sealedKey(context) },
});

const keysOf = ({ internal }: ResourceDocument): Record<string, string> =>
  (internal?.['keys'] ?? {}) as Record<string, string>;

/** Both keys of a resource, by name. */
export function keyPair(context: ArmContext, resource: ResourceDocument): Record<KeyName, string> {
  const open = (name: KeyName): string => context.store.box.open(keysOf(resource)[name] ?? '');
  return { primaryKey: open('primaryKey'), secondaryKey: open('secondaryKey') };
}

/** Stores the resource with a new key. @param key the caller's key @default a random one */
export function regenerate(
  context: ArmContext,
  resource: ResourceDocument,
  name: KeyName,
  key?: string,
): ResourceDocument {
  const sealed = key === undefined ? sealedKey(context) : context.store.box.seal(key);
  const changed = {
    ...resource,
    internal: { ...resource.internal, keys: { ...keysOf(resource), [name]: sealed } },
  };
  context.store.resources.set(changed.id, changed);
  return changed;
}
