import type { VaultOutput } from '../stacks/outputs/outputs';
import type { Access } from './access';
import type { VerifiedOutputs } from './checks';
import { classifyFailure } from './failure';

/** A vault or an identity of which could not be listed what is in it. */
export interface Unlisted {
  /** Name in Azure. */
  name: string;
  /** One line for people, without tokens or values. */
  reason: string;
}

/**
 * Adds to the secrets of the outputs the others that exist in the vaults: one that somebody else put there, and let an
 * identity of the stack read, is in no output. Never rejects: who may run the verification need not be allowed to list them.
 */
export async function takeInventory(
  outputs: VerifiedOutputs,
  access: Pick<Access, 'listSecrets'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<{ outputs: VerifiedOutputs; unlisted: Unlisted[] }> {
  const unlisted: Unlisted[] = [];
  const vaults = await Promise.all(
    Object.entries(outputs.vaults).map(async ([name, vault]): Promise<[string, VaultOutput]> => {
      const granted = outputs.workloads.flatMap(({ grants }) => grants).filter((one) => one.vault === name);
      // What is named keeps its spelling: a vault does not tell upper from lower case
      // (MicrosoftDocs/azure-docs articles/key-vault/general/about-keys-secrets-certificates.md).
      const named = [...vault.secrets, ...granted.map(({ secret }) => secret)];
      const known = new Set(named.map((secret) => secret.toLowerCase()));
      try {
        const found = await limited(() => access.listSecrets(vault));
        const added = found.filter((secret) => !known.has(secret.toLowerCase()));
        return [name, { ...vault, secrets: [...vault.secrets, ...added] }];
      } catch (error) {
        unlisted.push({ name, reason: reasonOf(error) });
        return [name, vault];
      }
    }),
  );
  unlisted.sort((one, other) => one.name.localeCompare(other.name));
  return { outputs: { ...outputs, vaults: Object.fromEntries(vaults) }, unlisted };
}

/** Why something could not be listed, in one line. */
export function reasonOf(error: unknown): string {
  // What @azure/identity throws when none of a chain's credentials is there; its message has a line for each.
  const absent = ['AggregateAuthenticationError', 'CredentialUnavailableError'];
  if (error instanceof Error && absent.includes(error.name)) {
    return 'no Azure credential was found: neither AZURE_* or ARM_* variables nor a login of the Azure CLI (az login)';
  }
  // Entra's ids of the one request, and the vault's path, would make the same reason another one for each vault.
  return classifyFailure(error)
    .text.replace(/ Trace ID: .*$/, '')
    .replace(/ to GET \/\S+\./, '.');
}
