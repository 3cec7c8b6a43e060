import { vaultOf } from '../plan';
import { grantLists } from '../settings/grantLists';
import { formatPath } from '../settings/problem';
import type { Check } from './context';
import { inCase } from './context';
import { connectionSecrets } from './dependencyNames';
import { hostedSecrets } from './hostedClusters';
import { credentialSecrets } from './storedCredentials';

/** Each secret that is written has one owner, and nothing else may read it or give it a value. */
export const secretOwnerChecks: readonly Check[] = [
  function* (input) {
    const owned = [...connectionSecrets(input), ...hostedSecrets(input), ...credentialSecrets(input)];
    const owners = new Map(
      owned.map((owner) => [keyOf(owner.vault, owner.secret), owner] as const).reverse(),
    );
    const read = grantLists(input).flatMap(({ path, secrets, application }) =>
      secrets.map((secret, place) => ({
        ...{ secret, path: [...path, 'secrets', place] },
        vault: application === undefined ? input.vault.name : vaultOf(input, application),
      })),
    );
    const values = Object.keys(input.secretValues).map((secret) => ({
      ...{ secret, path: ['secretValues', secret], vault: undefined },
    }));
    const vaults = [...new Set(owned.map(({ vault }) => vault))];
    for (const { secret, path, vault } of [...owned, ...read, ...values]) {
      const owner = (vault === undefined ? vaults : [vault])
        .map((name) => owners.get(keyOf(name, secret)))
        .find((found) => found !== undefined);
      // Generations of an identity have one stored credential.
      if (owner !== undefined && formatPath(owner.path) !== formatPath(path))
        yield {
          path,
          value: JSON.stringify(secret),
          what: `is a secret that the stack writes for ${formatPath(owner.path)} alone${inCase(secret, owner.secret)}`,
          allowed: 'another secret of the vault',
          hint: 'Rename one of the two, or remove this one.',
        };
    }
  },
];

/** Key Vault compares names case-insensitively. */
function keyOf(vault: string, secret: string): string {
  return `${vault}/${secret}`.toLowerCase();
}
