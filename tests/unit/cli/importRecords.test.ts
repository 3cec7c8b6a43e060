import { recordedInputs } from '../../../cli/import/inputs';
import { unknownValue } from '../../../cli/import/preview';
import { withAliases } from '../../../cli/import/stackFile';
import { withRecordedInputs } from '../../../cli/import/state';

const group = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg';
const urns = { group: 'urn:pulumi:test::p::t::rg', identity: 'urn:pulumi:test::p::t::aks-1' };

describe('the inputs that are recorded', () => {
  it('are what the program says where Azure has the same, whatever it calls it', () => {
    const wanted = {
      location: 'westeurope',
      tier: 'Standard',
      permissions: ['get', 'list'],
      tags: { a: 'b' },
    };
    const read = {
      location: 'West Europe',
      tier: 'standard',
      permissions: ['List', 'Get'],
      tags: { a: 'b' },
      own: 1,
    };

    expect(recordedInputs(read, wanted)).toEqual({ inputs: wanted, differences: [] });
  });

  it('are what Azure has where that is something else, and that is told', () => {
    expect(
      recordedInputs(
        { sku: { tier: 'Free', name: 'Base' }, tags: { a: 'B' }, pools: [{ count: 1, os: 'x' }] },
        { sku: { tier: 'Standard' }, tags: { a: 'b' }, pools: [{ count: 3 }], autoUpgrade: 'patch' },
      ),
    ).toEqual({
      inputs: { sku: { tier: 'Free' }, tags: { a: 'B' }, pools: [{ count: 1 }] },
      differences: [
        { path: 'sku.tier', actual: 'Free', wanted: 'Standard' },
        { path: 'tags.a', actual: 'B', wanted: 'b' },
        { path: 'pools[0].count', actual: 1, wanted: 3 },
        { path: 'autoUpgrade', actual: undefined, wanted: 'patch' },
      ],
    });
  });

  it('are never a secret, and what is not known yet is as Azure has it', () => {
    expect(
      recordedInputs(
        { properties: {}, issuer: 'https://x/' },
        { properties: { value: '[secret]' }, issuer: unknownValue },
      ),
    ).toEqual({ inputs: { properties: {}, issuer: 'https://x/' }, differences: [] });
  });

  it('replace those of the imported resources in the state, and nothing else of it', () => {
    const state = {
      version: 3,
      deployment: {
        manifest: { time: 'then' },
        resources: [
          {
            urn: urns.group,
            custom: true,
            id: group,
            inputs: { resourceGroupName: 'rg', managedBy: 'x' },
            outputs: { a: 1 },
          },
          { urn: urns.identity, custom: true, inputs: { managedBy: 'x' } },
        ],
      },
    };
    const { text } = withRecordedInputs(
      JSON.stringify(state),
      new Map([[urns.group, { resourceGroupName: 'rg' }]]),
    );

    expect(JSON.parse(text)).toEqual({
      ...state,
      deployment: {
        ...state.deployment,
        resources: [
          { ...state.deployment.resources[0], inputs: { resourceGroupName: 'rg' } },
          state.deployment.resources[1],
        ],
      },
    });
  });
});

describe('names that are recorded in the stack file', () => {
  it('leave everything else of it as it is', () => {
    const text = [
      '# Of the team.',
      'config:',
      '  aks-workload-identity:location: westeurope # here',
      "  aks-workload-identity:clusters: [{ name: 'aks-1' }]",
      '',
    ].join('\n');

    expect(
      withAliases(text, [
        { as: 'roleAssignments', inStack: 'kv/aks-1/orders-db', inAzure: 'guid' },
        { as: 'federatedCredentials', inStack: 'aks-1/orders_orders', inAzure: 'by-hand' },
      ]),
    ).toBe(
      [
        '# Of the team.',
        'config:',
        '  aks-workload-identity:location: westeurope # here',
        "  aks-workload-identity:clusters: [{ name: 'aks-1' }]",
        '  aks-workload-identity:imported:',
        '    roleAssignments:',
        '      kv/aks-1/orders-db: guid',
        '    federatedCredentials:',
        '      aks-1/orders_orders: by-hand',
        '',
      ].join('\n'),
    );
  });

  it('join those that are there', () => {
    const text = 'config:\n  aks-workload-identity:imported:\n    roleAssignments:\n      a: b # mine\n';
    expect(withAliases(text, [{ as: 'roleAssignments', inStack: 'c', inAzure: 'd' }])).toBe(
      'config:\n  aks-workload-identity:imported:\n    roleAssignments:\n      a: b # mine\n      c: d\n',
    );
  });

  it('are refused by a file without a configuration', () => {
    expect(() => withAliases('config: 1\n', [])).toThrow('no configuration in it');
  });
});
