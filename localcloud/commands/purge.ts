import { UserError } from '../userError';
import { commandLine } from '../project';

/** A soft-deleted vault in a list of the resource manager. */
export interface DeletedVault {
  /** Resource id of the deleted vault, with subscription, location and name. */
  id: string;
  name: string;
  /** True if purge protection keeps it until its retention period ends. */
  purgeProtected: boolean;
}

/** Operations of the resource manager that a purge needs. */
export interface VaultManager {
  /** Returns the names of vaults that are not deleted. */
  vaults(): Promise<string[]>;
  deletedVaults(): Promise<DeletedVault[]>;
  /** Resolves when the vault is purged. */
  purge(vault: Pick<DeletedVault, 'id'>): Promise<void>;
}

/** Returns the soft-deleted vault of this name. @throws UserError if there is none */
export async function findDeletedVault(manager: VaultManager, vaultName: string): Promise<DeletedVault> {
  const deleted = await manager.deletedVaults();
  const same = (name: string): boolean => name.toLowerCase() === vaultName.toLowerCase();
  const vault = deleted.find(({ name }) => same(name));
  if (vault !== undefined) return vault;
  const existing = (await manager.vaults()).find(same);
  if (existing !== undefined) {
    throw new UserError(
      `The vault '${existing}' is not deleted; only a deleted vault can be purged.`,
      `${deletedOnes(deleted)} To delete the resources of the stack: ${commandLine('pulumi destroy')}.`,
    );
  }
  throw new UserError(`There is no deleted vault '${vaultName}'.`, deletedOnes(deleted));
}

/** Purges a soft-deleted vault with its secrets. */
export async function purgeVault(manager: VaultManager, vault: DeletedVault): Promise<void> {
  try {
    await manager.purge(vault);
  } catch (error) {
    if (!(error instanceof UserError) || !vault.purgeProtected) throw error;
    throw new UserError(
      error.message,
      `Choose another name for the vault in the stack file, or delete the whole state with ${commandLine('clean')}.`,
      { exitCode: error.exitCode },
    );
  }
}

function deletedOnes(deleted: DeletedVault[]): string {
  if (deleted.length === 0) return 'There are no deleted vaults.';
  return `The deleted vaults are: ${deleted.map(({ name }) => name).join(', ')}.`;
}

/** The plugin's error for a vault with the name of a soft-deleted one. */
const nameHeld =
  /ConflictError: A vault with the same name already exists in deleted state[^\n]*?\/Microsoft\.KeyVault\/vaults\/([A-Za-z0-9-]+)/gi;

/** Returns the hint for errors about names that soft-deleted vaults still hold; undefined if there are none. */
export function heldNamesHint(messages: string[]): string | undefined {
  const names = new Set(
    messages.flatMap((text) => [...text.matchAll(nameHeld)].map(([, name]) => name ?? '')),
  );
  if (names.size === 0) return undefined;
  const commands = [...names].map((name) => commandLine(`cloud purge ${name}`)).join(' and ');
  const [subject, object] =
    names.size === 1
      ? [`The name of the deleted vault ${[...names].join()} is still reserved`, 'it']
      : [`The names of the deleted vaults ${[...names].join(', ')} are still reserved`, 'them'];
  return `${subject}, as in Azure. Purge ${object} permanently with ${commands}, then run the command again.`;
}
