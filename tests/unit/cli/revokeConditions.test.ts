import { accessOf } from '../../../cli/revoke/access';
import { targetsOf } from '../../../cli/revoke/targets';
import { apiVersions } from '../../../components/azure/resourceManager';
import { builtInRoles } from '../../../components/azure/roles';
import { onlySecrets } from '../../../components/vault/nameCondition';
import { twoClusters, workload } from '../verification/outputs.fixture';

// What this does not prove: that Azure changes the condition of an assignment; localcloud's secretConditions.test.ts has the
// local one do it.

const vault = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv-central';
const role = builtInRoles.keyVaultSecretsUser;

it.each([
  [['orders-db', 'shared', 'shop-db'], `${vault}/secrets/orders-db`, ['shared', 'shop-db']],
  [['orders-db'], vault, undefined],
  [['shared', 'shop-db'], undefined, undefined],
])(
  'of a condition on %j, it revokes what the others with the identity do not need: %s',
  async (names, on, kept) => {
    const outputs = twoClusters();
    const { 'kv-central': central } = outputs.vaults;
    if (central !== undefined) central.id = vault;
    const granted = (...secrets: string[]) => secrets.map((secret) => ({ vault: 'kv-central', secret }));
    outputs.workloads = [
      workload('aks-1', 'orders', 'id-aks-1', granted('orders-db', 'shared')),
      workload('aks-1', 'shop', 'id-aks-1', granted('shared', 'shop-db')),
    ];
    const { principalId } = outputs.workloads[0]?.identity ?? { principalId: '' };
    const assignment = { id: `${vault}/a`, name: 'a', principalId, scope: vault, role };
    const lists = {
      listAssignments: () => Promise.resolve([{ ...assignment, condition: onlySecrets(names) }]),
      listCredentials: () => Promise.resolve([]),
      listSignIns: () => Promise.resolve(undefined),
    };
    const azure = { get: () => Promise.resolve(undefined), list: () => Promise.resolve([]) };
    const targets = targetsOf(outputs, { kind: 'applications', name: 'orders' }, () => false);
    const { access } = await accessOf(outputs, targets, azure, lists);

    expect(access.map(({ what }) => what)).toEqual(
      on === undefined ? [] : [`Key Vault Secrets User on ${on}`],
    );
    const asked = {
      delete: jest.fn(),
      update: jest.fn(),
      deleteInEntra: jest.fn(),
      removePolicies: jest.fn(),
    };
    await access[0]?.remove(asked);
    expect(asked.delete).toHaveBeenCalledTimes(on !== undefined && kept === undefined ? 1 : 0);
    expect(asked.update.mock.calls).toEqual(
      kept === undefined
        ? []
        : [
            [
              assignment.id,
              apiVersions.assignments,
              {
                roleDefinitionId: `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/${role}`,
                ...{ principalId, principalType: 'ServicePrincipal' },
                ...{ condition: onlySecrets(kept), conditionVersion: '2.0' },
              },
            ],
          ],
    );
  },
);
