import type { GroupOutput } from '../../../verification/checks';
import { checkGroups } from '../../../verification/groups';
import { planChecks } from '../../../verification/plan';
import { twoClusters } from './outputs.fixture';

const atOnce = <T>(run: () => Promise<T>): Promise<T> => run();

const group: GroupOutput = {
  ...{ name: 'readers', displayName: 'sg-test-readers', objectId: 'group-id', isMade: true },
  grants: [{ vault: 'kv-central', secret: 'shared' }],
  members: ['a', 'b'].map((name) => ({ cluster: 'aks-1', name: `id-${name}`, principalId: name })),
};

async function check(members: readonly string[] | undefined, changes: Partial<GroupOutput> = {}) {
  const listMembers = () =>
    members === undefined ? Promise.reject(new Error('403')) : Promise.resolve([...members]);
  return checkGroups({ groups: [{ ...group, ...changes }] }, { listMembers }, atOnce);
}

async function only(...args: Parameters<typeof check>) {
  const { groups } = await check(...args);
  return groups.flatMap(({ checks }) => checks);
}

describe('the members of a group', () => {
  it('are those of the stack, in any order and case', async () => {
    expect(await only(['B', 'a'])).toEqual([
      {
        ...{ cluster: '-', application: 'readers', check: 'has exactly the members of the stack' },
        ...{ ok: true, detail: 'id-a, id-b' },
      },
    ]);
  });

  it('are a failure where one is missing, or where a group of the stack has a further one', async () => {
    expect(await only(['a', 'stranger'])).toMatchObject([
      {
        ok: false,
        detail:
          'id-b is not a member and cannot read through the group; `pulumi up --refresh` adds it again; stranger is a member that this stack did not add; remove it: az ad group member remove --group group-id --member-id stranger (tokens that it already has are valid for up to 24 hours)',
      },
    ]);
  });

  it('that are missing are restored by the stack of their cell', async () => {
    const cells = [{ name: 'rest', stack: 'test-rest', wave: 1, clusters: ['aks-1'] }];
    const listMembers = () => Promise.resolve(['a']);
    const { groups } = await checkGroups({ groups: [group], cells }, { listMembers }, atOnce);
    expect(groups[0]?.checks[0]?.detail).toContain('`pulumi up --refresh --stack test-rest` adds it again');
  });

  it('may be others in a group that exists', async () => {
    const existing = { isMade: false };
    expect(await only(['a', 'b', 'stranger'], existing)).toMatchObject([
      { check: 'has the members of the stack', ok: true },
    ]);
    expect(await only(['a', 'stranger'], existing)).toMatchObject([{ ok: false }]);
  });

  it('are no check where they cannot be listed', async () => {
    const { groups, unlisted } = await check(undefined);
    expect(groups).toMatchObject([{ checks: [] }]);
    expect(unlisted).toEqual([{ name: 'readers', reason: '403' }]);
  });

  it('come with a note that a removal takes up to a day', async () => {
    expect((await check([])).notes).toEqual([
      'Tokens contain the groups of their identity (readers): a removal takes effect only with the next token, up to 24 hours later.',
    ]);
    expect((await checkGroups({ groups: [] }, { listMembers: jest.fn() }, atOnce)).notes).toEqual([]);
  });
});

describe('a secret that is read as a member of a group', () => {
  it('is read by its members and refused to others', () => {
    const outputs = twoClusters();
    const [orders, , billing] = outputs.workloads;
    if (orders === undefined || billing === undefined) throw new Error('the fixture has three workloads');
    outputs.vaults['kv-central']?.secrets.push('by-group');
    orders.grants.push({ vault: 'kv-central', secret: 'by-group', group: 'readers' });
    const of = (workload: typeof orders) =>
      planChecks(outputs, workload).filter((each) => 'secret' in each && each.secret === 'by-group');
    expect(of(orders)).toEqual([{ kind: 'read', vault: 'kv-central', secret: 'by-group' }]);
    expect(of(billing)).toEqual([{ kind: 'refused', vault: 'kv-central', secret: 'by-group' }]);
  });
});
