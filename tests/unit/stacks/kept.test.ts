import type { Registration } from '../components/support/recorder';
import { valueOf } from '../components/support/recorder';
import { validate } from '../../../stacks/configuration/configuration';
import { immovableProblems } from '../../../stacks/existing/immovable';
import { OwnState } from '../../../stacks/keeping/ownState';
import type { MockUpdate } from './history';
import { registered, update, urns } from './history';
import { application, validInput } from './settings';

// What mocks do not prove: that the engine leaves what is registered again as it is, and that the state on which the
// next update runs is what they say. tests/e2e/keeping.test.ts does.

const group = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg';
const id = (type: string, name: string) => `${group}/providers/${type}/${name}`;
const identityId = (name: string) => id('Microsoft.ManagedIdentity/userAssignedIdentities', name);
const vaultId = (name: string) => id('Microsoft.KeyVault/vaults', name);

/** The group that the mocks put everything in. */
const base = { resourceGroup: 'rg' };
const applications = validInput().applications as { name: string }[];
const without = (name: string) => ({
  ...base,
  applications: applications.filter((one) => one.name !== name),
});
const oneCluster = { ...base, clusters: [{ name: 'aks-2' }] };

const keptTypes =
  /^azure-native:.*:(ResourceGroup|UserAssignedIdentity|Vault|Secret|ManagedCluster|Workspace)$/;
const ours = ({ recording }: MockUpdate): Registration[] =>
  recording.registrations.filter(({ type }) => keptTypes.test(type));

let before: MockUpdate;
beforeAll(async () => {
  before = await update(validInput({ ...base, logs: { workspace: { name: 'log-test' } } }));
});

describe('what the stack makes', () => {
  it('stays in Azure when the stack is destroyed, by default', () => {
    expect(new Set(ours(before).map(({ type }) => type)).size).toBe(6);
    expect(ours(before).filter(({ retainOnDelete }) => !retainOnDelete)).toEqual([]);
    expect(before.recording.registrations.filter(({ deletedWith }) => deletedWith !== undefined)).toEqual([]);
    expect(before.warnings).toEqual([]);
  });

  it('is deleted, and not protected, where its deletion is allowed', async () => {
    const allowed = await update(validInput({ ...base, deletion: 'allowed' }));

    expect(ours(allowed).filter(({ retainOnDelete }) => retainOnDelete)).toEqual([]);
    expect(
      ours(allowed)
        .filter((one) => one.protect)
        .map(({ type }) => type),
    ).toEqual(['azure-native:resources:ResourceGroup']);
    expect(allowed.recording.find('azure-native:keyvault:Secret', 'kv-test/orders-db').deletedWith).toBe(
      'azure-native:keyvault:Vault::kv-test',
    );
    expect(allowed.recording.find('kubernetes:core/v1:Namespace', 'aks-1/orders').deletedWith).toBe(
      'azure-native:containerservice:ManagedCluster::aks-1',
    );
  });

  it('keeps its group as long as one thing in it is kept', async () => {
    const one = await update(
      validInput({ ...base, deletion: 'allowed', vault: { name: 'kv-test', deletion: 'kept' } }),
    );

    expect(one.recording.find('azure-native:resources:ResourceGroup', 'rg').retainOnDelete).toBe(true);
    expect(one.recording.find('azure-native:keyvault:Vault', 'kv-test').retainOnDelete).toBe(true);
    expect(one.recording.find('azure-native:keyvault:Secret', 'kv-test/orders-db').retainOnDelete).toBe(true);
    expect(
      one.recording.find('azure-native:managedidentity:UserAssignedIdentity', 'aks-1').retainOnDelete,
    ).toBe(false);
  });

  it('makes no operator delete what applications made in Azure from their namespaces, unless that is allowed', async () => {
    const annotations = ({ recording }: MockUpdate, name: string) =>
      (recording.find('kubernetes:core/v1:Namespace', name).inputs.metadata as { annotations?: object })
        .annotations;
    const allowed = await update(
      validInput({ ...base, applications: [application('a'), application('b', { deletion: 'allowed' })] }),
    );

    const detach = { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' };
    expect(annotations(allowed, 'aks-1/a')).toEqual(detach);
    expect(annotations(allowed, 'aks-1/b')).toBeUndefined();
  });
});

describe('an application that is removed', () => {
  let after: MockUpdate;
  beforeAll(async () => {
    after = await update(validInput(without('reports')), before.state);
  });

  it('leaves its identity, its vault and its secret, each under its old URN', () => {
    const kept = [
      'KeyVault kv-test-reports',
      'ManagedIdentity aks-2-reports',
      'Secret kv-test-reports/reports-db',
      'UserAssignedIdentity aks-2-reports',
      'Vault kv-test-reports',
    ];
    const then = urns(before);
    const now = urns(after);

    expect(registered(after)).toEqual(expect.arrayContaining(kept));
    for (const one of kept) expect(now.get(one)).toBe(then.get(one));
  });

  it('leaves them as they are, protected as they were, and not deletable', () => {
    const find = (type: string, name: string) => after.recording.find(`azure-native:${type}`, name);

    expect(find('managedidentity:UserAssignedIdentity', 'aks-2-reports')).toMatchObject({
      ignoreChanges: ['*'],
      protect: true,
      retainOnDelete: true,
    });
    expect(find('keyvault:Vault', 'kv-test-reports')).toMatchObject({
      ignoreChanges: ['*'],
      protect: true,
      retainOnDelete: true,
    });
    expect(find('keyvault:Secret', 'kv-test-reports/reports-db')).toMatchObject({
      ignoreChanges: ['*'],
      protect: false,
      retainOnDelete: true,
    });
    expect(find('keyvault:Vault', 'kv-test')).not.toHaveProperty('ignoreChanges');
  });

  it('loses its trust, its access and what ran of it', () => {
    const gone = registered(before).filter((one) => !registered(after).includes(one));

    expect(gone).toEqual(
      [
        'FederatedCredentials aks-2-reports',
        'FederatedIdentityCredential aks-2-reports/reports_reports',
        'AccessPolicy kv-test-reports/aks-2-reports',
        'Namespace aks-2/reports',
        'Workload aks-2-reports',
        'ServiceAccount aks-2-reports-account',
        'Release aks-2-reports',
        'DiagnosticSetting aks-1-logs',
        'DiagnosticSetting aks-2-logs',
        'DiagnosticSetting kv-test-logs',
        'DiagnosticSetting kv-test-reports-logs',
      ].sort(),
    );
  });

  it('is told, with the ids and how to delete it', () => {
    expect(after.warnings).toEqual([
      'No application names reports-db: the values in secretValues are written nowhere.',
      [
        'Kept, though the configuration no longer has them; their trust and their grants are gone:',
        `  log workspace  log-test                    ${id('Microsoft.OperationalInsights/workspaces', 'log-test')}`,
        `  identity       aks-2-reports               ${identityId('id-test-aks-2-reports')}`,
        `  vault          kv-test-reports             ${vaultId('kv-test-reports')}`,
        `  secret         kv-test-reports/reports-db  ${vaultId('kv-test-reports')}/secrets/reports-db`,
        'Put one back into Pulumi.test.yaml to use it again. To delete one, list its id in aks-workload-identity:deletions and run two updates: the first allows the deletion, the second deletes.',
      ].join('\n'),
    ]);
  });

  it('is exported: what is kept, and the vault that nobody may read', async () => {
    expect(await valueOf(after.recording.result.kept)).toContainEqual({
      type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
      name: 'aks-2-reports',
      id: identityId('id-test-aks-2-reports'),
      deletion: 'kept',
    });
    expect((await valueOf(after.recording.result.vaults))['kv-test-reports']).toEqual({
      id: vaultId('kv-test-reports'),
      uri: 'https://kv-test-reports.vault.azure.net/',
      access: 'accessPolicy',
      secrets: ['reports-db'],
    });
  });

  it('does not get the value of its secret into the central vault, which is said', () => {
    expect(registered(after)).not.toContain('Secret kv-test/reports-db');
    expect(registered(after)).toContain('Secret kv-test/orders-db');
  });

  it('leaves its secret in the central vault, with the value that the stack file still has', async () => {
    const orders = await update(validInput(without('orders')), before.state);

    expect(orders.recording.find('azure-native:keyvault:Secret', 'kv-test/orders-db')).not.toHaveProperty(
      'ignoreChanges',
    );
    expect(orders.warnings[0]).toBe(
      'No application names orders-db: kept in the central vault, readable for nobody. They stay there without their values in secretValues as well.',
    );
  });

  it('is kept by every later update alike, and found again when it is put back', async () => {
    const later = await update(validInput(without('reports')), after.state);
    const back = await update(
      validInput({ ...base, logs: { workspace: { name: 'log-test' } } }),
      later.state,
    );

    expect(registered(later)).toEqual(registered(after));
    expect(later.warnings).toEqual(after.warnings);
    expect([...urns(back)].sort()).toEqual([...urns(before)].sort());
    expect(back.recording.registrations.filter(({ ignoreChanges }) => ignoreChanges !== undefined)).toEqual(
      [],
    );
    expect(back.warnings.join('\n')).not.toContain('id-test-aks-2-reports');
  });
});

describe('a cluster that is removed', () => {
  it('stays bare, with its identities', async () => {
    const after = await update(validInput(oneCluster), before.state);
    const kept = registered(after).filter((one) => / aks-1/.test(one));

    expect(kept).toEqual([
      'Cluster aks-1',
      'ManagedCluster aks-1',
      'ManagedIdentity aks-1',
      'ManagedIdentity aks-1-aso',
      'ManagedIdentity aks-1-billing',
      'UserAssignedIdentity aks-1',
      'UserAssignedIdentity aks-1-aso',
      'UserAssignedIdentity aks-1-billing',
      'WorkloadIdentityCluster aks-1',
    ]);
    for (const one of kept) expect(urns(after).get(one)).toBe(urns(before).get(one));
    expect(
      after.recording.find('aks-workload-identity:identity:ManagedIdentity', 'aks-1-billing').parent,
    ).toBe('aks-workload-identity:stacks:Cluster::aks-1');
  });

  it('is found by the names of its identities in the state of a program that recorded no parents', async () => {
    const old = new OwnState(
      before.state.resources.map((resource) => {
        const { parent: _parent, deletion: _deletion, ...outputs } = resource.outputs;
        return { ...resource, outputs };
      }),
    );
    const after = await update(validInput(oneCluster), old);

    expect(urns(after).get('UserAssignedIdentity aks-1-billing')).toBe(
      urns(before).get('UserAssignedIdentity aks-1-billing'),
    );
    expect(
      after.recording.find('aks-workload-identity:identity:ManagedIdentity', 'aks-1-billing').parent,
    ).toBe('aks-workload-identity:stacks:Cluster::aks-1');
  });
});

describe('an operator that is no longer installed here', () => {
  it('leaves its identity, without trust', async () => {
    const after = await update(
      validInput({ ...base, logs: { workspace: { name: 'log-test' } }, serviceOperator: { install: false } }),
      before.state,
    );

    expect(registered(before).filter((one) => !registered(after).includes(one))).toEqual(
      ['aks-1', 'aks-2']
        .flatMap((cluster) => [
          `FederatedCredentials ${cluster}-aso`,
          `FederatedIdentityCredential ${cluster}-aso/azureserviceoperator-system_azureserviceoperator-default`,
          `Release ${cluster}-service-operator`,
          `RoleAssignment ${cluster}-aso/itself`,
          `UserAssignedIdentity ${cluster}-service-operator-signed-in`,
          `ServiceOperator ${cluster}-service-operator`,
        ])
        .sort(),
    );
    for (const cluster of ['aks-1', 'aks-2']) {
      const name = `UserAssignedIdentity ${cluster}-aso`;
      expect(urns(after).get(name)).toBe(urns(before).get(name));
      expect(after.warnings.join()).toContain(identityId(`id-test-${cluster}-aso`));
    }
  });
});

describe('the value of a secret that is removed from the stack file', () => {
  it('stays in the vault and in the stack, unchanged and without a warning while an application names it', async () => {
    const after = await update(
      validInput({ ...base, logs: { workspace: { name: 'log-test' } }, secretValues: {} }),
      before.state,
    );

    expect(after.recording.find('azure-native:keyvault:Secret', 'kv-test/orders-db')).toMatchObject({
      ignoreChanges: ['*'],
      retainOnDelete: true,
    });
    expect(after.warnings).toEqual([]);
    expect(await valueOf(after.recording.result.kept)).toEqual([]);
  });

  it('is told once no application names it', async () => {
    const after = await update(validInput({ ...without('orders'), secretValues: {} }), before.state);

    expect(after.warnings.join('\n')).toContain('kv-test/orders-db');
    expect((await valueOf(after.recording.result.vaults))['kv-test']?.secrets).toContain('orders-db');
  });
});

describe('a thing that was made and is adopted now', () => {
  it('is not deleted and not warned of, and is kept apart from what adopts it', async () => {
    const earlier = await update(validInput({ ...base, deletion: 'allowed' }));
    const after = await update(
      validInput({ ...base, vault: { adopt: vaultId('kv-test') }, deletion: 'allowed' }),
      earlier.state,
    );

    const vault = after.recording.find('azure-native:keyvault:Vault', 'kv-test');
    expect(vault).toMatchObject({
      retainOnDelete: true,
      ignoreChanges: ['*'],
      parent: 'aks-workload-identity:vault:KeyVault::kv-test (not adopted)',
      provider: undefined,
    });
    expect(urns(after).get('Vault kv-test')).toBe(urns(earlier).get('Vault kv-test'));
    expect(after.warnings).toEqual([]);
    expect(await valueOf(after.recording.result.kept)).toEqual([]);
  });

  it('keeps its own id beside that of what is adopted, and may be used again', async () => {
    const adopted = `${group.replace('/rg', '/rg-legacy')}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-mine`;
    const others = applications.filter(({ name }) => name !== 'reports');
    const reports = { ...application('reports', {}), clusters: ['aks-2'] };
    const own = validInput({ ...base, applications: [...others, { ...reports, identity: 'application' }] });
    const taken = validInput({
      ...base,
      applications: [...others, { ...reports, identity: { adopt: { 'aks-2': adopted } } }],
    });
    const first = await update(own);
    const second = await update(taken, first.state);
    const third = await update(taken, second.state);
    for (const { warnings } of [second, third]) {
      expect(warnings.join('\n')).toContain(identityId('id-test-aks-2-reports'));
    }

    const validation = validate('test', own);
    if (!validation.ok) throw new Error('not valid');
    expect(immovableProblems(validation.configuration, third.state)).toEqual([]);
    const back = await update(own, third.state);
    expect(back.warnings.join('\n')).not.toContain('id-test-aks-2-reports');
    const urn = 'UserAssignedIdentity aks-2-reports';
    expect(urns(back).get(urn)).toBe(urns(first).get(urn));
  });
});
