import { deploymentFailed } from '../../../commands/engineErrors';
import {
  findDeletedVault,
  heldNamesHint,
  purgeVault,
  type DeletedVault,
  type VaultManager,
} from '../../../commands/purge';
import { UserError } from '../../../userError';
import { product } from '../../support/product';
import { commandLine } from '../../../project';

const deletedVault = (name: string, purgeProtected = false): DeletedVault => ({
  id: `/subscriptions/s/providers/Microsoft.KeyVault/locations/westeurope/deletedVaults/${name}`,
  name,
  purgeProtected,
});

/** A resource manager with these vaults, which records purges. */
function manager(
  deleted: DeletedVault[],
  vaults: string[] = [],
  purge: () => Promise<void> = () => Promise.resolve(),
): VaultManager & { purged: string[] } {
  const purged: string[] = [];
  return {
    purged,
    vaults: () => Promise.resolve(vaults),
    deletedVaults: () => Promise.resolve(deleted),
    purge: ({ id }) => {
      purged.push(id);
      return purge();
    },
  };
}

async function refusal(work: Promise<unknown>): Promise<UserError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw new Error('nothing was refused');
  return error;
}

/** Finds a vault and purges it, as the command does. */
async function purge(cloud: VaultManager, name: string): Promise<string> {
  const vault = await findDeletedVault(cloud, name);
  await purgeVault(cloud, vault);
  return vault.name;
}

describe('purging a vault', () => {
  it('purges the deleted vault of that name, in any case', async () => {
    const cloud = manager([deletedVault('kv-a'), deletedVault('kv-b')]);
    await expect(purge(cloud, 'KV-B')).resolves.toBe('kv-b');
    expect(cloud.purged).toEqual([deletedVault('kv-b').id]);
  });

  it('ends only when the vault is gone', async () => {
    let gone: () => void = () => undefined;
    const ended: string[] = [];
    const cloud = manager([deletedVault('kv-a')], [], () => new Promise((resolve) => (gone = resolve)));
    const purging = purge(cloud, 'kv-a').then((name) => ended.push(name));
    await new Promise((resolve) => setImmediate(resolve));
    expect(cloud.purged).toHaveLength(1);
    expect(ended).toEqual([]);
    gone();
    await purging;
    expect(ended).toEqual(['kv-a']);
  });

  it('names the deleted vaults when it knows none of that name', async () => {
    const cloud = manager([deletedVault('kv-a'), deletedVault('kv-b')], ['kv-c']);
    const error = await refusal(purge(cloud, 'kv-x'));
    expect(error.message).toBe("There is no deleted vault 'kv-x'.");
    expect(error.hint).toBe('The deleted vaults are: kv-a, kv-b.');
    expect(cloud.purged).toEqual([]);
  });

  it('says when no vault is deleted', async () => {
    const error = await refusal(purge(manager([]), 'kv-x'));
    expect(error.hint).toBe('There are no deleted vaults.');
  });

  it('refuses a vault that is not deleted', async () => {
    const cloud = manager([deletedVault('kv-a')], ['kv-c']);
    const error = await refusal(purge(cloud, 'KV-c'));
    expect(error.message).toBe("The vault 'kv-c' is not deleted; only a deleted vault can be purged.");
    expect(error.hint).toContain('The deleted vaults are: kv-a.');
    expect(cloud.purged).toEqual([]);
  });

  it('shows the service’s refusal of a vault with purge protection, and the hint', async () => {
    const message = 'DeletedVaultPurge: purge protection is enabled for this vault.';
    const cloud = manager([deletedVault('kv-a', true)], [], () => Promise.reject(new UserError(message)));
    const error = await refusal(purge(cloud, 'kv-a'));
    expect(error.message).toBe(message);
    expect(error.hint).toContain('another name');
  });
});

describe('the hint for names that deleted vaults keep', () => {
  const conflict = (vault: string): string =>
    `ConflictError: A vault with the same name already exists in deleted state. You need to either recover or purge existing key vault. Follow this link https://go.microsoft.com/fwlink/?linkid=2149745 for more information on soft delete. (PUT /subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/${vault}: status 409)`;

  it('names the vault and the command', () => {
    expect(heldNamesHint(['update failed', conflict('kv-wi-local')])).toBe(
      `The name of the deleted vault kv-wi-local is still reserved, as in Azure. Purge it permanently with ${commandLine('cloud purge kv-wi-local')}, then run the command again.`,
    );
  });

  it('is the hint of a failed up', () => {
    const stack = { name: 'local', source: 'Pulumi.local.yaml', file: '/state/Pulumi.local.yaml' };
    expect(
      deploymentFailed(['update failed', conflict('kv-wi-local')], '/log', stack, product, false).hint,
    ).toContain(commandLine('cloud purge kv-wi-local'));
  });

  it('names each vault once', () => {
    expect(heldNamesHint([conflict('kv-a'), conflict('kv-b'), conflict('kv-a')])).toBe(
      `The names of the deleted vaults kv-a, kv-b are still reserved, as in Azure. Purge them permanently with ${commandLine('cloud purge kv-a')} and ${commandLine('cloud purge kv-b')}, then run the command again.`,
    );
  });

  it('is undefined for other errors, even of a vault', () => {
    expect(
      heldNamesHint([
        'VaultAlreadyExists: The vault name is already in use. (PUT /subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv-a: status 409)',
      ]),
    ).toBeUndefined();
  });
});
