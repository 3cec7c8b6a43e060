import { partOfOwnStack, validateStack } from '../../../stacks/cells';
import type { Configuration } from '../../../stacks/plan';
import type { Central } from '../../../stacks/deploy/central';
import { kubeconfigOfEntra } from '../components/support/kubeconfigOfEntra';
import { record, type Registration } from '../components/support/recorder';
import { deployed } from './deployed';
import { check, head } from './stackFileText';

// What these do not prove: that resources move between real stacks, which the end-to-end test of fleets proves.

const environment = `${head}    - name: aks-2
    - name: aks-3
  aks-workload-identity:logs: { workspace: { name: log-test } }
  aks-workload-identity:groups: [{ name: readers, secrets: [shared] }]
  aks-workload-identity:applications:
    - { name: orders, image: ghcr.io/x/reader:1, secrets: [orders-db], groups: [readers] }
    - { name: billing, image: ghcr.io/x/reader:1, identity: application, clusters: [aks-2], secrets: [billing-db] }
    - name: reports
      image: ghcr.io/x/reader:1
      vault: { placement: perApplication }
      clusters: [aks-3]
      identity: application
      secrets: [reports-db]
`;
const cells = `  aks-workload-identity:cells:
    - { name: canary, clusters: [aks-1] }
    - { name: rest, wave: 2, clusters: [aks-2, aks-3] }
`;
const files = {
  'Pulumi.fleet.yaml': environment + cells,
  'Pulumi.fleet-rest.yaml': 'config: { cellOf: fleet }',
};
const configurationIn = (text: string, stack: string) => {
  const { configuration, lines } = check(text, files, stack);
  expect(lines).toEqual([]);
  return configuration as Configuration;
};
const cell = (name: string) => configurationIn('config: { cellOf: fleet }', `fleet-${name}`);

const central: Central = {
  vaults: new Map(
    ['kv-test', 'kv-test-reports'].map((name) => [
      name,
      `/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-test/providers/Microsoft.KeyVault/vaults/${name}`,
    ]),
  ),
  groups: new Map([['readers', '33333333-3333-4333-8333-333333333333']]),
  logWorkspace:
    '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-test/providers/Microsoft.OperationalInsights/workspaces/log-test',
};
const recorded = (configuration: Configuration) => record(() => deployed(configuration, central));
const inAzure = (registrations: readonly Registration[]) =>
  registrations
    .filter(({ type }) => !type.startsWith('aks-workload-identity:') && !type.startsWith('pulumi:'))
    .map(({ type, name }) => `${type} ${name}`);

describe('an environment in cells', () => {
  it('deploys together what one stack deploys, each resource once and under the same name', async () => {
    const whole = await recorded(configurationIn(environment, 'fleet'));
    const parts = [
      await recorded(partOfOwnStack(configurationIn(environment + cells, 'fleet'))),
      await recorded(cell('canary')),
      await recorded(cell('rest')),
    ];

    const all = parts.flatMap(({ registrations }) => inAzure(registrations));
    expect(all.toSorted()).toEqual(inAzure(whole.registrations).toSorted());
    const [own, canary] = parts;
    expect(
      inAzure(own?.registrations ?? []).filter((key) => /ManagedCluster|Identity|kubernetes/.test(key)),
    ).toEqual([]);
    expect(inAzure(canary?.registrations ?? []).filter((key) => /aks-[23]/.test(key))).toEqual([]);
  });

  it('grants the secrets of a group in its own stack, and makes members of it in those of the cells', async () => {
    const own = await recorded(partOfOwnStack(configurationIn(environment + cells, 'fleet')));
    const canary = await recorded(cell('canary'));

    const assignment = 'azure-native:authorization:RoleAssignment';
    expect(own.names(assignment)).toEqual(['kv-test/group_readers/shared']);
    expect(canary.names(assignment)).toEqual(['aks-1-aso/itself', 'kv-test/aks-1/orders-db']);
    expect(canary.names('azuread:index/groupMember:GroupMember')).toEqual(['readers/aks-1']);
  });

  it('names its cells, and a cell its environment', async () => {
    const own = await recorded(partOfOwnStack(configurationIn(environment + cells, 'fleet')));
    const canary = await recorded(cell('canary'));

    expect(await new Promise((resolve) => own.result.cells?.apply(resolve))).toEqual([
      { name: 'canary', stack: 'fleet-canary', wave: 1, clusters: ['aks-1'] },
      { name: 'rest', stack: 'fleet-rest', wave: 2, clusters: ['aks-2', 'aks-3'] },
    ]);
    expect(await new Promise((resolve) => canary.result.environment.apply(resolve))).toBe('fleet');
    expect(await new Promise((resolve) => canary.result.cell?.apply(resolve))).toBe('canary');
  });
});

describe('the stack file of a cell', () => {
  const refused = (text: string, stack = 'fleet-canary') => check(text, files, stack).lines;

  it.each([
    [
      'an environment that is not there',
      'config: { cellOf: fleets }',
      'fleet-canary',
      /cellOf: "fleets" is not an environment of this project\./,
    ],
    [
      'a cell in place of its environment',
      'config: { cellOf: fleet-rest }',
      'fleet-canary',
      /cellOf: "fleet-rest" is itself a cell\. Allowed: the name of an environment, whose stack file has the settings\. See `cellOf` in Pulumi\.fleet-rest\.yaml\./,
    ],
    [
      'a stack that is no cell of it',
      'config: { cellOf: fleet }',
      'fleet-canari',
      /cellOf: "fleet" is an environment without a cell for the stack fleet-canari\. Allowed: fleet-canary, fleet-rest\. Did you mean fleet-canary\?/,
    ],
    [
      'settings of the environment',
      'config: { cellOf: fleet, location: westeurope }',
      'fleet-canary',
      /location: .*has no effect in a cell of fleet\. Allowed: cellOf, kubeconfigs\. Move it to Pulumi\.fleet\.yaml/,
    ],
    [
      'a kubeconfig that is no text',
      'config: { cellOf: fleet, kubeconfigs: { aks-1: 12 } }',
      'fleet-canary',
      /kubeconfigs\.aks-1: .*Allowed: the text of a kubeconfig/,
    ],
    [
      'a kubeconfig of no external cluster',
      'config: { cellOf: fleet, kubeconfigs: { aks-1: { secure: v1:abc } } }',
      'fleet-canary',
      /kubeconfigs\.aks-1: does not name a cluster of mode external in this cell\./,
    ],
  ])('is refused with %s', (_, text, stack, message) => {
    expect(refused(text, stack)).toEqual([expect.stringMatching(message)]);
  });

  it('is refused with a kubeconfig that waits for a person', () => {
    const env = [{ name: 'AAD_LOGIN_METHOD', value: 'devicecode' }];
    const kubeconfigs = { 'aks-1': kubeconfigOfEntra({ env }) };
    const validation = validateStack(
      'fleet-canary',
      { cellOf: 'fleet', kubeconfigs },
      (name) => files[name as keyof typeof files],
    );
    const what = expect.stringMatching(/^signs in to Entra with the method `devicecode`/) as unknown;
    expect(validation).toMatchObject({ problems: [{ path: ['kubeconfigs', 'aks-1'], what }, {}] });
  });

  it.each([
    ['a wrong setting', 'config: { location: 1 }'],
    ['a key that nothing reads', `${environment}${cells}  azure-nativ:location: westeurope\n`],
    [
      'a secret in plain text',
      `${environment}${cells}  aks-workload-identity:secretValues: { shared: text }\n`,
    ],
    ['a key beside its settings', `${environment}${cells}confg: {}\n`],
    [
      'a value that parsers read differently',
      `${environment}${cells}  aks-workload-identity:tags: { on: 012 }\n`,
    ],
    ['a repeated key', `${environment}${cells}${cells}`],
  ])('is refused while that of its environment has %s', (_, text) => {
    const { lines } = check('config: { cellOf: fleet }', { 'Pulumi.fleet.yaml': text }, 'fleet-canary');
    expect(lines).toEqual([
      expect.stringMatching(
        /"fleet" is an environment with errors in its stack file\. Correct them first: `npx aks-wi validate --stack fleet`\./,
      ),
    ]);
  });
});

describe('the stacks of cells', () => {
  it('are refused in each cell if one has the name of an environment', () => {
    const files = { 'Pulumi.fleet.yaml': environment + cells, 'Pulumi.fleet-rest.yaml': environment };
    const { lines } = check('config: { cellOf: fleet }', files, 'fleet-canary');
    expect(lines).toEqual([expect.stringMatching(/"fleet" is an environment with errors in its stack file/)]);
  });

  it.each([
    ['an environment', environment],
    ['a cell of another environment', 'config: { cellOf: fleet-re }'],
  ])('are refused if one has the name of %s', (_, text) => {
    const { lines } = check(environment + cells, { 'Pulumi.fleet-rest.yaml': text }, 'fleet');
    expect(lines).toEqual([
      expect.stringMatching(
        /cells\[1\]\.name: "rest" gives the stack of the cell the name fleet-rest, but Pulumi\.fleet-rest\.yaml is not the stack file of that cell\./,
      ),
    ]);
  });
});
