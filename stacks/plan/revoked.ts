import type { StackSettings } from '../settings/schema';

/** Tells whether the stack file revokes the name. */
export function isRevoked(
  { revoked }: Pick<StackSettings, 'revoked'>,
  kind: keyof NonNullable<StackSettings['revoked']>,
  name: string,
): boolean {
  return revoked !== undefined && Object.hasOwn(revoked[kind], name);
}
