import { partOfOwnStack } from '../../../stacks/cells';
import { readCentral } from '../../../stacks/outputs/central';
import type { Configuration } from '../../../stacks/plan';
import { record, valueOf } from '../components/support/recorder';
import { deployed } from './deployed';
import { check, head } from './stackFileText';

// A cell and the outputs of its environment. What these do not prove: that the engine reads them, which the end-to-end test of
// fleets proves.

const subscription = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups';
const storage = `${subscription}/rg-data/providers/Microsoft.Storage/storageAccounts`;
const identity = `${subscription}/rg-own/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-orders`;
const role = (account: string) => `{ role: Storage Blob Data Reader, scope: '${storage}/${account}' }`;

const group = `secrets: [shared], roles: [${role('stgroup')}]`;
const orders = `secrets: [orders-db], roles: [${role('storders')}], trust: identityBinding, identity: { existing: '${identity}' }`;
const billing = "{ name: billing, image: 'x/y:1', groups: [readers] }";
const cells = '[{ name: canary, clusters: [aks-1] }, { name: rest, wave: 2, clusters: [aks-2] }]';
const logs = 'aks-workload-identity:logs: { workspace: { name: log-test } }';
const text = `${head}    - name: aks-2
  ${logs}
  aks-workload-identity:groups: [{ name: readers, ${group} }]
  aks-workload-identity:applications: [{ name: orders, image: 'x/y:1', ${orders} }, ${billing}]
  aks-workload-identity:cells: ${cells}
`;

function configurationIn(environment: string, stack: string): Configuration {
  const own = stack === 'fleet' ? environment : 'config: { cellOf: fleet }';
  const { configuration, lines } = check(own, { 'Pulumi.fleet.yaml': environment }, stack);
  expect(lines).toEqual([]);
  return partOfOwnStack(configuration as Configuration);
}

/** Reads the environment, deployed from one text, in a cell whose environment has another text now. */
async function read(before: string, now = text, stack = 'fleet-canary') {
  const { result } = await record(() => deployed(configurationIn(before, 'fleet')));
  const { vaults, groups, logWorkspace, forCells } = result;
  const outputs = {
    vaults: await valueOf(vaults),
    groups: await valueOf(groups),
    ...(logWorkspace && { logWorkspace: await valueOf(logWorkspace) }),
    ...(forCells && { forCells: await valueOf(forCells) }),
  };
  const answers = { 'pulumi:pulumi:readStackOutputs': { outputs } };
  return (await record(() => readCentral(configurationIn(now, stack)), { answers })).result;
}

describe('the environment of a cell', () => {
  it('gives what the cell needs', async () => {
    const { vaults, groups, logWorkspace } = await read(text);
    expect([...vaults.keys(), ...groups.keys()]).toEqual(['kv-test', 'readers']);
    expect(logWorkspace).toContain('log-test');
  });

  it.each([
    [
      'a secret of an application',
      orders,
      orders.replace('orders-db', 'orders-key'),
      'the secret orders-db of kv-test',
    ],
    [
      'a role of an application',
      orders,
      orders.replace('storders', 'stother'),
      `the grant of Storage Blob Data Reader on ${storage}/storders to ${identity}`,
    ],
    [
      'the identity of an application',
      orders,
      orders.replace('id-orders', 'id-other'),
      `the grant of kv-test/orders-db to ${identity}`,
    ],
    [
      'a group',
      `groups: [{ name: readers, ${group} }]`,
      `groups: [{ name: others, ${group} }, { name: readers }]`,
      'the grant of kv-test/shared to the group readers',
    ],
    [
      'a role of a group',
      group,
      group.replace('stgroup', 'stother'),
      `the grant of Storage Blob Data Reader on ${storage}/stgroup to the group readers`,
    ],
    ['its resource group', 'rg-test', 'rg-older', 'the resource group rg-test'],
    ['its vault', 'kv-test', 'kv-older', 'the vault kv-test, the secret orders-db of kv-test'],
    ['the logs', logs, 'aks-workload-identity:protect: false', 'the log workspace log-test'],
    ['the cell', 'name: canary', 'name: first', 'the cell canary'],
  ])('is refused if it was deployed before a change of %s', async (_, now, before, missing) => {
    expect(text).toContain(now);
    await expect(read(text.replace(now, before))).rejects.toThrow(
      `The stack fleet, the environment of this cell, was deployed from older settings: it lacks ${missing}`,
    );
  });

  it('is refused if it was deployed without cells', async () => {
    await expect(read(text.replace(`  aks-workload-identity:cells: ${cells}\n`, ''))).rejects.toThrow(
      /was deployed from older settings: it lacks the cell canary, .* and \d+ more\. Deploy it first: `pulumi up --stack fleet`\./,
    );
  });

  it('may have more than the cell needs: what a cell no longer uses is removed after it', async () => {
    const without = text
      .replace(/ {2}aks-workload-identity:applications: .*\n/, '  aks-workload-identity:applications: []\n')
      .replace(`, ${group}`, '');
    await expect(read(text, without)).resolves.toBeDefined();
  });
});
