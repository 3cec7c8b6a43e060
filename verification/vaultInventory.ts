import { secretsIn } from '../stacks/offline';
import type { VaultOutput } from '../stacks/outputs/outputs';
import type { Access } from './access';
import type { VerifiedOutputs } from './checks';
import { Refusable, type Unlisted } from './unlisted';

/** What is in the vaults. */
export interface Inventory {
  /** The outputs, with every secret that was found. */
  outputs: VerifiedOutputs;
  /** The secrets that were found, by name of the vault; undefined of a vault that could not be listed. */
  listed: ReadonlyMap<string, readonly string[] | undefined>;
  unlisted: Unlisted[];
}

/**
 * Adds to the secrets of the outputs the others that exist in the vaults: one that somebody else put there, and let an
 * identity of the stack read, is in no output. Never rejects: who may run the verification need not be allowed to list them.
 */
export async function takeInventory(
  outputs: VerifiedOutputs,
  access: Pick<Access, 'listSecrets'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<Inventory> {
  const lists = new Refusable(limited);
  const listed = new Map<string, readonly string[] | undefined>();
  const vaults = await Promise.all(
    Object.entries(outputs.vaults).map(async ([name, vault]): Promise<[string, VaultOutput]> => {
      const granted = outputs.workloads
        .flatMap(({ grants }) => secretsIn(grants))
        .filter((one) => one.vault === name);
      // What is named keeps its spelling: a vault does not tell upper from lower case
      // (MicrosoftDocs/azure-docs articles/key-vault/general/about-keys-secrets-certificates.md).
      const named = [...vault.secrets, ...granted.map(({ secret }) => secret)];
      const known = new Set(named.map((secret) => secret.toLowerCase()));
      const found = await lists.read(name, () => access.listSecrets(vault));
      listed.set(name, found);
      const added = (found ?? []).filter((secret) => !known.has(secret.toLowerCase()));
      return [name, { ...vault, secrets: [...vault.secrets, ...added] }];
    }),
  );
  const unlisted = lists.unlisted.sort((one, other) => one.name.localeCompare(other.name));
  return { outputs: { ...outputs, vaults: Object.fromEntries(vaults) }, listed, unlisted };
}
