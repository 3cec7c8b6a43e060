import { builtInRoles } from '../../../components/azure/roles';
import { deploy, inState } from './deployed';
import { clusterId, identityId } from './ids';
import { preflighted } from './preflighted';
import { application, input, planOf } from './settings';

// What mocks do not prove: that the engine renames so, and that Azure has the assignments under the same ids.

const id = identityId('id-orders');
const environment = (existing: unknown, more: object = {}) =>
  input([
    application('orders', {
      ...{ identity: { existing }, trust: 'identityBinding', secrets: ['orders-db'] },
      roles: [{ role: builtInRoles.reader, scope: clusterId('aks-data') }],
      ...more,
    }),
  ]);
const single = environment({ 'aks-1': id });
const all = environment(id);

/** The problems of an update from one stack file to another. */
async function problemsOf(before: object, after: object): Promise<string[]> {
  const outputs = inState((await deploy({ ...before })).state);
  const { problems } = await preflighted(
    { ...after },
    { 'pulumi:pulumi:readStackResourceOutputs': { outputs } },
  );
  return problems.filter((problem) => problem.includes('has grants'));
}

describe('an existing identity', () => {
  it.each([
    ['of one cluster that becomes that of all', single, all, 'aks-1-orders', 'identity_orders'],
    ['of all clusters that becomes that of one', all, single, 'identity_orders', 'aks-1-orders'],
  ])('%s keeps its grants by other names', async (_, before, after, former, next) => {
    const problems = await problemsOf(before, after);
    expect(problems).toHaveLength(1);
    const [problem = ''] = problems;
    expect(problem).toContain('aks-workload-identity:applications[0].identity.existing: ');
    const renames = [...problem.matchAll(/`pulumi state rename --stack test '([^']+)' '([^']+)'`/g)];
    const { names } = await deploy(after);
    expect(renames.map(([, , name]) => name).sort()).toEqual(
      names('azure-native:authorization:RoleAssignment')
        .filter((name) => name.includes(next))
        .sort(),
    );
    expect(renames.map(([, urn = '', name = '']) => urn.endsWith(`::${name.replace(next, former)}`))).toEqual(
      [true, true],
    );
  });

  it('that stays, or that another replaces, is no problem', async () => {
    expect(await problemsOf(single, single)).toEqual([]);
    expect(await problemsOf(all, all)).toEqual([]);
    expect(await problemsOf(single, environment(identityId('id-other')))).toEqual([]);
  });
});

it('a binding of another identity has other names, so that it exists before the former is deleted', () => {
  const namesFor = (existing: unknown) =>
    planOf(environment(existing)).clusters.flatMap(({ identities }) =>
      identities.flatMap(({ binding }) => (binding === undefined ? [] : [binding.name, binding.role])),
    );
  const [name, role, ...others] = namesFor(id);
  expect([name, role, others]).toEqual([
    expect.stringMatching(/^idtestaks1orders[0-9a-f]{10}$/),
    expect.stringMatching(/^use-id-test-aks-1-orders-[0-9a-f]{10}$/),
    [],
  ]);
  const [otherName, otherRole] = namesFor(identityId('id-other'));
  expect(otherName).not.toBe(name);
  expect(otherRole).not.toBe(role);
  expect(namesFor({ 'aks-1': id.toUpperCase().replace('/SUBSCRIPTIONS/', '/subscriptions/') })).toEqual([
    name,
    role,
  ]);
});
