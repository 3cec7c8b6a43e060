import { accessOf } from '../../../cli/revoke/access';
import { targetsOf } from '../../../cli/revoke/targets';
import { builtInRoles } from '../../../components/azure/roles';
import { twoClusters, workload } from '../verification/outputs.fixture';

// What this does not prove: that Azure takes the removals; tests/e2e/roles.test.ts sends them to the local one.

const role = builtInRoles.reader;
const [own, shared] = ['own', 'shared'].map(
  (name) => `/providers/Microsoft.Management/managementGroups/${name}`,
) as [string, string];

it('revokes the roles that the others with the identity do not have, also on management groups', async () => {
  const outputs = twoClusters();
  outputs.workloads = [
    workload(
      'aks-1',
      'orders',
      'id-aks-1',
      [own, shared].map((scope) => ({ role, scope })),
    ),
    workload('aks-1', 'shop', 'id-aks-1', [{ role, scope: shared }]),
  ];
  const asked: string[] = [];
  const lists = {
    listAssignments: (scope: string) => {
      asked.push(scope);
      const { principalId } = outputs.workloads[0]?.identity ?? { principalId: '' };
      return Promise.resolve(
        [own, shared].map((on) => ({ id: `${on}/a`, name: 'a', principalId, scope: on, role })),
      );
    },
    listCredentials: () => Promise.resolve([]),
    listSignIns: () => Promise.resolve(undefined),
  };
  const azure = { get: () => Promise.resolve(undefined), list: () => Promise.resolve([]) };
  const targets = targetsOf(outputs, { kind: 'applications', name: 'orders' }, () => false);

  const { access } = await accessOf(outputs, targets, azure, lists);

  expect(asked).toEqual(expect.arrayContaining([own, shared]));
  expect(access.map(({ kind, what }) => [kind, what])).toEqual([['role assignment', `Reader on ${own}`]]);
});
