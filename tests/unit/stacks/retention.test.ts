import { deployed } from './deployed';
import type { Registration } from '../components/support/recorder';
import { record } from '../components/support/recorder';
import { configurationOf } from './depending';
import { application, problemsOf, validInput } from './settings';

// What mocks do not prove: that the engine retains and deletes accordingly. tests/e2e/retention.test.ts does.

const retained =
  /^azure-native:.*:(ResourceGroup|UserAssignedIdentity|Vault|Secret|ManagedCluster|Workspace)$/;
const logs = { workspace: { name: 'log-test' } };
const deploy = (input: Record<string, unknown>) => record(() => deployed(configurationOf(input)));
const ours = (registrations: readonly Registration[]) =>
  registrations.filter(({ type }) => retained.test(type));

describe('what the stack makes', () => {
  it('stays in Azure when it leaves the stack, and is not protected, by default', async () => {
    const { registrations } = await deploy(validInput({ logs }));

    expect(new Set(ours(registrations).map(({ type }) => type)).size).toBe(6);
    expect(ours(registrations).filter(({ retainOnDelete }) => !retainOnDelete)).toEqual([]);
    expect(registrations.filter((one) => one.protect)).toEqual([]);
    expect(registrations.filter(({ deletedWith }) => deletedWith !== undefined)).toEqual([]);
  });

  it('is deleted with `retainOnDelete: false`', async () => {
    const { registrations, find } = await deploy(validInput({ logs, retainOnDelete: false }));

    // Secrets go with their vault.
    const retainedOnes = ours(registrations).filter(({ retainOnDelete }) => retainOnDelete);
    expect(new Set(retainedOnes.map(({ type }) => type))).toEqual(new Set(['azure-native:keyvault:Secret']));
    expect(find('kubernetes:core/v1:Namespace', 'aks-1/orders').deletedWith).toBe(
      'azure-native:containerservice:ManagedCluster::aks-1',
    );
  });

  it('is protected only where it lasts as long as the environment', async () => {
    const { registrations } = await deploy(validInput({ logs, protect: true }));

    expect(registrations.filter((one) => one.protect).map(({ name }) => name)).toEqual([
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

  it('makes no operator delete what applications made in Azure from their namespaces, unless that is asked for', async () => {
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

  it('cannot be set in the stack file', () => {
    expect(problemsOf(validInput({ tags: { 'Pulumi-Stack': 'x' } }))).toEqual([
      'aks-workload-identity:tags.Pulumi-Stack: "Pulumi-Stack" is not allowed. Allowed: 1 to 512 characters but < > % & \\ ? /, not starting with microsoft, azure or windows, and not pulumi-stack, the tag that says which stack made a resource.',
    ]);
    expect(
      problemsOf(validInput({ vault: { name: 'kv-test', tags: { 'pulumi-stack': 'x' } } })),
    ).toHaveLength(1);
    expect(
      problemsOf(
        validInput({
          clusters: [{ name: 'aks-1', tags: { 'pulumi-stack': 'x' } }, { name: 'aks-2' }],
          applications: [
            application('a', {
              vault: { placement: 'perApplication', tags: { 'pulumi-stack': 'x' } },
            }),
          ],
          secretValues: {},
        }),
      ),
    ).toHaveLength(2);
  });
});

describe('a value that no application names', () => {
  const [orders] = validInput().applications as object[];
  const secretValues = { 'orders-db': 'of the test', 'billing-db': 'of the test' };

  it('is written nowhere', async () => {
    const { names } = await deploy(validInput({ applications: [orders], secretValues }));

    expect(names('azure-native:keyvault:Secret')).toEqual(['kv-test/orders-db']);
  });

  it('is taken for a misspelt name if one much like it has no value', () => {
    expect(problemsOf(validInput({ secretValues: { 'order-db': 'of the test' } }))).toEqual([
      'aks-workload-identity:secretValues.order-db: is a secret that no application names. Did you mean orders-db?',
    ]);
  });
});

describe('settings of earlier versions', () => {
  it('are refused with what says the same today', () => {
    expect(
      problemsOf(
        validInput({
          deletion: 'allowed',
          deletions: [],
          clusters: [{ name: 'aks-1', deletion: 'kept' }, { name: 'aks-2' }],
        }),
      ),
    ).toEqual([
      'aks-workload-identity:clusters[0].deletion: is a key of an earlier version. Set `retainOnDelete` instead: `true` for what was `deletion: kept`, `false` for what was `deletion: allowed`.',
      'aks-workload-identity:deletion: is a key of an earlier version. Set `retainOnDelete` instead: `true` for what was `deletion: kept`, `false` for what was `deletion: allowed`.',
      'aks-workload-identity:deletions: is a key of an earlier version. Remove it. What was taken out of the stack file stays in Azure, and `npx aks-wi leftovers` lists it with the command that deletes it.',
    ]);
  });
});
