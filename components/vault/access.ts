import { InvalidArgumentError } from '../resource/errors';

/**
 * How a vault grants access: with role assignments, which can name single secrets, or with its own access policies, which
 * always cover all of its secrets. A vault uses one of the two, never both.
 */
export const VaultAccess = {
  /** With role assignments. */
  Rbac: 'rbac',
  /** With the vault's own access policies. */
  AccessPolicy: 'accessPolicy',
} as const;
export type VaultAccess = (typeof VaultAccess)[keyof typeof VaultAccess];

/**
 * Returns the access mode of a vault.
 * @param enableRbacAuthorization the property of the vault; older vaults lack it and have access policies
 */
export function actualAccess(enableRbacAuthorization: boolean | undefined): VaultAccess {
  return enableRbacAuthorization === true ? 'rbac' : 'accessPolicy';
}

/** Hint for an existing vault with the other mode. */
export const accessHint =
  'Set it. The mode of an existing vault is never changed: that would void the access of all its readers.';

/**
 * Refuses a vault with the other mode.
 * @param enableRbacAuthorization the property of the vault; older vaults lack it and have access policies
 */
export function assertAccess(
  wanted: { readonly component: string; readonly vault: string; readonly access: VaultAccess },
  enableRbacAuthorization: boolean | undefined,
): void {
  const actual = actualAccess(enableRbacAuthorization);
  if (actual === wanted.access) return;
  throw new InvalidArgumentError(wanted.component, {
    argument: 'access',
    value: wanted.access,
    problem: `does not match the vault ${wanted.vault}, which uses ${actual}`,
    allowed: actual,
    hint: accessHint,
  });
}
