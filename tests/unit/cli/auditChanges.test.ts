import { stripVTControlCharacters } from 'node:util';
import { changesIn } from '../../../cli/audit/changes';
import { select } from '../../../cli/audit/selection';
import { renderChanges } from '../../../cli/audit/table';
import { roleAssignmentName } from '../../../components/azure/roles';
import { onlySecrets } from '../../../components/vault/nameCondition';
import { twoClusters } from '../verification/outputs.fixture';

const vault = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv-central';
const secretsUser = '4633458b-17de-408a-b874-0445c86b69e6';
const reader = '21090545-7ca7-4776-b22c-e363652d74d2';
const own = 'principal-id-aks-1';
const stranger = '99999999-9999-4999-8999-999999999999';

const outputs = () => {
  const { vaults, ...rest } = twoClusters();
  const central = vaults['kv-central'];
  if (central === undefined) throw new Error('the fixture has no vault kv-central');
  const group = {
    ...{ name: 'readers', displayName: 'sg', objectId: 'GROUP-1', isMade: true, grants: [] },
    members: [{ cluster: 'aks-1', name: 'id-aks-1', principalId: own }],
  };
  return { ...rest, groups: [group], vaults: { 'kv-central': { ...central, id: vault } } };
};

let minute = 0;
/** An event, each a minute after the one before. */
function event(kind: 'write' | 'delete', name: string, change: Record<string, unknown> = {}) {
  minute += 1;
  return {
    eventTimestamp: new Date(Date.UTC(2027, 0, 1, 0, minute)).toISOString(),
    operationId: `operation-${minute}`,
    operationName: { value: `Microsoft.Authorization/roleAssignments/${kind}` },
    status: { value: 'Succeeded' },
    resourceId: `${vault}/secrets/orders-db/providers/Microsoft.Authorization/roleAssignments/${name}`,
    caller: 'dana@example.com',
    properties: { statusCode: kind === 'write' ? 'Created' : 'OK' },
    ...change,
  };
}
const asked = (principalId: string, role = reader) =>
  JSON.stringify({ properties: { principalId, roleDefinitionId: `/x/roleDefinitions/${role}` } });
/** Both events of a write. */
function write(name: string, requestbody: string, change: Record<string, unknown> = {}) {
  const end = event('write', name, change);
  return [{ ...end, status: { value: 'Started' }, properties: { requestbody } }, end];
}

beforeEach(() => (minute = 0));

const changes = (events: unknown[], filter: Parameters<typeof select>[1] = {}) =>
  changesIn(events.toReversed(), outputs(), select(outputs(), filter));

describe('changes of access', () => {
  it('name who granted whom which role on which secret, and when, the latest first', () => {
    expect(
      changes([
        ...write('a', asked(own, secretsUser)),
        ...write('b', asked(stranger), { caller: 'PRINCIPAL-id-aks-2' }),
      ]),
    ).toEqual([
      {
        ...{ time: new Date('2027-01-01T00:02:00Z'), change: 'granted', vault: 'kv-central' },
        ...{ secret: 'orders-db', scope: `${vault}/secrets/orders-db`, assignment: 'b', role: reader },
        ...{ principalId: stranger, holder: undefined, by: 'orders on aks-2 (id-aks-2)' },
        description: undefined,
      },
      expect.objectContaining({
        ...{ time: new Date('2027-01-01T00:01:00Z'), assignment: 'a', role: secretsUser },
        ...{ principalId: own, holder: 'orders on aks-1 (id-aks-1)', by: 'dana@example.com' },
      }),
    ]);
  });

  it('have their descriptions, also when they are removed', () => {
    const opened = JSON.stringify({
      properties: {
        ...{ principalId: own, roleDefinitionId: `/x/roleDefinitions/${secretsUser}` },
        description: 'until 2027-01-01T04:00:00Z; INC-1042',
      },
    });
    const found = changes([...write('a', opened), event('delete', 'a')]);
    expect(found.map(({ change, description }) => [change, description])).toEqual([
      ['removed', 'until 2027-01-01T04:00:00Z; INC-1042'],
      ['granted', 'until 2027-01-01T04:00:00Z; INC-1042'],
    ]);
    const since = new Date('2027-01-01T00:00:00Z');
    const named = found.map((change) => ({ ...change, roleName: 'Key Vault Secrets User' }));
    expect(stripVTControlCharacters(renderChanges(named, { since, notes: [] }, 300))).toContain(
      'granted: until 2027-01-01T04:00:00Z; INC-1042',
    );
  });

  it('have the secrets that a condition names, if the log has all of it', () => {
    const { properties } = JSON.parse(asked(own, secretsUser)) as { properties: object };
    const written = (condition: string) => JSON.stringify({ properties: { ...properties, condition } });
    const onVault = { resourceId: `${vault}/providers/Microsoft.Authorization/roleAssignments/a` };
    const names = onlySecrets(['orders-db', 'shared']);
    const found = changes([
      ...write('a', written(names).slice(0, -20), onVault),
      ...write('a', written(names), { ...onVault, properties: { statusCode: 'OK' } }),
    ]);
    expect(found.map(({ change, named }) => [change, named])).toEqual([
      ['changed', ['orders-db', 'shared']],
      ['granted', undefined],
    ]);
    const since = new Date('2027-01-01T00:00:00Z');
    const rows = found.map((change) => ({ ...change, roleName: 'Key Vault Secrets User' }));
    expect(stripVTControlCharacters(renderChanges(rows, { since, notes: [] }, 300))).toContain(
      'kv-central: orders-db, shared',
    );
  });

  it('know the right of what opens windows by its name, where the log cut off the request', () => {
    const secret = `${vault}/secrets/orders-db`;
    const name = roleAssignmentName(secret, own, 'rbacAdministrator');
    const [found] = changes(write(name, '{"properties":{"condition":"((!(ActionMa'));
    expect(found).toMatchObject({ principalId: own, role: 'f58310d9-a9f6-439a-9e8d-f62e7b41a168' });
  });

  it('are on what roles of the stack are on as well, known by their names once they are gone', () => {
    const scope = '/subscriptions/other/resourceGroups/rg-data';
    const stack = outputs();
    for (const workload of stack.workloads.slice(0, 1)) workload.grants = [{ role: reader, scope }];
    const at = (on: string, name: string) => ({
      resourceId: `${on}/providers/Microsoft.Authorization/roleAssignments/${name}`,
    });
    const name = roleAssignmentName(scope, own, { guid: reader });
    const events = [
      ...write('b', asked(stranger), at(scope.toUpperCase().replace('SUBSCRIPTIONS', 'subscriptions'), 'b')),
      event('delete', name, at(scope, name)),
      ...write('c', asked(own), at(`${scope}/providers/x/y/z`, 'c')),
    ];
    const found = changesIn(events, stack, select(stack, {}));
    expect(found.map(({ change, vault: of, principalId, role }) => [change, of, principalId, role])).toEqual([
      ['removed', undefined, own, reader],
      ['granted', undefined, stranger, reader],
    ]);
    const since = new Date('2027-01-01T00:00:00Z');
    const named = found.map((change) => ({ ...change, roleName: 'Key Vault Reader' }));
    expect(stripVTControlCharacters(renderChanges(named, { since, notes: [] }, 400))).toContain(` ${scope} `);
    expect(changesIn(events, stack, select(stack, { secret: 'orders-db' }))).toEqual([]);
  });

  it('are found beside events of other forms', () => {
    const policy = { eventTimestamp: '2027-01-01T00:00:00Z', operationName: { value: 'x' } };
    expect(changes([policy, ...write('a', asked(own))])).toHaveLength(1);
  });

  it('name what opens and closes access windows', () => {
    const stack = outputs();
    const id = '/subscriptions/s/x/id-aks-1-windows';
    stack.identities.push({
      cluster: 'aks-1',
      name: 'id-aks-1-windows',
      id,
      principalId: 'WINDOWS',
      trusts: [],
    });
    const found = changesIn(write('a', asked(own), { caller: 'windows' }), stack, select(stack, {}));
    expect(found).toMatchObject([{ change: 'granted', by: 'id-aks-1-windows' }]);
  });

  it('know whose a removed assignment was from when it was made last, though names are used again', () => {
    const found = changes([
      ...write('a', asked(stranger)),
      event('delete', 'A'),
      ...write('a', asked(own)),
      event('delete', 'a'),
    ]);
    expect(found.map(({ change, principalId }) => [change, principalId])).toEqual([
      ['removed', own],
      ['granted', own],
      ['removed', stranger],
      ['granted', stranger],
    ]);
  });

  it('ignore a write that failed', () => {
    const failed = { status: { value: 'Failed' }, properties: { statusCode: 'BadRequest' } };
    const found = changes([
      ...write('a', asked(own)),
      ...write('a', asked(stranger), failed),
      event('delete', 'a'),
      event('delete', 'a', { properties: { statusCode: 'NoContent' } }),
    ]);
    expect(found.map(({ change, principalId }) => [change, principalId])).toEqual([
      ['removed', own],
      ['granted', own],
    ]);
  });

  it.each([
    [
      'the answer, if Azure logs it',
      'x',
      { properties: { statusCode: 'OK', responseBody: asked(stranger) } },
      stranger,
    ],
    [
      'its name, if it was a grant of the stack',
      roleAssignmentName(`${vault}/secrets/orders-db`, own, 'keyVaultSecretsUser'),
      {},
      own,
    ],
    [
      'its name, if it was a grant to a group of the stack',
      roleAssignmentName(`${vault}/secrets/orders-db`, 'group-1', 'keyVaultSecretsUser'),
      {},
      'group-1',
    ],
    ['nothing', 'x', {}, undefined],
  ])('know whose an older assignment was from %s', (_what, name, change, principalId) => {
    const found = changes([event('delete', name, change)]);
    expect(found).toMatchObject([{ change: 'removed', principalId }]);
    const { holder } = found[0] ?? {};
    expect(holder).toBe(
      { [own]: 'orders on aks-1 (id-aks-1)', 'group-1': 'group readers' }[principalId ?? ''],
    );
  });

  it('read a body whose names begin with capitals, and one that is cut off', () => {
    const portal = `{"Id":"a","Properties":{"PrincipalId":"${own.toUpperCase()}","RoleDefinitionId":"/r/${reader}","Scope":"/s"}}`;
    const cut = `${asked(stranger).slice(0, -5)}…`;
    expect(changes([...write('a', portal), ...write('b', cut)])).toMatchObject([
      { principalId: stranger },
      { principalId: own, role: reader },
    ]);
  });

  it('are on the vaults of the stack and their secrets only, and distinguish an update from a grant', () => {
    const at = (scope: string) => ({
      resourceId: `${scope}/providers/Microsoft.Authorization/roleAssignments/a`,
    });
    const found = changes([
      ...write('a', asked(own), at(vault.toUpperCase())),
      ...write('a', asked(own), at(`${vault}2`)),
      ...write('a', asked(own), at('/subscriptions/s')),
      ...write('a', asked(own), { properties: { statusCode: 'OK' } }),
      event('write', 'a', { operationName: { value: 'Microsoft.Authorization/locks/write' } }),
    ]);
    expect(found.map(({ change, secret }) => [change, secret])).toEqual([
      ['changed', 'orders-db'],
      ['granted', undefined],
    ]);
  });

  it('can be filtered; unclear ones stay', () => {
    const events = [
      ...write('a', asked(own)),
      ...write('b', asked(stranger)),
      ...write('c', asked('GROUP-1')),
      event('delete', 'd'),
    ];
    const names = (filter: Parameters<typeof select>[1]) =>
      changes(events, filter).map(({ assignment }) => assignment);
    expect(names({ application: 'orders', cluster: 'aks-1' })).toEqual(['d', 'c', 'a']);
    expect(names({ identity: stranger })).toEqual(['d', 'b']);
    expect(names({ secret: 'orders-db' })).toEqual(['d', 'c', 'b', 'a']);
    expect(names({ secret: 'shared' })).toEqual([]);
  });

  it('are a table that marks what is unknown', () => {
    const [change] = changes([event('delete', 'x')]);
    if (change === undefined) throw new Error('there is no change');
    const shown = { since: new Date(0), notes: ['a note'] };
    const text = stripVTControlCharacters(
      renderChanges(
        [
          { ...change, roleName: undefined },
          { ...change, holder: 'H', roleName: 'R' },
        ],
        shown,
        200,
      ),
    );
    expect(text).toMatch(
      /removed.*kv-central\/orders-db.*unknown .*unknown: assignment x .*dana@example.com/,
    );
    expect(text).toMatch(/ R .* H .*dana@example.com[^]*! a note/);
    expect(renderChanges([], shown)).toContain('no matching change since 1970-01-01');
  });
});
