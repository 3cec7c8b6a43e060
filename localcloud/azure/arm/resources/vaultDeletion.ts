import type { DeletedVaultDocument, ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { removeTree } from '../removal';
import { KeyStore } from '../../store/keyStore';
import { retentionDays, SecretStore } from '../../store/secretStore';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Soft-deletes a vault. Its name and contents are kept until it is purged or recovered; its role assignments
 * are deleted (MicrosoftDocs/azure-docs, key-vault-recovery.md).
 */
export function softDelete(context: ArmContext, vault: ResourceDocument): void {
  const deletedAt = context.clock.now();
  context.store.deletedVaults.set(vault.name, {
    vault,
    deletedAt,
    purgeAt: deletedAt + retentionDays(vault) * DAY,
  });
  removeTree(context.store, vault.id);
}

/** Frees the vault's name and deletes its secrets and keys permanently. */
export function purgeVault(context: ArmContext, name: string): void {
  new SecretStore(context.store, context.clock).purgeVault(name);
  new KeyStore(context.store, context.clock).purgeVault(name);
  context.store.deletedVaults.delete(name);
}

/** The soft-deleted vault of that name. One whose retention period has ended is purged first. */
export function deletedVault(context: ArmContext, name: string): DeletedVaultDocument | undefined {
  const deleted = context.store.deletedVaults.get(name);
  if (deleted === undefined || deleted.purgeAt > context.clock.now()) return deleted;
  purgeVault(context, deleted.vault.name);
  return undefined;
}
