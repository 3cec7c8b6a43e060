import type { ApplicationSettings, StackSettings } from '../settings/schema';

/** Tells whether the application has its secrets in a vault of its own. */
export function hasOwnVault(
  { vaults }: Pick<StackSettings, 'vaults'>,
  { vault }: Pick<ApplicationSettings, 'vault'>,
): boolean {
  return (vault?.placement ?? vaults) === 'perApplication';
}

/** Returns the name of the vault that the application's secrets are in. */
export function vaultOf(
  { vault, vaults }: Pick<StackSettings, 'vault' | 'vaults'>,
  application: Pick<ApplicationSettings, 'vault' | 'name'>,
): string {
  if (!hasOwnVault({ vaults }, application)) return vault.name;
  return application.vault?.name ?? `${vault.name}-${application.name}`;
}
