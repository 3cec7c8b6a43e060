import * as pulumi from '@pulumi/pulumi';
import { rowsOf } from '../../../stacks/access/rows';
import { guidOf } from '../components/support/azure';
import { valueOf } from '../components/support/recorder';
import { depending, files } from './depending';
import { deploy } from './deployed';
import { settledAccess } from './settledAccess';
import { application, configurationOf, input } from './settings';

// What keeps connection strings current. What mocks do not prove: what it does; tests/e2e/connections.test.ts does.

const assignment = 'azure-native:authorization:RoleAssignment';
const inVault = { ...files, connection: 'vault' };
const invoices = application('invoices', { vault: { placement: 'perApplication', name: 'kv-invoices' } });

describe('the writer of connection strings', () => {
  it('has its role on the service and on the secret, and on nothing else', async () => {
    const { find, names, registrations } = await deploy(input([depending([inVault])]));

    const own = names(assignment).filter((name) => name.startsWith('aks-1-connections'));
    expect(own.sort()).toEqual([
      'aks-1-connections/orders/files/keys',
      'aks-1-connections/orders/files/secret',
    ]);
    const [keys, secret] = own.sort().map((name) => find(assignment, name).inputs);
    expect(keys?.scope).toMatch(
      /\/rg-test-services\/providers\/Microsoft.Storage\/storageAccounts\/stfiles$/,
    );
    expect(secret?.scope).toMatch(/\/vaults\/kv-test\/secrets\/orders-files$/);
    const principalId = guidOf('principal-id-test-aks-1-connections');
    const others = registrations.filter(
      ({ type, name, inputs }) =>
        type === assignment && inputs.principalId === principalId && !own.includes(name),
    );
    expect(others).toEqual([]);
    expect(keys).toMatchObject({ principalId });
    const role = find('azure-native:authorization:RoleDefinition', 'connection-writer').inputs;
    expect(keys?.roleDefinitionId).toMatch(new RegExp(`${String(role.roleDefinitionId)}$`));
    expect(secret?.roleDefinitionId).toBe(keys?.roleDefinitionId);
  });

  it('runs where the service is provisioned, once the secret is written', async () => {
    const { find, names } = await deploy(
      input([depending([inVault])], { clusters: [{ name: 'aks-1' }, { name: 'aks-2' }] }),
    );

    expect(names('aks-workload-identity:dependency:ConnectionWriter')).toEqual(['aks-1-connections']);
    expect(
      find('aks-workload-identity:dependency:ConnectionWriter', 'aks-1-connections').dependencies,
    ).toContain('azure-native:keyvault:Secret::kv-test/orders-files');
  });

  it('does not exist without such a connection, or for a revoked application', async () => {
    const without = await deploy(input([depending()]));
    expect(without.names('azure-native:authorization:RoleDefinition')).toEqual([]);

    const revoked = await deploy(
      input([depending([inVault])], { revoked: { applications: { orders: 'incident' } } }),
    );
    expect(revoked.names('azure-native:authorization:RoleDefinition')).toEqual([]);
    expect(revoked.names('aks-workload-identity:dependency:ConnectionWriter')).toEqual([]);
  });

  it('is missing, with a warning, where its cluster is revoked and the application runs on another', async () => {
    const warn = jest.spyOn(pulumi.log, 'warn').mockResolvedValue(undefined);
    const clusters = [{ name: 'aks-1' }, { name: 'aks-2' }];
    const reported = async (name: string) => {
      warn.mockClear();
      await deploy(
        input([depending([inVault])], { clusters, revoked: { clusters: { [name]: 'incident' } } }),
      );
      return warn.mock.calls.map(([text]) => text).join();
    };

    expect(await reported('aks-1')).toContain('connection strings of orders/files is revoked');
    expect(await reported('aks-2')).not.toContain('connection strings');
    warn.mockRestore();
  });
});

describe('a connection string in the vault that the dependency names', () => {
  const settings = input([depending([{ ...inVault, connectionVault: 'kv-invoices' }]), invoices]);

  it('is written there, and granted there to its application only', async () => {
    const { find, names, result } = await deploy(settings);

    expect(names('azure-native:keyvault:Secret')).toEqual(['kv-invoices/orders-files']);
    expect(names(assignment).filter((name) => name.endsWith('/orders-files'))).toEqual([
      'kv-invoices/aks-1/orders-files',
    ]);
    expect(find(assignment, 'aks-1-connections/orders/files/secret').inputs.scope).toMatch(
      /\/vaults\/kv-invoices\/secrets\/orders-files$/,
    );
    const [orders] = await valueOf(result.workloads);
    expect(orders?.grants).toEqual([{ vault: 'kv-invoices', secret: 'orders-files' }]);
  });

  it('is accessible to the application and to others with its identity, and the writer has its role on it', async () => {
    const rows = rowsOf(await settledAccess(configurationOf(settings)));
    const readers = (text: string) =>
      rows.filter(({ what }) => what.some((thing) => thing.includes(text))).map(({ reader }) => reader);
    expect(readers('kv-invoices/orders-files')).toEqual(['invoices', 'orders']);
    expect(readers('vaults/kv-invoices/secrets/orders-files')).toEqual(['connection-writer']);
  });
});
