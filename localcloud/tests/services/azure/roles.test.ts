import { randomUUID } from 'node:crypto';
import { all, groupId, refusal, withCloud } from '../../support/azure';

const SECRETS_USER = '4633458b-17de-408a-b874-0445c86b69e6';
const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const RBAC_ADMINISTRATOR = 'f58310d9-a9f6-439a-9e8d-f62e7b41a168';

describe('roles, through @azure/arm-authorization', () => {
  const cloud = withCloud();
  const group = groupId('rg');

  const roleId = (name: string) =>
    `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${name}`;
  const assign = (scope: string, principalId: string, role: string, name = randomUUID()) =>
    cloud.authorization().roleAssignments.create(scope, name, {
      principalId,
      roleDefinitionId: roleId(role),
      principalType: 'ServicePrincipal',
    });

  it('finds built-in roles by name and by id', async () => {
    const { roleDefinitions } = cloud.authorization();
    const found = await all(roleDefinitions.list(group, { filter: "roleName eq 'Key Vault Secrets User'" }));
    expect(found.map((role) => role.name)).toEqual([SECRETS_USER]);
    expect(await roleDefinitions.getById(roleId(SECRETS_USER))).toMatchObject({
      roleName: 'Key Vault Secrets User',
      roleType: 'BuiltInRole',
    });
    expect(await refusal(roleDefinitions.get(group, randomUUID()))).toMatchObject({
      code: 'RoleDefinitionDoesNotExist',
    });
  });

  it('creates, reads, repeats, lists and deletes an assignment', async () => {
    const { objectId } = cloud.principal('assigned');
    const name = randomUUID();
    const { roleAssignments } = cloud.authorization();

    const created = await assign(group, objectId, READER, name);
    const again = await assign(group, objectId, READER, name);

    expect(created).toMatchObject({
      name,
      scope: group,
      principalId: objectId,
      principalType: 'ServicePrincipal',
    });
    expect(again.id).toBe(created.id);
    expect(await roleAssignments.get(group, name)).toMatchObject({ id: created.id });
    const listed = await all(roleAssignments.listForScope(group, { filter: `principalId eq '${objectId}'` }));
    expect(listed.map((each) => each.name)).toEqual([name]);
    const above = await all(roleAssignments.listForScope(group, { filter: 'atScope()' }));
    expect(above.map((each) => each.scope)).toContain(`/subscriptions/${cloud.subscriptionId}`);

    await roleAssignments.delete(group, name);
    expect(await refusal(roleAssignments.get(group, name))).toMatchObject({
      code: 'RoleAssignmentNotFound',
    });
    await roleAssignments.delete(group, name);
  });

  it('lists assignments by scope and principal', async () => {
    const { objectId } = cloud.principal('listed');
    const scope = await cloud.group('rg-listed');
    const above = await assign(`/subscriptions/${cloud.subscriptionId}`, objectId, READER);
    const own = await assign(scope, objectId, SECRETS_USER);
    const { roleAssignments } = cloud.authorization();
    const names = async (at: string, filter?: string) =>
      (await all(roleAssignments.listForScope(at, { filter }))).map((each) => each.name).sort();

    const both = [above.name, own.name].sort();
    expect(await names(scope, `atScope() and assignedTo('${objectId}')`)).toEqual(both);
    expect(await names(scope, `assignedTo('${objectId}')`)).toEqual(both);
    expect(await names(group, `principalId eq '${objectId}'`)).toEqual([above.name]);
    const at = `/subscriptions/${cloud.subscriptionId}`;
    expect(await names(at, `atScope() and principalId eq '${objectId}'`)).toEqual([above.name]);
    // Without a filter: above and below as well.
    expect(await names(scope)).toEqual(expect.arrayContaining(both));
    expect(await names(at)).toEqual(expect.arrayContaining(both));
    expect(await refusal(names(scope, 'everything()'))).toMatchObject({ status: 400 });
  });

  it('refuses the same grant under another name, and another grant under the same name', async () => {
    const [first, second] = [cloud.principal('first'), cloud.principal('second')];
    const name = randomUUID();
    await assign(group, first.objectId, READER, name);
    expect(await refusal(assign(group, first.objectId, READER))).toMatchObject({
      status: 409,
      code: 'RoleAssignmentExists',
    });
    expect(await refusal(assign(group, second.objectId, READER, name))).toMatchObject({
      status: 400,
      code: 'RoleAssignmentUpdateNotPermitted',
    });
  });

  it('requires an existing principal unless its type is set', async () => {
    const { roleAssignments } = cloud.authorization();
    const parameters = { principalId: randomUUID(), roleDefinitionId: roleId(READER) };
    expect(await refusal(roleAssignments.create(group, randomUUID(), parameters))).toMatchObject({
      status: 400,
      code: 'PrincipalNotFound',
    });
    const typed = { ...parameters, principalType: 'ServicePrincipal' };
    expect(await roleAssignments.create(group, randomUUID(), typed)).toMatchObject({
      scope: group,
    });
  });

  it.each([
    ['a name that is no GUID', 'abc', {}, 'InvalidRoleAssignmentId'],
    ['an unknown role', undefined, { roleDefinitionId: randomUUID() }, 'RoleDefinitionDoesNotExist'],
  ])('refuses %s', async (_what, name, change, code) => {
    const { objectId } = cloud.principal('refused');
    const parameters = { principalId: objectId, roleDefinitionId: roleId(READER), ...change };
    const created = cloud.authorization().roleAssignments.create(group, name ?? randomUUID(), parameters);
    expect(await refusal(created)).toMatchObject({ status: 400, code });
  });

  it('refuses a missing scope', async () => {
    const { objectId } = cloud.principal('nowhere');
    const nowhere = `/subscriptions/${cloud.subscriptionId}/resourceGroups/rg-none`;
    expect(await refusal(assign(nowhere, objectId, READER))).toMatchObject({ code: 'ResourceGroupNotFound' });
    const vault = `${group}/providers/Microsoft.KeyVault/vaults/none/secrets/x`;
    expect(await refusal(assign(vault, objectId, READER))).toMatchObject({ code: 'ResourceNotFound' });
  });

  it('refuses what no role allows', async () => {
    const { objectId, clientId, credential } = cloud.principal('nobody');
    const { userAssignedIdentities } = cloud.identities(credential);
    const refused = await refusal(
      userAssignedIdentities.createOrUpdate('rg', 'id-x', { location: 'westeurope' }),
    );
    expect(refused).toMatchObject({ status: 403, code: 'AuthorizationFailed' });
    expect(refused.message).toContain(`The client '${clientId}' with object id '${objectId}'`);
    expect(await refusal(userAssignedIdentities.get('rg', 'id-x'))).toMatchObject({ status: 403 });
  });

  it('lets a Key Vault Data Access Administrator assign and remove roles for secrets only', async () => {
    const administrator = cloud.principal('data-access');
    const grantee = cloud.principal('data-reader');
    await assign(group, administrator.objectId, '8b54135c-b56d-4d72-a534-26097cfdc8d8');
    const held = await assign(group, grantee.objectId, READER);
    const { roleAssignments } = cloud.authorization(administrator.credential);
    const grant = (role: string) =>
      roleAssignments.create(group, randomUUID(), {
        principalId: grantee.objectId,
        roleDefinitionId: roleId(role),
      });

    const { name = '' } = await grant(SECRETS_USER);
    await roleAssignments.delete(group, name);
    const attempts = [() => grant(CONTRIBUTOR), () => roleAssignments.delete(group, held.name ?? '')];
    for (const attempt of attempts) {
      expect(await refusal(attempt())).toMatchObject({ status: 403, code: 'AuthorizationFailed' });
    }
  });

  it('lets a Reader read, a Contributor write but not assign, an RBAC administrator assign but not write', async () => {
    const reader = cloud.principal('reader');
    const contributor = cloud.principal('contributor');
    const administrator = cloud.principal('rbac');
    await assign(group, reader.objectId, READER);
    await assign(group, contributor.objectId, CONTRIBUTOR);
    await assign(group, administrator.objectId, RBAC_ADMINISTRATOR);
    const write = (credential = reader.credential) =>
      cloud
        .identities(credential)
        .userAssignedIdentities.createOrUpdate('rg', 'id-y', { location: 'westeurope' });
    const grant = (credential = reader.credential) =>
      cloud.authorization(credential).roleAssignments.create(group, randomUUID(), {
        principalId: cloud.principal('grantee').objectId,
        roleDefinitionId: roleId(READER),
      });

    expect(await cloud.resources(reader.credential).resourceGroups.get('rg')).toMatchObject({ name: 'rg' });
    expect(await refusal(write(reader.credential))).toMatchObject({ code: 'AuthorizationFailed' });
    expect(await write(contributor.credential)).toMatchObject({ name: 'id-y' });
    expect(await refusal(grant(contributor.credential))).toMatchObject({ code: 'AuthorizationFailed' });
    expect(await grant(administrator.credential)).toMatchObject({ scope: group });
    expect(await refusal(write(administrator.credential))).toMatchObject({ code: 'AuthorizationFailed' });
  });
});
