import { deploy } from './deployed';
import type { Registration } from '../components/support/recorder';
import { application, validInput } from './settings';

// What mocks do not prove: that the engine retains and deletes accordingly. tests/e2e/retention.test.ts does.

const retained =
  /^azure-native:.*:(ResourceGroup|UserAssignedIdentity|Vault|Secret|ManagedCluster|Workspace)$/;
const logs = { workspace: { name: 'log-test' } };
const ours = (registrations: readonly Registration[]) =>
  registrations.filter(({ type }) => retained.test(type));

describe('what the stack makes', () => {
  it('by default, stays in Azure when it leaves the stack, and is not protected', async () => {
    const { registrations } = await deploy(validInput({ logs }));

    expect(new Set(ours(registrations).map(({ type }) => type)).size).toBe(6);
    expect(ours(registrations).filter(({ retainOnDelete }) => !retainOnDelete)).toEqual([]);
    expect(registrations.filter((registration) => registration.protect)).toEqual([]);
    expect(registrations.filter(({ deletedWith }) => deletedWith !== undefined)).toEqual([]);
  });

  it('is deleted with `retainOnDelete: false`', async () => {
    const { registrations } = await deploy(validInput({ logs, retainOnDelete: false }));

    // Secrets go with their vault.
    const retainedOnes = ours(registrations).filter(({ retainOnDelete }) => retainOnDelete);
    expect(new Set(retainedOnes.map(({ type }) => type))).toEqual(new Set(['azure-native:keyvault:Secret']));
    const inCluster = registrations.filter(({ type }) => type.startsWith('kubernetes:'));
    expect(inCluster.length).toBeGreaterThan(10);
    for (const { name, deletedWith } of inCluster)
      expect(deletedWith).toBe(
        `azure-native:containerservice:ManagedCluster::${name.slice(0, 'aks-1'.length)}`,
      );
  });

  it('is protected only where it lasts as long as the environment', async () => {
    const { registrations } = await deploy(validInput({ logs, protect: true }));

    expect(registrations.filter((registration) => registration.protect).map(({ name }) => name)).toEqual([
      'rg-test',
      'log-test',
      'kv-test',
    ]);
  });

  it('keeps its group as long as one thing in it stays', async () => {
    const { find } = await deploy(
      validInput({ retainOnDelete: false, vault: { name: 'kv-test', retainOnDelete: true } }),
    );

    expect(find('azure-native:resources:ResourceGroup', 'rg-test').retainOnDelete).toBe(true);
    expect(find('azure-native:keyvault:Vault', 'kv-test').retainOnDelete).toBe(true);
    expect(find('azure-native:keyvault:Secret', 'kv-test/orders-db').retainOnDelete).toBe(true);
    expect(find('azure-native:managedidentity:UserAssignedIdentity', 'aks-1').retainOnDelete).toBe(false);
  });

  it('makes no operator delete services that applications created from their namespaces, unless that is set', async () => {
    const { find } = await deploy(
      validInput({ applications: [application('a'), application('b', { retainOnDelete: false })] }),
    );
    const annotations = (name: string) =>
      (find('kubernetes:core/v1:Namespace', name).inputs.metadata as { annotations?: object }).annotations;

    const always = { 'pulumi.com/patchForce': 'true', 'aks-workload-identity/owner': 'test/aks-1' };
    expect(annotations('aks-1/a')).toEqual({
      ...always,
      'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete',
    });
    expect(annotations('aks-1/b')).toEqual(always);
  });
});

describe('the tag of the stack', () => {
  it('is on everything that can have tags, beside the tags of the stack file', async () => {
    const { registrations } = await deploy(validInput({ logs, tags: { team: 'a' } }));
    const tagged = ours(registrations).map(({ type, inputs }) => ({ type, tags: inputs.tags }));
    const own = { 'pulumi-stack': 'aks-workload-identity/test' };

    expect(tagged.length).toBeGreaterThan(8);
    // A secret with another tag is another version of it.
    expect(tagged).toEqual(
      tagged.map(({ type }) => ({ type, tags: type.endsWith(':Secret') ? own : { team: 'a', ...own } })),
    );
  });
});

describe('a value that no application names', () => {
  const [orders] = validInput().applications as object[];
  const secretValues = { 'orders-db': 'of the test', 'billing-db': 'of the test' };

  it('is written nowhere', async () => {
    const { names } = await deploy(validInput({ applications: [orders], secretValues }));

    expect(names('azure-native:keyvault:Secret')).toEqual(['kv-test/orders-db']);
  });
});
