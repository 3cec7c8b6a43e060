import { AllowedDeletions } from '../../../stacks/keeping/allowedDeletions';
import { OwnState } from '../../../stacks/keeping/ownState';
import { valueOf } from '../components/support/recorder';
import type { MockUpdate } from './history';
import { registered, update } from './history';
import { problemsOf, validInput } from './settings';

// That what is dropped here is really deleted, the engine decides: tests/e2e/keeping.test.ts.

const group = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg';
const id = (type: string, name: string) => `${group}/providers/${type}/${name}`;
const identityId = (name: string) => id('Microsoft.ManagedIdentity/userAssignedIdentities', name);
const vaultId = (name: string) => id('Microsoft.KeyVault/vaults', name);
const clusterId = (name: string) => id('Microsoft.ContainerService/managedClusters', name);

/** The group that the mocks put everything in. */
const base = { resourceGroup: 'rg' };
const applications = validInput().applications as { name: string }[];
const without = (name: string) => ({
  ...base,
  applications: applications.filter((one) => one.name !== name),
});

let before: MockUpdate;
beforeAll(async () => {
  before = await update(validInput({ ...base, logs: { workspace: { name: 'log-test' } } }));
});

describe('a thing whose deletion was allowed while it was there', () => {
  it('is deleted with the update that removes it', async () => {
    const allowed = applications.map((one) =>
      one.name === 'reports' ? { ...one, deletion: 'allowed' } : one,
    );
    const earlier = await update(validInput({ ...base, applications: allowed }));
    const after = await update(validInput(without('reports')), earlier.state);

    expect(registered(after).filter((one) => one.includes('reports'))).toEqual([]);
    expect(after.warnings).toHaveLength(2);
    expect(after.warnings[1]).toMatch(
      /^This update deletes, as the stack file allows:\n {2}identity +aks-2-reports /,
    );
    expect(await valueOf(after.recording.result.kept)).toEqual([]);
  });

  it('is kept if it is allowed only by the update that removes it: nothing was registered so that it can be deleted', async () => {
    const after = await update(validInput({ ...without('reports'), deletion: 'allowed' }), before.state);

    expect(registered(after)).toContain('Vault kv-test-reports');
    expect(after.recording.find('azure-native:keyvault:Vault', 'kv-test-reports').retainOnDelete).toBe(true);
    expect(after.recording.find('azure-native:resources:ResourceGroup', 'rg').retainOnDelete).toBe(true);
  });
});

describe('an update that failed before the components were told of it', () => {
  /** Everything as before but for what is written down first. */
  const failedAfter = ({ state }: MockUpdate, attempt: MockUpdate): OwnState =>
    new OwnState(
      state.resources.map((one) =>
        one.type === AllowedDeletions.token
          ? { ...one, outputs: attempt.state.find(one.type, one.name)?.outputs ?? {} }
          : one,
      ),
    );

  it('keeps what it did not allow any more to delete: it may be registered as kept already', async () => {
    const allowed = await update(validInput({ ...base, deletion: 'allowed' }));
    const state = failedAfter(allowed, before);
    const after = await update(validInput(without('reports')), state);

    expect(registered(after)).toContain('UserAssignedIdentity aks-2-reports');
    expect(registered(after)).toContain('Vault kv-test-reports');
    expect(after.warnings.join()).not.toContain('This update deletes');
  });

  it('deletes nothing that it was the first to allow: it may be registered as kept still', async () => {
    const allowed = await update(validInput({ ...base, deletion: 'allowed' }));
    const after = await update(validInput(without('reports')), failedAfter(before, allowed));

    expect(registered(after)).toContain('Vault kv-test-reports');
  });
});

describe('deletions', () => {
  const removed = (...deletions: string[]) => validInput({ ...without('reports'), deletions });

  it('let the next update delete, and the one after delete', async () => {
    const entry = identityId('id-test-aks-2-reports')
      .toUpperCase()
      .replace('/SUBSCRIPTIONS', '/subscriptions')
      .replace('/RESOURCEGROUPS', '/resourceGroups');
    const first = await update(removed(entry), before.state);
    const identity = first.recording.find(
      'azure-native:managedidentity:UserAssignedIdentity',
      'aks-2-reports',
    );

    expect(identity).toMatchObject({ retainOnDelete: false, protect: false, ignoreChanges: ['*'] });
    expect(first.warnings.find((one) => one.startsWith('Listed'))).toBe(
      [
        'Listed in aks-workload-identity:deletions: the next update deletes',
        `  identity  aks-2-reports  ${identityId('id-test-aks-2-reports')}`,
        'Remove an entry from aks-workload-identity:deletions to keep it after all.',
      ].join('\n'),
    );

    const second = await update(removed(entry), first.state);
    expect(registered(second)).not.toContain('UserAssignedIdentity aks-2-reports');
    expect(registered(second)).toContain('Vault kv-test-reports');

    const third = await update(removed(entry), second.state);
    expect(third.warnings.at(-1)).toBe(
      `aks-workload-identity:deletions lists what this stack does not keep (any more):\n  ${entry}\nRemove it from Pulumi.test.yaml.`,
    );
  });

  it('are also of what an update made that failed before its component was told of it', async () => {
    const failed = new OwnState(
      before.state.resources.map((one) =>
        one.type.startsWith('aks-workload-identity:') && one.name.endsWith('reports')
          ? { ...one, outputs: {} }
          : one,
      ),
    );
    const removedLater = await update(removed(), failed);
    expect(removedLater.warnings.join('\n')).toContain(identityId('id-test-aks-2-reports'));
    expect(removedLater.warnings.join('\n')).toContain(`${vaultId('kv-test-reports')}/secrets/`);
    expect(removedLater.warnings.join('\n')).not.toContain('not known yet');

    const entries = [identityId('id-test-aks-2-reports'), vaultId('kv-test-reports')];
    const first = await update(removed(...entries), removedLater.state);
    const second = await update(removed(...entries), first.state);
    expect(registered(second).filter((one) => one.includes('reports'))).toEqual([]);
  });

  it('are taken back by removing the entry before the second update', async () => {
    const first = await update(removed(identityId('id-test-aks-2-reports')), before.state);
    const second = await update(removed(), first.state);

    expect(
      second.recording.find('azure-native:managedidentity:UserAssignedIdentity', 'aks-2-reports'),
    ).toMatchObject({ retainOnDelete: true, protect: true });
  });

  it('of a vault are of its secrets too, which go with it', async () => {
    const entry = vaultId('kv-test-reports');
    const first = await update(removed(entry), before.state);

    expect(first.recording.find('azure-native:keyvault:Secret', 'kv-test-reports/reports-db')).toMatchObject({
      retainOnDelete: false,
      deletedWith: 'azure-native:keyvault:Vault::kv-test-reports',
    });
    const second = await update(removed(entry), first.state);
    expect(registered(second).filter((one) => one.includes('kv-test-reports'))).toEqual([]);
  });

  it('of a secret alone leave the vault', async () => {
    const entry = `${vaultId('kv-test-reports')}/secrets/reports-db`;
    const first = await update(removed(entry), before.state);
    const second = await update(removed(entry), first.state);

    expect(registered(second)).toContain('Vault kv-test-reports');
    expect(registered(second)).not.toContain('Secret kv-test-reports/reports-db');
  });

  it.each([
    ['an identity', identityId('id-test-aks-2-reports')],
    ['a vault', vaultId('kv-test')],
    ['a secret', `${vaultId('kv-test')}/secrets/orders-db`],
    ['a cluster', clusterId('AKS-1')],
    ['the group', group],
  ])('cannot be of %s that is still in the configuration', (_, entry) => {
    expect(problemsOf(validInput({ ...base, deletions: [entry] }))).toEqual([
      `aks-workload-identity:deletions[0]: "${entry}" is still in the configuration. Allowed: what was removed from it, and is kept. Remove it from the configuration and run an update first, or remove this entry.`,
    ]);
  });

  it('cannot be of what is adopted', () => {
    const entry = vaultId('kv-there');
    expect(problemsOf(validInput({ ...base, vault: { adopt: entry }, deletions: [entry] }))).toEqual([
      expect.stringContaining('is still in the configuration'),
    ]);
  });

  it('of a group are refused while something else is kept in it', async () => {
    const moved = await update(validInput({ ...base, resourceGroup: 'rg-new' }), before.state);
    expect(registered(moved)).toContain('ResourceGroup rg');

    const attempt = update(
      validInput({ ...without('reports'), resourceGroup: 'rg-new', deletions: [group] }),
      before.state,
    );
    await expect(attempt).rejects.toThrow(
      `aks-workload-identity:deletions[0]: "${group}" is a group, and would be deleted with what is kept in it: log-test, aks-2-reports, kv-test-reports, kv-test-reports/reports-db. Name them as well, or remove this entry.`,
    );
  });
});
