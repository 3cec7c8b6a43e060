import { VisibleError } from './visibleError';

/** A soft-deleted vault as the resource manager lists it. */
export interface DeletedVault {
  /** Resource id of the deleted vault: subscription, location and name. */
  id: string;
  name: string;
  /** Nobody may purge it before its retention is over. */
  purgeProtected: boolean;
}

/** What purging needs of the resource manager. */
export interface VaultManager {
  /** Names of the vaults that are not deleted. */
  vaults(): Promise<string[]>;
  deletedVaults(): Promise<DeletedVault[]>;
  /** Resolves when the vault is gone. */
  purge(vault: Pick<DeletedVault, 'id'>): Promise<void>;
}

/** Purges the soft-deleted vault of that name, with its secrets, for good; resolves with its name as it was given. */
export async function purgeVault(manager: VaultManager, asked: string): Promise<string> {
  const deleted = await manager.deletedVaults();
  const same = (name: string): boolean => name.toLowerCase() === asked.toLowerCase();
  const vault = deleted.find(({ name }) => same(name));
  if (vault === undefined) {
    const existing = (await manager.vaults()).find(same);
    if (existing !== undefined) {
      throw new VisibleError(
        `The vault '${existing}' is not deleted; only a deleted vault can be purged.`,
        `${deletedOnes(deleted)} To delete what the stack made: \`npx aks-wi pulumi destroy\`.`,
      );
    }
    throw new VisibleError(`There is no deleted vault '${asked}'.`, deletedOnes(deleted));
  }
  try {
    await manager.purge(vault);
  } catch (error) {
    if (!(error instanceof VisibleError) || !vault.purgeProtected) throw error;
    throw new VisibleError(
      error.message,
      'Choose another name for the vault in the stack file, or give up the whole state with `make clean`.',
      error.exitCode,
    );
  }
  return vault.name;
}

function deletedOnes(deleted: DeletedVault[]): string {
  if (deleted.length === 0) return 'No vault of the local cloud is deleted.';
  return `The deleted vaults are: ${deleted.map(({ name }) => name).join(', ')}.`;
}

/** The plugin's error for a PUT of a vault whose name a deleted one still holds; the request names the vault. */
const nameHeld =
  /ConflictError: A vault with the same name already exists in deleted state[^\n]*?\/Microsoft\.KeyVault\/vaults\/([A-Za-z0-9-]+)/gi;

/** What to do about names that deleted vaults still hold, if the engine's messages tell of any. */
export function heldNamesRemedy(messages: string[]): string | undefined {
  const names = new Set(
    messages.flatMap((text) => [...text.matchAll(nameHeld)].map(([, name]) => name ?? '')),
  );
  if (names.size === 0) return undefined;
  const commands = [...names].map((name) => `\`npx aks-wi cloud purge ${name}\``).join(' and ');
  const [subject, object] =
    names.size === 1
      ? [`The deleted vault ${[...names].join()} keeps its name`, 'it']
      : [`The deleted vaults ${[...names].join(', ')} keep their names`, 'them'];
  return `${subject}, as in Azure. Purge ${object} for good with ${commands}, then run the command again.`;
}
