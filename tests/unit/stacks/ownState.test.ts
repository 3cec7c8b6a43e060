import { OwnState, parseOwnState, readOwnState } from '../../../stacks/keeping/ownState';
import { record } from '../components/support/recorder';

const vault =
  'urn:pulumi:test::aks-workload-identity::a:b:KeyVault$azure-native:keyvault:Secret::kv/orders-db';

describe('the own state of a stack', () => {
  it('is asked of the engine under the full name of the stack, and is empty before the first update', async () => {
    const { result, calls } = await record(() => readOwnState());

    expect((await result).resources).toEqual([]);
    expect(calls).toEqual([
      {
        token: 'pulumi:pulumi:readStackResourceOutputs',
        inputs: { stackName: 'organization/aks-workload-identity/test' },
      },
    ]);
  });

  it('has each resource by its own type and name, with its outputs', async () => {
    const { result } = await record(() => readOwnState(), {
      answers: {
        'pulumi:pulumi:readStackResourceOutputs': {
          outputs: { [vault]: { type: 'azure-native:keyvault:Secret', outputs: { name: 'orders-db' } } },
        },
      },
    });

    const state = await result;
    expect(state.resources).toEqual([
      {
        urn: vault,
        type: 'azure-native:keyvault:Secret',
        name: 'kv/orders-db',
        outputs: { name: 'orders-db' },
      },
    ]);
    expect(state.text('azure-native:keyvault:Secret', 'kv/orders-db', 'name')).toBe('orders-db');
    expect(state.text('azure-native:keyvault:Secret', 'kv/orders-db', 'id')).toBeUndefined();
    expect(state.find('azure-native:keyvault:Secret', 'kv/other')).toBeUndefined();
  });

  it('that cannot be read stops the program: what would have to be kept is not known', async () => {
    const { result } = await record(
      async () => {
        try {
          await readOwnState();
          return 'read';
        } catch (error) {
          return error instanceof Error ? error.message : '';
        }
      },
      {
        answers: {
          'pulumi:pulumi:readStackResourceOutputs': () => {
            throw new Error('no backend client is available');
          },
        },
      },
    );

    expect(await result).toMatch(
      /^The state of stack organization\/aks-workload-identity\/test cannot be read, .*nothing was changed\./,
    );
  });

  it.each([
    ['nothing', undefined],
    ['no outputs', {}],
    ['outputs of another shape', { outputs: ['a'] }],
    ['a name that is no URN', { outputs: { 'no-urn': {} } }],
  ])('of %s is empty', (_, answer) => {
    expect(parseOwnState(answer).resources).toEqual([]);
  });

  it('of a resource without outputs has none', () => {
    expect(parseOwnState({ outputs: { [vault]: { type: 'x', outputs: null } } }).resources).toMatchObject([
      { name: 'kv/orders-db', outputs: {} },
    ]);
  });

  it('knows what the stack exported', () => {
    const stack = 'urn:pulumi:test::p::pulumi:pulumi:Stack::p-test';
    expect(parseOwnState({ outputs: { [stack]: { outputs: { environment: 'test' } } } }).exported).toEqual({
      environment: 'test',
    });
    expect(new OwnState().exported).toEqual({});
  });
});
