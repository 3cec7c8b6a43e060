import { renderSummary } from '../../../cli/validate/summary';
import { summarizeConfiguration } from '../../../stacks/plan/summary';
import { guidOf } from '../components/support/azure';
import type { Recording } from '../components/support/recorder';
import { valueOf } from '../components/support/recorder';
import type { Deployment } from './deployed';
import { deploy } from './deployed';
import type { Input } from './settings';
import { application, configurationOf, validInput } from './settings';

// What mocks do not prove: that Entra and Key Vault honour a membership; tests/e2e/groups.test.ts has the local ones.

const platform = '33333333-3333-4333-8333-333333333333';

/** Two applications on two clusters, each with its own identity, and two groups. */
function withGroups(changes: Input = {}): Input {
  return validInput({
    identity: 'application',
    groups: [
      { name: 'readers', secrets: ['shared'] },
      { name: 'platform', existing: platform },
    ],
    applications: [
      application('orders', { groups: ['readers', 'platform'], secrets: ['orders-db'] }),
      application('billing', { secrets: ['billing-db'] }),
    ],
    secretValues: {},
    ...changes,
  });
}

const member = 'azuread:index/groupMember:GroupMember';
const assignment = 'azure-native:authorization:RoleAssignment';
const found = ({ find }: Recording<unknown>, type: string, name: string) => find(type, name).inputs;

describe('groups', () => {
  let whole: Deployment;
  beforeAll(async () => {
    whole = await deploy(withGroups());
  });

  it('are created where they do not exist, name their stack, and have its identities as members', () => {
    expect(whole.find('azuread:index/group:Group', 'readers')).toMatchObject({
      inputs: {
        displayName: 'sg-test-readers',
        description: 'Made by the stack aks-workload-identity/test.',
        securityEnabled: true,
        preventDuplicateNames: true,
      },
      retainOnDelete: true,
    });
    expect(whole.names('azuread:index/group:Group')).toEqual(['readers']);
    expect(whole.names(member).sort()).toEqual([
      'platform/aks-1-orders',
      'platform/aks-2-orders',
      'readers/aks-1-orders',
      'readers/aks-2-orders',
    ]);
    expect(whole.find(member, 'platform/aks-1-orders')).toMatchObject({
      inputs: { groupObjectId: platform },
      retainOnDelete: false,
    });
  });

  it('have one assignment for each secret, and their members none', () => {
    expect(whole.names(assignment).filter((name) => /shared/.test(name))).toEqual([
      'kv-test/group_readers/shared',
    ]);
    expect(found(whole, assignment, 'kv-test/group_readers/shared')).toMatchObject({
      principalType: 'Group',
      principalId: guidOf('group-sg-test-readers'),
    });
    expect(found(whole, assignment, 'kv-test/aks-1-orders/orders-db')).toMatchObject({
      principalType: 'ServicePrincipal',
    });
  });

  it('come before the pods of their members, which get the names of all secrets', () => {
    const { dependencies } = whole.find('aks-workload-identity:application:Workload', 'aks-1-orders');
    expect(dependencies).toEqual(
      expect.arrayContaining([
        `${member}::platform/aks-1-orders`,
        `${member}::readers/aks-1-orders`,
        `${assignment}::kv-test/group_readers/shared`,
      ]),
    );
    expect(dependencies).not.toContain(`${member}::readers/aks-2-orders`);
    expect(
      whole.find('aks-workload-identity:application:Workload', 'aks-1-billing').dependencies.join(),
    ).not.toContain('readers');
    expect(JSON.stringify(found(whole, 'kubernetes:apps/v1:Deployment', 'aks-1-orders'))).toContain(
      '"orders-db,shared"',
    );
  });

  it('are in the outputs, with the secrets that are read through them', async () => {
    expect(Object.values(await valueOf(whole.result.groups))).toMatchObject([
      {
        ...{ name: 'readers', displayName: 'sg-test-readers', isMade: true },
        objectId: guidOf('group-sg-test-readers'),
        grants: [{ vault: 'kv-test', secret: 'shared' }],
        members: [
          { cluster: 'aks-1', name: 'id-test-aks-1-orders' },
          { cluster: 'aks-2', name: 'id-test-aks-2-orders' },
        ],
      },
      { name: 'platform', isMade: false, objectId: platform, grants: [] },
    ]);
    const workloads = await valueOf(whole.result.workloads);
    expect(workloads.map(({ grants }) => grants)[0]).toEqual([
      { vault: 'kv-test', secret: 'orders-db' },
      { vault: 'kv-test', secret: 'shared', group: 'readers' },
    ]);
    expect((await valueOf(whole.result.vaults))['kv-test']?.secrets).toEqual([
      'billing-db',
      'orders-db',
      'shared',
    ]);
  });

  it('get one access policy in a vault that has these', async () => {
    const vault = { name: 'kv-test', access: 'accessPolicy', overreach: 'accepted' };
    const { names } = await deploy(withGroups({ vault }));
    expect(names('azure-native:keyvault:AccessPolicy')).toEqual([
      'kv-test/aks-1-orders',
      'kv-test/aks-1-billing',
      'kv-test/aks-2-orders',
      'kv-test/aks-2-billing',
      'kv-test/group_readers',
    ]);
  });

  it('are in the summary, with their secrets and how long a removal takes', () => {
    const lines = renderSummary(summarizeConfiguration(configurationOf(withGroups()))).split('\n');
    expect(lines).toContain(
      '  2 groups; a removal from a group takes effect only with the next token, up to 24 hours later',
    );
    expect(lines).toContain(
      '    readers (sg-test-readers): id-test-aks-1-orders, id-test-aks-2-orders; reads kv-test/shared',
    );
    expect(lines).toContain(
      `    platform (${platform}): id-test-aks-1-orders, id-test-aks-2-orders; reads nothing that this stack grants`,
    );
  });

  it('keep the central vault of an environment in which every application has its own', () => {
    const applications = [application('orders', { secrets: ['orders-db'] })];
    const { plan } = configurationOf(withGroups({ vaults: 'perApplication', applications }));
    expect(plan.vaults.map(({ name, secrets }) => [name, secrets])).toEqual([
      ['kv-test', ['shared']],
      ['kv-test-orders', ['orders-db']],
    ]);
  });
});
