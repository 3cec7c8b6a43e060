import { secretsIn } from '../stacks/plan/granted';
import type { VaultOutput } from '../stacks/outputs/outputs';
import type { Access } from './access';
import type { VerifiedOutputs } from './checks';
import { Refusable, type Unlisted } from './unlisted';

/** The secrets in the vaults. */
export interface Inventory {
  /** The outputs, with all listed secrets. */
  outputs: VerifiedOutputs;
  /** Names of the listed secrets by vault; undefined for a vault that could not be listed. */
  listed: ReadonlyMap<string, readonly string[] | undefined>;
  unlisted: Unlisted[];
}

/**
 * Adds the other secrets in the vaults to those of the outputs: somebody may have added one and granted it to an identity of
 * the stack. Never rejects, because the account that runs the verification may lack permission to list secrets.
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
        .filter((grant) => grant.vault === name);
      // Names are compared case-insensitively and keep the outputs' spelling (MicrosoftDocs/azure-docs
      // articles/key-vault/general/about-keys-secrets-certificates.md).
      const named = [...vault.secrets, ...granted.map(({ secret }) => secret)];
      const known = new Set(named.map((secret) => secret.toLowerCase()));
      const inVault = await lists.read(name, () => access.listSecrets(vault));
      listed.set(name, inVault);
      const added = (inVault ?? []).filter((secret) => !known.has(secret.toLowerCase()));
      return [name, { ...vault, secrets: [...vault.secrets, ...added] }];
    }),
  );
  const unlisted = lists.unlisted.sort((a, b) => a.name.localeCompare(b.name));
  return { outputs: { ...outputs, vaults: Object.fromEntries(vaults) }, listed, unlisted };
}
