import { partOfOwnStack } from '../../../stacks/cells';
import type { Configuration } from '../../../stacks/plan';
import { sharedIdentityProblems } from '../../../stacks/preflight/sharedIdentities';
import { formatProblem } from '../../../stacks/settings/problem';
import { record } from '../components/support/recorder';
import { deployed, inState } from './deployed';
import { identityId, ownSubscription, vaultId } from './ids';
import { fails } from './preflighted';
import { check, head } from './stackFileText';

// What mocks do not prove: that the engine answers so. The end-to-end test of identity bindings proves it.

const id = identityId('id-orders');
const other = identityId('id-other');
const binding = 'trust: identityBinding';

/** An environment in two cells, in which `orders` runs on the first cluster of each. */
const fleet = (orders: string, more = '') => `${head}    - name: aks-2
    - name: aks-3
  aks-workload-identity:cells:
    - { name: canary, clusters: [aks-1] }
    - { name: rest, wave: 2, clusters: [aks-2, aks-3] }
${more}  aks-workload-identity:applications:
    - { name: mailer, image: ghcr.io/x/reader:1, secrets: [mailer-db] }
${orders === '' ? '' : `    - { name: orders, image: ghcr.io/x/reader:1, clusters: [aks-1, aks-2], secrets: [orders-db], ${orders} }\n`}`;
const shared = fleet(`identity: { existing: ${id} }, ${binding}`);
const apart = fleet(`identity: { existing: { aks-1: ${id}, aks-2: ${other} } }, ${binding}`);
const own = fleet('identity: application');

function configurationOf(text: string, stack: string): Configuration {
  const files = { 'Pulumi.test.yaml': text };
  const isCell = stack !== 'test';
  const { configuration, lines } = check(isCell ? 'config: { cellOf: test }' : text, files, stack);
  expect(lines).toEqual([]);
  return partOfOwnStack(configuration as Configuration);
}

/** The states of the stacks after an update with the stack file. */
async function statesOf(text: string): Promise<Record<string, object>> {
  const central = {
    vaults: new Map([['kv-test', vaultId('kv-test', ownSubscription)]]),
    groups: new Map<string, string>(),
  };
  const states: Record<string, object> = {};
  for (const stack of ['test', 'test-canary', 'test-rest']) {
    const configuration = configurationOf(text, stack);
    const { state } = await record(() => deployed(configuration, central));
    states[stack] = inState(state);
  }
  return states;
}

/** The problems of an update of the environment's stack, and the stacks whose states are read. */
async function problemsOf(states: Record<string, object>, text: string, stack = 'test') {
  const read: string[] = [];
  const token = 'pulumi:pulumi:readStackResourceOutputs';
  const answer = ({ stackName }: Record<string, unknown>) => {
    const [, , asked = ''] = String(stackName).split('/');
    read.push(asked);
    const outputs = states[asked];
    return outputs === undefined ? fails(`unknown stack "${asked}"`)() : { outputs };
  };
  const configuration = configurationOf(text, stack);
  let problems: string[] = [];
  await record(
    async () => {
      problems = (await sharedIdentityProblems(configuration)).map(formatProblem);
    },
    { answers: { [token]: answer } },
  );
  return { problems, read };
}

describe('the environment of cells that share an identity', () => {
  it.each([
    [
      'no longer has the application',
      fleet(''),
      /^aks-workload-identity:applications: no longer has orders with the identity id-orders, which orders still has in test-canary, test-rest: .*Update these cells first: `pulumi up --stack test-canary`, `pulumi .* test-rest`\. Or .*revoke/,
    ],
    [
      'has another identity for all',
      fleet(`identity: { existing: ${other} }, ${binding}`),
      /^aks-workload-identity:applications\[1\]\.identity: no longer is id-orders, .*Set it back.*second application/,
    ],
    [
      'has one for each cluster',
      apart,
      /applications\[1\]\.identity: no longer is id-orders, .*Set it back.*second application/,
    ],
    [
      'has the application by another name',
      shared.replace('name: orders,', 'name: sales,'),
      /no longer has orders with the identity id-orders, .*Set it back.*second application/,
    ],
    ['has its own identities', own, /no longer is id-orders, .* Update these cells first: `[^.]*`\.$/],
  ])('is refused if it %s', async (_, after, problem) => {
    const { problems } = await problemsOf(await statesOf(shared), after);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it('is refused if it shares an identity that a cell has granted', async () => {
    const { problems } = await problemsOf(await statesOf(apart), shared);
    expect(problems).toEqual([
      expect.stringMatching(/identity\.existing: "[^"]*id-orders" has grants of test-canary: .*Set it back/),
    ]);
  });

  it('may lose what no cell uses any more', async () => {
    const states = await statesOf(shared);
    const without = await statesOf(fleet(''));
    const { problems } = await problemsOf({ ...without, test: states.test ?? {} }, fleet(''));
    expect(problems).toEqual([]);
  });

  it('may lose what is revoked', async () => {
    const revoked = fleet(
      `identity: { existing: ${id} }, ${binding}`,
      '  aks-workload-identity:revoked: { applications: { orders: INC-1 } }\n',
    );
    const states = await statesOf(shared);
    expect((await problemsOf(states, revoked)).problems).toEqual([]);
    const after = await statesOf(revoked);
    expect((await problemsOf({ ...states, test: after.test ?? {} }, fleet(''))).problems).toEqual([]);
  });

  it('says if the state of a cell cannot be read, and needs no stack of a new cell', async () => {
    const states = await statesOf(shared);
    const { test: environment = {}, 'test-rest': rest = {} } = states;
    const { problems } = await problemsOf({ test: environment, 'test-rest': rest }, fleet(''));
    expect(problems).toEqual([expect.stringContaining('still has in test-rest: ')]);
    const unreadable = Object.defineProperty({ ...states }, 'test-canary', {
      get: fails('incorrect passphrase'),
    });
    expect((await problemsOf(unreadable, fleet(''))).problems).toEqual([
      expect.stringMatching(/cells: has test-canary, whose state cannot be read: .*incorrect passphrase/),
    ]);
  });

  it('reads no cell if nothing changes, and a cell reads no other', async () => {
    const states = await statesOf(shared);
    expect(await problemsOf(states, shared)).toEqual({ problems: [], read: ['test'] });
    expect(await problemsOf(states, fleet(''), 'test-canary')).toEqual({ problems: [], read: [] });
  });
});
