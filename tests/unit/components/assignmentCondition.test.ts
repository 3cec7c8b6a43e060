import { mayAssignEach, mayAssignOnly } from '../../../components/azure/assignmentCondition';

// What this does not prove: what the condition allows; tests/e2e/roles.test.ts has the local Azure evaluate one.

describe('the condition of what may assign several roles', () => {
  it('allows each role for its own identities only', () => {
    const condition = mayAssignEach([
      { role: 'role-b', principalId: 'one' },
      { role: 'role-a', principalId: 'two' },
      { role: 'role-a', principalId: 'one' },
    ]);
    const pairs = [
      ...condition.matchAll(/RoleDefinitionId\][^{]*\{([^}]*)\}.*?PrincipalId\][^{]*\{([^}]*)\}/g),
    ];
    expect(pairs.map(([, roles, principals]) => [roles, principals])).toEqual([
      ['role-a', 'one, two'],
      ['role-b', 'one'],
      ['role-a', 'one, two'],
      ['role-b', 'one'],
    ]);
    expect(condition.match(/\) OR \(@(Request|Resource)/g)).toHaveLength(2);
  });

  it('is that of the role if there is only one', () => {
    const roles = [{ guid: 'role-a' }];
    expect(mayAssignEach([{ role: 'role-a', principalId: 'one' }])).toBe(
      mayAssignOnly({ roles, principalIds: ['one'] }),
    );
  });
});
