import { validate } from '../../../stacks/configuration/configuration';
import { formatProblem } from '../../../stacks/configuration/problem';
import type { OwnState } from '../../../stacks/keeping/ownState';
import { lockProblems } from '../../../stacks/existing/locked';
import { update } from './history';
import { application, validInput } from './settings';

const vault = { name: 'kv-test', access: 'rbac', lock: true };
const applications = [
  application('stays', { secrets: ['orders-db'] }),
  application('goes', { secrets: ['billing-db'], identity: 'application' }),
];

function problemsAfter(state: OwnState, changes: Record<string, unknown>): string[] {
  const validation = validate('test', validInput({ vault, applications, ...changes }));
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return lockProblems(validation.configuration, state).map(formatProblem);
}

describe('a locked vault', () => {
  let state: OwnState;
  beforeAll(async () => {
    ({ state } = await update(validInput({ vault, applications })));
  });

  it('refuses nothing as long as no grant is taken away', () => {
    expect(problemsAfter(state, {})).toEqual([]);
    expect(problemsAfter(state, { applications: [...applications, application('new', {})] })).toEqual([]);
  });

  it('refuses that a grant is taken away, before the update ends half done', () => {
    expect(problemsAfter(state, { applications: applications.slice(0, 1) })).toEqual([
      'aks-workload-identity:vault.lock: true keeps the grants that are no longer in the configuration, since it covers the role assignments in its vault as well: kv-test/aks-1-goes/billing-db, kv-test/aks-2-goes/billing-db. Set `lock: false` for this update, and `lock: true` again for the next.',
    ]);
  });

  it('lets go what is taken away together with the lock', () => {
    const unlocked = { vault: { ...vault, lock: false }, applications: applications.slice(0, 1) };

    expect(problemsAfter(state, unlocked)).toEqual([]);
  });

  it('lets go what was granted before it was locked', async () => {
    const before = await update(validInput({ vault: { ...vault, lock: false }, applications }));

    expect(problemsAfter(before.state, { applications: applications.slice(0, 1) })).toEqual([]);
  });
});
