import { renderSummary } from '../../../cli/validate/summary';
import { validate } from '../../../stacks/checks/configuration';
import type { Configuration } from '../../../stacks/plan';
import { summarizeConfiguration } from '../../../stacks/plan/summary';
import { formatProblem } from '../../../stacks/settings/problem';
import { guidOf } from '../components/support/azure';
import type { Recording } from '../components/support/recorder';
import { record, valueOf } from '../components/support/recorder';
import { deployed } from './deployed';
import { application, problemsOf, validInput } from './settings';

// What mocks do not prove: that Entra and Key Vault honour a membership; tests/e2e/groups.test.ts has the local ones.

const platform = '33333333-3333-4333-8333-333333333333';
const at = (rest: string) => `aks-workload-identity:${rest}`;

/** Two applications on two clusters, each with its own identity, and two groups. */
function withGroups(changes: Record<string, unknown> = {}): Record<string, unknown> {
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

function configurationOf(changes: Record<string, unknown> = {}): Configuration {
  const validation = validate('test', withGroups(changes));
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration;
}

const deploy = (changes: Record<string, unknown> = {}) => record(() => deployed(configurationOf(changes)));

const member = 'azuread:index/groupMember:GroupMember';
const assignment = 'azure-native:authorization:RoleAssignment';
const found = ({ find }: Recording<unknown>, type: string, name: string) => find(type, name).inputs;

describe('groups', () => {
  let whole: Recording<ReturnType<typeof deployed>>;
  beforeAll(async () => {
    whole = await deploy();
  });

  it('are made where they do not exist, say which stack made them, and have its identities as members', () => {
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

  it('are in the outputs, with what is read by way of them', async () => {
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
    const { names } = await deploy({
      vault: { name: 'kv-test', access: 'accessPolicy', overreach: 'accepted' },
    });
    expect(names('azure-native:keyvault:AccessPolicy')).toEqual([
      'kv-test/aks-1-orders',
      'kv-test/aks-1-billing',
      'kv-test/aks-2-orders',
      'kv-test/aks-2-billing',
      'kv-test/group_readers',
    ]);
  });

  it('are in the summary, with what they let read and how long a removal takes', () => {
    const lines = renderSummary(summarizeConfiguration(configurationOf())).split('\n');
    expect(lines).toContain(
      '  2 groups; a removal from a group takes effect with the next token only, up to 24 hours later',
    );
    expect(lines).toContain(
      '    readers (sg-test-readers): id-test-aks-1-orders, id-test-aks-2-orders; reads kv-test/shared',
    );
    expect(lines).toContain(
      `    platform (${platform}): id-test-aks-1-orders, id-test-aks-2-orders; reads nothing that this stack grants`,
    );
  });

  it('keep the central vault of an environment in which every application has its own', () => {
    const { plan } = configurationOf({
      vaults: 'perApplication',
      applications: [application('orders', { secrets: ['orders-db'] })],
    });
    expect(plan.vaults.map(({ name, secrets }) => [name, secrets])).toEqual([
      ['kv-test', ['shared']],
      ['kv-test-orders', ['orders-db']],
    ]);
  });
});

describe('groups that are wrong', () => {
  const orders = (more: object) => ({ applications: [application('orders', { ...more })] });
  const readers = (more: object = {}) => ({ groups: [{ name: 'readers', ...more }] });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'a group that is not there',
      orders({ groups: ['raeders'] }),
      `${at('applications[0].groups[0]')}: "raeders" is no group of this stack. Allowed: readers, platform. Did you mean readers?`,
    ],
    [
      'no groups at all',
      { ...orders({ groups: ['readers'] }), groups: [] },
      `${at('applications[0].groups[0]')}: "readers" is no group of this stack. Allowed: none: there are no \`groups\`. Add it to \`groups\`, or remove it.`,
    ],
    [
      'an object id that is none',
      { ...orders({}), ...readers({ existing: 'sg-readers' }) },
      `${at('groups[0].existing')}: "sg-readers" is not allowed. Allowed: a GUID.`,
    ],
    [
      'an existing group that is to be deleted',
      { ...orders({}), ...readers({ existing: platform, retainOnDelete: false }) },
      `${at('groups[0].retainOnDelete')}: false has no meaning for an existing group, which is never deleted. Remove it.`,
    ],
    [
      'one group twice',
      {
        ...orders({}),
        groups: [
          { name: 'a', existing: platform },
          { name: 'b', existing: platform },
        ],
      },
      `${at('groups[1].existing')}: "${platform}" is the object id of another group in the list already. Make one group of the two.`,
    ],
    [
      'one name twice',
      { ...orders({}), groups: [{ name: 'a' }, { name: 'a' }] },
      `${at('groups[1].name')}: "a" is the name of ${at('groups[0]')} already. Give each group its own name.`,
    ],
    [
      'a secret that the identity is granted as well',
      orders({ groups: ['readers'], secrets: ['shared'] }),
      `${at('applications[0].secrets[0]')}: "shared" is read as a member of the group readers as well, so that taking it from here would revoke nothing, and a removal from a group takes effect with the next token only, up to 24 hours later. Remove it here, or, if it must be revocable within minutes, take it out of the group readers.`,
    ],
    [
      'an application with its own vault',
      orders({ groups: ['readers', 'platform'], vault: { placement: 'perApplication' } }),
      `${at('applications[0].groups[0]')}: "readers" has secrets in the central vault, and orders has its secrets in a vault of its own, the only one that its pods know. Allowed: groups without \`secrets\`, for an application with its own vault. Remove readers, or set \`vault: { placement: central }\` on the application.`,
    ],
    [
      'a value of a similar name',
      { ...orders({}), secretValues: { shred: 'x' } },
      `${at('secretValues.shred')}: is a secret that no application names. Did you mean shared?`,
    ],
    [
      'another spelling',
      orders({ groups: ['readers'], secrets: ['Shared'] }),
      `${at('groups[0].secrets[0]')}: "shared" is "Shared" in another spelling, and Key Vault does not tell them apart. Write Shared.`,
    ],
    [
      'a secret in a variable that is taken',
      orders({ groups: ['readers'], delivery: 'environment', env: { SHARED: 'x' } }),
      `${at('applications[0].groups[0]')}: "shared" would be in the variable SHARED, which \`env\` sets already. Rename the one or the other, or set \`delivery: files\`.`,
    ],
  ])('are refused: %s', (_, changes, problem) => {
    expect(problemsOf(withGroups(changes))).toContain(problem);
  });

  it('let nobody in who shares the identity and does not name them', () => {
    const applications = ['orders', 'billing'].map((name) =>
      application(name, { identity: 'cluster', ...(name === 'orders' && { groups: ['readers'] }) }),
    );
    expect(problemsOf(withGroups({ applications }))).toEqual([
      `${at('applications[0].groups[0]')}: "readers" would let billing read as a member as well, which runs as the same identity; a removal from a group takes effect with the next token only, up to 24 hours later. Set \`identity: application\` on orders, or name the group in each of them.`,
    ]);
    const both = applications.map((one) => ({ ...one, groups: ['readers'] }));
    expect(problemsOf(withGroups({ applications: both }))).toEqual([]);
  });

  it('open a vault with access policies only where that is accepted', () => {
    const vault = { name: 'kv-test', access: 'accessPolicy' };
    expect(problemsOf(withGroups({ vault }))).toContainEqual(
      expect.stringContaining(
        'would let the members of the group readers read billing-db, orders-db in kv-test as well',
      ),
    );
  });

  it('deliver something to an application without secrets of its own', () => {
    const only = { groups: ['readers'], delivery: 'files' };
    expect(problemsOf(withGroups(orders(only)))).toEqual([]);
    expect(problemsOf(withGroups(orders({ ...only, groups: ['platform'] })))).toContainEqual(
      expect.stringContaining('has nothing to deliver'),
    );
  });
});
