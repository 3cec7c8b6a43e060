import { randomUUID } from 'node:crypto';
import type { TokenCredential } from '@azure/identity';
import { all, groupId, refusal, withCloud } from '../../support/azure';

const SECRETS_USER = '4633458b-17de-408a-b874-0445c86b69e6';
const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const RBAC_ADMINISTRATOR = 'f58310d9-a9f6-439a-9e8d-f62e7b41a168';
const DATA_ACCESS_ADMINISTRATOR = '8b54135c-b56d-4d72-a534-26097cfdc8d8';
const TYPE = 'Microsoft.Authorization/roleAssignments';

/** Both halves of a delegation: what may be assigned, and what may be removed. */
const delegation = (limits: (source: string) => string) =>
  ['write', 'delete']
    .map((action) => {
      const source = action === 'write' ? 'Request' : 'Resource';
      return `((!(ActionMatches{'${TYPE}/${action}'})) OR (${limits(`@${source}[${TYPE}:`)}))`;
    })
    .join(' AND ');

const oneGrant = (role: string, principal: string) =>
  delegation(
    (at) =>
      `${at}RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${role}} AND ${at}PrincipalId] ForAnyOfAnyValues:GuidEquals {${principal}}`,
  );

const NOT_FULFILLED = {
  status: 403,
  code: 'AuthorizationFailed',
  message: expect.stringContaining('ABAC condition that is not fulfilled') as string,
};

describe('conditions of role assignments, through @azure/arm-authorization', () => {
  const cloud = withCloud();
  let vault = '';
  beforeAll(async () => {
    vault = await cloud.makeVault('kv-conditions');
    for (const name of ['one', 'two']) await cloud.secrets('kv-conditions').setSecret(name, name);
  });

  const roleId = (name: string) =>
    `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${name}`;
  const assign = (
    scope: string,
    principalId: string,
    role: string,
    more: { credential?: TokenCredential; name?: string; condition?: string | null; typed?: boolean } = {},
  ) => {
    const { credential, name = randomUUID(), condition, typed = true } = more;
    return cloud.authorization(credential).roleAssignments.create(scope, name, {
      principalId,
      roleDefinitionId: roleId(role),
      ...(typed && { principalType: 'ServicePrincipal' }),
      // Null, which removes a condition, is not in the client's types.
      ...(condition !== undefined && ({ condition, conditionVersion: '2.0' } as object)),
    });
  };

  it('lets a delegate make and remove exactly the assignment of the condition', async () => {
    const [delegate, grantee, other] = ['delegate', 'grantee', 'other'].map((name) => cloud.principal(name));
    if (delegate === undefined || grantee === undefined || other === undefined)
      throw new Error('unreachable');
    const { credential } = delegate;
    const secret = `${vault}/secrets/one`;
    const condition = oneGrant(SECRETS_USER, grantee.objectId);
    const own = await assign(secret, delegate.objectId, RBAC_ADMINISTRATOR, { condition });
    const held = await assign(secret, other.objectId, SECRETS_USER);
    const { roleAssignments } = cloud.authorization(credential);

    const granted = await assign(secret, grantee.objectId, SECRETS_USER, { credential });
    expect(await cloud.secrets('kv-conditions', grantee.credential).getSecret('one')).toMatchObject({
      value: 'one',
    });
    await roleAssignments.delete(secret, granted.name ?? '');
    await refusal(cloud.secrets('kv-conditions', grantee.credential).getSecret('one'));

    const attempts = [
      () => assign(secret, grantee.objectId, READER, { credential }),
      () => assign(secret, other.objectId, SECRETS_USER, { credential }),
      () => assign(secret, delegate.objectId, SECRETS_USER, { credential }),
      () => roleAssignments.delete(secret, held.name ?? ''),
      // Its own delegation: without the condition, once more, and away.
      () =>
        assign(secret, delegate.objectId, RBAC_ADMINISTRATOR, {
          credential,
          name: own.name,
          condition: null,
        }),
      () => assign(secret, delegate.objectId, RBAC_ADMINISTRATOR, { credential }),
      () => roleAssignments.delete(secret, own.name ?? ''),
    ];
    for (const attempt of attempts) expect(await refusal(attempt())).toMatchObject(NOT_FULFILLED);
    for (const scope of [`${vault}/secrets/two`, vault]) {
      expect(await refusal(assign(scope, grantee.objectId, SECRETS_USER, { credential }))).toMatchObject({
        status: 403,
        code: 'AuthorizationFailed',
        message: expect.stringContaining('does not have authorization') as string,
      });
    }
    const names = (await all(cloud.authorization().roleAssignments.listForScope(secret)))
      .filter(({ scope }) => scope === secret)
      .map(({ name }) => name);
    expect(names.sort()).toEqual([own.name, held.name].sort());
  });

  it('needs the principal type in the request if the condition names it', async () => {
    const [delegate, grantee] = [cloud.principal('types'), cloud.principal('typed')];
    const condition = delegation(
      (at) => `${at}PrincipalType] ForAnyOfAnyValues:StringEqualsIgnoreCase {'serviceprincipal'}`,
    );
    await assign(vault, delegate.objectId, RBAC_ADMINISTRATOR, { condition });
    const { credential } = delegate;
    const untyped = assign(vault, grantee.objectId, SECRETS_USER, { credential, typed: false });
    expect(await refusal(untyped)).toMatchObject(NOT_FULFILLED);
    const { name = '' } = await assign(vault, grantee.objectId, SECRETS_USER, { credential });
    await cloud.authorization(credential).roleAssignments.delete(vault, name);
  });

  it('does not count an assignment whose condition is not met, but another one without a condition', async () => {
    const [delegate, grantee] = [cloud.principal('twice'), cloud.principal('of-twice')];
    const { credential } = delegate;
    await assign(vault, delegate.objectId, RBAC_ADMINISTRATOR, {
      condition: oneGrant(READER, grantee.objectId),
    });
    const grant = () => assign(vault, grantee.objectId, SECRETS_USER, { credential });
    expect(await refusal(grant())).toMatchObject(NOT_FULFILLED);
    await assign(groupId('rg'), delegate.objectId, RBAC_ADMINISTRATOR);
    expect(await grant()).toMatchObject({ scope: vault });
  });

  it('stores, changes and removes a condition, with effect', async () => {
    const [delegate, grantee] = [cloud.principal('changed'), cloud.principal('of-changed')];
    const { roleAssignments } = cloud.authorization();
    const { credential } = delegate;
    const name = randomUUID();
    const write = (condition: string | null) =>
      assign(vault, delegate.objectId, RBAC_ADMINISTRATOR, { name, condition });
    const grant = () => assign(vault, grantee.objectId, SECRETS_USER, { credential });

    const first = oneGrant(READER, grantee.objectId);
    expect(await write(first)).toMatchObject({ condition: first, conditionVersion: '2.0' });
    expect(await refusal(grant())).toMatchObject(NOT_FULFILLED);
    const second = oneGrant(SECRETS_USER, grantee.objectId);
    await write(second);
    const read = await roleAssignments.get(vault, name);
    expect(read).toMatchObject({ condition: second, conditionVersion: '2.0' });
    const granted = await grant();
    await cloud.restart();
    expect(await roleAssignments.get(vault, name)).toMatchObject({ condition: second });

    expect(await write('')).not.toHaveProperty('condition', second);
    expect(await cloud.arm('GET', `${read.id ?? ''}?api-version=2022-04-01`)).toMatchObject({
      body: { properties: { condition: null, conditionVersion: null } },
    });
    // Now any assignment.
    await cloud.authorization(credential).roleAssignments.delete(vault, granted.name ?? '');
    expect(await assign(vault, grantee.objectId, READER, { credential })).toMatchObject({ scope: vault });
  });

  it('takes 2.0 as the version of a condition without one, and changes the description of an assignment', async () => {
    const { objectId } = cloud.principal('described');
    const condition = oneGrant(READER, objectId);
    const name = randomUUID();
    const write = (description: string) =>
      cloud.authorization().roleAssignments.create(vault, name, {
        principalId: objectId,
        roleDefinitionId: roleId(RBAC_ADMINISTRATOR),
        condition,
        description,
      });
    expect(await write('one')).toMatchObject({ description: 'one', condition, conditionVersion: '2.0' });
    expect(await write('two')).toMatchObject({ description: 'two', condition, name });
  });

  it('returns the condition of Key Vault Data Access Administrator', async () => {
    const { permissions } = await cloud.authorization().roleDefinitions.get(vault, DATA_ACCESS_ADMINISTRATOR);
    expect(permissions?.[0]).toMatchObject({
      condition: expect.stringContaining(`:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals{`) as string,
      conditionVersion: '2.0',
    });
  });

  const CONTAINERS =
    "(!(ActionMatches{'Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read'}) OR (@Resource[Microsoft.Storage/storageAccounts/blobServices/containers:name] StringEquals 'x'))";
  it.each([
    ['syntax 1.0', "ActionMatches{'x'}", '1.0', 'BadRequest', "conditionVersion is '1.0'"],
    ['no expression', "ActionMatches{'x'", '2.0', 'BadRequest', 'condition is invalid'],
    ['more than 8 KB', `ActionMatches{'${'x'.repeat(8200)}'}`, '2.0', 'BadRequest', '8192 are allowed'],
    ['names of containers', CONTAINERS, '2.0', 'ConditionNotSupported', 'blobServices/containers:name'],
    [
      'suboperations',
      "!(ActionMatches{'x'} AND NOT SubOperationMatches{'y'})",
      '2.0',
      'ConditionNotSupported',
      'SubOperationMatches',
    ],
  ])('refuses a condition with %s', async (_what, condition, conditionVersion, code, message) => {
    const { objectId } = cloud.principal('refused');
    const name = randomUUID();
    const { roleAssignments } = cloud.authorization();
    const parameters = {
      principalId: objectId,
      roleDefinitionId: roleId(SECRETS_USER),
      condition,
      conditionVersion,
    };
    const refused = await refusal(roleAssignments.create(vault, name, parameters));
    expect(refused).toMatchObject({ status: 400, code });
    expect(refused.message).toContain(message);
    expect(await refusal(roleAssignments.get(vault, name))).toMatchObject({ code: 'RoleAssignmentNotFound' });
  });
});
