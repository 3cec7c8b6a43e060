import { moveResources, type StateResource } from '../../../cli/fleet/stateMoves';

// What these do not prove: that the engine accepts the states and changes nothing, which the end-to-end test of fleets proves.

const project = 'aks-workload-identity';
const urn = (stack: string, types: string, name: string) =>
  `urn:pulumi:${stack}::${project}::${types}::${name}`;
const root = (stack: string): StateResource => ({
  urn: urn(stack, 'pulumi:pulumi:Stack', `${project}-${stack}`),
  type: 'pulumi:pulumi:Stack',
  outputs: { clusters: { 'aks-1': {} } },
});
const azure = (stack: string) => `${urn(stack, 'pulumi:providers:azure-native', 'default')}::id-of-azure`;

/** The state of one stack with a vault, a cluster and a grant of the cluster on the vault. */
function whole(stack: string): StateResource[] {
  const parent = root(stack).urn;
  const vault = urn(stack, 'x:KeyVault', 'kv');
  const cluster = urn(stack, 'x:Cluster', 'aks-1');
  return [
    root(stack),
    {
      urn: azure(stack).replace('::id-of-azure', ''),
      type: 'pulumi:providers:azure-native',
      id: 'id-of-azure',
      custom: true,
    },
    { urn: vault, type: 'x:KeyVault', parent },
    {
      urn: urn(stack, 'x:KeyVault$azure:Vault', 'kv'),
      type: 'azure:Vault',
      id: '/kv',
      custom: true,
      parent: vault,
      provider: azure(stack),
    },
    { urn: cluster, type: 'x:Cluster', parent },
    {
      urn: urn(stack, 'x:Cluster$azure:ManagedCluster', 'aks-1'),
      type: 'azure:ManagedCluster',
      ...{ id: '/aks-1', custom: true, parent: cluster, provider: azure(stack) },
      outputs: {
        kubeconfig: {
          '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
          plaintext: '"k"',
        },
      },
    },
    {
      urn: urn(stack, 'x:Cluster$pulumi:providers:kubernetes', 'aks-1-provider'),
      type: 'pulumi:providers:kubernetes',
      ...{ id: 'id-of-kubernetes', custom: true, parent: cluster },
      dependencies: [urn(stack, 'x:Cluster$azure:ManagedCluster', 'aks-1')],
    },
    {
      urn: urn(stack, 'x:KeyVault$azure:RoleAssignment', 'kv/aks-1/db'),
      type: 'azure:RoleAssignment',
      ...{ id: '/grant', custom: true, parent: vault, provider: azure(stack) },
      dependencies: [
        urn(stack, 'x:KeyVault$azure:Vault', 'kv'),
        urn(stack, 'x:Cluster$azure:ManagedCluster', 'aks-1'),
      ],
      propertyDependencies: { scope: [urn(stack, 'x:KeyVault$azure:Vault', 'kv')], principalId: [] },
    },
    {
      urn: urn(stack, 'azure:Lock', 'kv-lock'),
      type: 'azure:Lock',
      ...{ id: '/lock', custom: true, parent, provider: azure(stack) },
      dependencies: [urn(stack, 'x:KeyVault$azure:RoleAssignment', 'kv/aks-1/db')],
    },
  ];
}

const key = (types: string, name: string) => `${types.split('$').at(-1) ?? ''}::${name}`;
const ofCell = [
  key('x:KeyVault', 'kv'),
  key('x:Cluster', 'aks-1'),
  key('x:Cluster$azure:ManagedCluster', 'aks-1'),
  key('x:Cluster$pulumi:providers:kubernetes', 'aks-1-provider'),
  key('x:KeyVault$azure:RoleAssignment', 'kv/aks-1/db'),
];
const ofEnvironment = [
  key('x:KeyVault', 'kv'),
  key('x:KeyVault$azure:Vault', 'kv'),
  key('azure:Lock', 'kv-lock'),
];
const parts = { fleet: ofEnvironment, 'fleet-a': ofCell };
const keys = (resources: readonly StateResource[] = []) =>
  resources.map((resource) => resource.urn.split('::').slice(2).join(' '));

describe('a stack that is split into cells', () => {
  const { moves, imports } = moveResources(new Map([['fleet', whole('fleet')]]), parts);
  const states = new Map(imports);
  const cell = states.get('fleet-a') ?? [];
  const own = states.get('fleet') ?? [];

  it('gives a cell its resources under their names, with the providers and components that they need', () => {
    expect(keys(cell)).toEqual([
      'pulumi:pulumi:Stack aks-workload-identity-fleet-a',
      'pulumi:providers:azure-native default',
      'x:KeyVault kv',
      'x:Cluster aks-1',
      'x:Cluster$azure:ManagedCluster aks-1',
      'x:Cluster$pulumi:providers:kubernetes aks-1-provider',
      'x:KeyVault$azure:RoleAssignment kv/aks-1/db',
    ]);
    expect(JSON.stringify(cell)).not.toContain('urn:pulumi:fleet::');
    expect(
      cell.every(
        ({ parent }) => parent === undefined || cell.some((registration) => registration.urn === parent),
      ),
    ).toBe(true);
    expect(moves.map(({ resource }) => resource)).not.toContain(key('x:KeyVault', 'kv'));
  });

  it('keeps the rest, without references to what has moved and without the outputs that name it', () => {
    expect(keys(own)).toEqual([
      'pulumi:pulumi:Stack aks-workload-identity-fleet',
      'pulumi:providers:azure-native default',
      'x:KeyVault kv',
      'x:KeyVault$azure:Vault kv',
      'azure:Lock kv-lock',
    ]);
    expect(own[0]?.outputs).toEqual({});
    expect(own.at(-1)?.dependencies).toEqual([]);
    expect(cell.at(-1)).toMatchObject({
      dependencies: [urn('fleet-a', 'x:Cluster$azure:ManagedCluster', 'aks-1')],
      propertyDependencies: { scope: [], principalId: [] },
    });
  });

  it('has nothing more to move, and continues after an interruption between the two states', () => {
    expect(moveResources(states, parts).moves).toEqual([]);
    const interrupted = new Map([...states, ['fleet', whole('fleet')]] as [string, StateResource[]][]);
    const again = new Map(moveResources(interrupted, parts).imports);
    expect(keys(again.get('fleet'))).toEqual(keys(own));
    expect(keys(again.get('fleet-a') ?? cell)).toEqual(keys(cell));
  });

  it('becomes one stack again', () => {
    const whereNow = { fleet: [...ofEnvironment, ...ofCell], 'fleet-a': [] };
    const back = new Map(moveResources(states, whereNow).imports);
    expect(keys(back.get('fleet')).toSorted()).toEqual(keys(whole('fleet')).toSorted());
    expect(keys(back.get('fleet-a'))).not.toContain('x:Cluster$azure:ManagedCluster aks-1');
  });
});

it('moves what no stack registers with its parent, where the next update deletes it', () => {
  const [cluster] = whole('fleet').filter(({ type }) => type === 'x:Cluster');
  const stale = {
    urn: urn('fleet', 'x:Cluster$azure:Old', 'aks-1-old'),
    type: 'azure:Old',
    ...{ id: '/old', custom: true, parent: cluster?.urn ?? '' },
  };
  const states = new Map(moveResources(new Map([['fleet', [...whole('fleet'), stale]]]), parts).imports);
  expect(keys(states.get('fleet-a'))).toContain('x:Cluster$azure:Old aks-1-old');
  expect(keys(states.get('fleet'))).not.toContain('x:Cluster$azure:Old aks-1-old');
});

it('leaves other resources that no stack registers to their next update', () => {
  const stale = { urn: urn('fleet', 'azure:Old', 'old'), type: 'azure:Old', id: '/old', custom: true };
  const states = new Map(moveResources(new Map([['fleet', [...whole('fleet'), stale]]]), parts).imports);
  expect(keys(states.get('fleet'))).toContain('azure:Old old');
});

describe('clusters that move between cells', () => {
  const cluster = (stack: string, name: string): StateResource[] => [
    {
      urn: `urn:pulumi:${stack}::p::azure:Cluster::${name}`,
      ...{ type: 'azure:Cluster', id: `/${name}`, custom: true, parent: rootOf(stack) },
    },
  ];
  const rootOf = (stack: string) => `urn:pulumi:${stack}::p::pulumi:pulumi:Stack::p-${stack}`;
  const state = (stack: string, ...names: string[]): [string, StateResource[]] => [
    stack,
    [{ urn: rootOf(stack), type: 'pulumi:pulumi:Stack' }, ...names.flatMap((name) => cluster(stack, name))],
  ];
  const target = (...names: string[]) => names.map((name) => `azure:Cluster::${name}`);
  const namesIn = (resources: readonly StateResource[] = []) =>
    resources.flatMap(({ urn: resourceUrn, custom }) =>
      custom === true ? [resourceUrn.split('::').at(-1)] : [],
    );

  it.each([
    ['swap', new Map([state('one', 'a', 'x'), state('two', 'b', 'y')]), { one: ['b', 'x'], two: ['a', 'y'] }],
    [
      'each go to the next cell',
      new Map([state('one', 'a', 'x'), state('two', 'b', 'y'), state('three', 'z')]),
      { one: ['x'], two: ['a', 'y'], three: ['b', 'z'] },
    ],
  ])(
    '%s: each is in a state at any time, and a second run completes an interrupted one',
    (_, before, homes) => {
      const parts = Object.fromEntries(
        Object.entries(homes).map(([stack, names]) => [stack, target(...names)]),
      );
      const { imports } = moveResources(before, parts);
      expect(imports.length).toBeGreaterThan(2);
      for (let done = 0; done <= imports.length; done++) {
        const interrupted = new Map([...before, ...imports.slice(0, done)]);
        const anywhere = new Set([...interrupted.values()].flatMap(namesIn));
        expect([...anywhere].sort()).toEqual(Object.values(homes).flat().sort());

        const after = new Map([...interrupted, ...moveResources(interrupted, parts).imports]);
        for (const [stack, names] of Object.entries(homes))
          expect(namesIn(after.get(stack)).sort()).toEqual([...names].sort());
      }
    },
  );
});
