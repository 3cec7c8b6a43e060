import type { RoleDefinition } from '@azure/arm-authorization';
import { randomUUID } from 'node:crypto';
import { OTHER_SUBSCRIPTION_ID } from '../../../identity';
import { all, groupId, refusal, withCloud } from '../../support/azure';

const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const OWNER = '8e3af657-a8ff-443c-a75c-2fe8c4bcb635';
const OTHER_SUBSCRIPTION = `/subscriptions/${OTHER_SUBSCRIPTION_ID}`;
const IDENTITIES = 'Microsoft.ManagedIdentity/userAssignedIdentities';

describe('custom roles, through @azure/arm-authorization', () => {
  const cloud = withCloud({ groups: ['rg', 'rg-other'] });
  const [group, other] = [groupId('rg'), groupId('rg-other')];
  const subscription = () => `/subscriptions/${cloud.subscriptionId}`;
  const roles = () => cloud.authorization().roleDefinitions;

  const role = (roleName: string, change: Partial<RoleDefinition> = {}): RoleDefinition => ({
    roleName,
    description: 'Writes identities',
    roleType: 'CustomRole',
    permissions: [{ actions: [`${IDENTITIES}/*`], notActions: [`${IDENTITIES}/delete`] }],
    assignableScopes: [group],
    ...change,
  });
  const write = (definition: RoleDefinition, scope = group, name: string = randomUUID()) =>
    roles().createOrUpdate(scope, name, definition);
  const assign = (scope: string, principalId: string, roleDefinitionId = '') =>
    cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId,
      roleDefinitionId,
      principalType: 'ServicePrincipal',
    });
  const grant = (scope: string, principalId: string, name: string) =>
    assign(scope, principalId, `/providers/Microsoft.Authorization/roleDefinitions/${name}`);

  it('creates, reads, changes, lists and deletes a role', async () => {
    const name = randomUUID();
    const created = await write(role('Identity writer'), group, name);
    const id = `${subscription()}/providers/Microsoft.Authorization/roleDefinitions/${name}`;
    expect(created).toMatchObject({
      id,
      name,
      roleName: 'Identity writer',
      roleType: 'CustomRole',
      assignableScopes: [group],
      permissions: [{ actions: [`${IDENTITIES}/*`], notActions: [`${IDENTITIES}/delete`], dataActions: [] }],
    });

    const changed = await write(role('Identity editor', { description: 'Edits' }), group, name);
    expect(changed).toMatchObject({ id, roleName: 'Identity editor', createdOn: created.createdOn });
    await cloud.restart();
    expect(await roles().get(group, name.toUpperCase())).toMatchObject({ id, description: 'Edits' });
    expect(await roles().getById(id)).toMatchObject({ name });
    expect(await roles().getById(id.slice(subscription().length))).toMatchObject({ name });

    const found = async (scope: string, filter: string) =>
      (await all(roles().list(scope, { filter }))).map((each) => each.roleName);
    expect(await found(group, "type eq 'CustomRole'")).toEqual(['Identity editor']);
    expect(await found(group, "roleName eq 'Identity editor'")).toEqual(['Identity editor']);
    expect(await found(group, "type eq 'BuiltInRole'")).not.toContain('Identity editor');
    // A role that can be assigned in a group only is not one of the subscription.
    expect(await found(subscription(), "type eq 'CustomRole'")).toEqual([]);
    const below = "atScopeAndBelow() and type eq 'CustomRole'";
    expect(await found(subscription(), below)).toEqual(['Identity editor']);
    expect(await found(other, below)).toEqual([]);
    expect(await refusal(roles().get(other, name))).toMatchObject({ code: 'RoleDefinitionDoesNotExist' });

    expect(await roles().delete(group, name)).toMatchObject({ name });
    expect(await refusal(roles().get(group, name))).toMatchObject({
      status: 404,
      code: 'RoleDefinitionDoesNotExist',
    });
    await roles().delete(group, name);
  });

  it('allows what the role allows, in its assignable scopes only, until the role changes', async () => {
    const writer = cloud.principal('identity-writer');
    const name = randomUUID();
    const { id } = await write(role('Writer'), group, name);
    expect(await refusal(assign(other, writer.objectId, id))).toMatchObject({
      status: 400,
      code: 'RoleAssignmentScopeNotAssignableToRoleDefinition',
    });
    const assignment = await assign(group, writer.objectId, id);
    expect(assignment.roleDefinitionId).toBe(id);

    const identities = cloud.identities(writer.credential).userAssignedIdentities;
    const make = () => identities.createOrUpdate('rg', 'id-custom', { location: 'westeurope' });
    expect(await make()).toMatchObject({ name: 'id-custom' });
    expect(await refusal(identities.delete('rg', 'id-custom'))).toMatchObject({
      code: 'AuthorizationFailed',
    });
    const vault = cloud.vaults(writer.credential).vaults.listByResourceGroup('rg');
    expect(await refusal(all(vault))).toMatchObject({ code: 'AuthorizationFailed' });

    await write(role('Writer', { permissions: [{ actions: [`${IDENTITIES}/read`] }] }), group, name);
    expect(await refusal(make())).toMatchObject({ code: 'AuthorizationFailed' });
    expect(await identities.get('rg', 'id-custom')).toMatchObject({ name: 'id-custom' });

    expect(await refusal(roles().delete(group, name))).toMatchObject({
      status: 400,
      code: 'RoleDefinitionHasAssignments',
    });
    await cloud.authorization().roleAssignments.deleteById(assignment.id ?? '');
    await roles().delete(group, name);
    expect(await refusal(assign(group, writer.objectId, id))).toMatchObject({
      code: 'RoleDefinitionDoesNotExist',
    });
  });

  it('has roles with data actions, whose assignments a vault evaluates', async () => {
    const reader = cloud.principal('secret-reader');
    await cloud.makeVault('kv-custom', { publicNetworkAccess: 'Enabled' });
    await cloud.secrets('kv-custom').setSecret('one', 'value');
    const dataActions = ['Microsoft.KeyVault/vaults/secrets/getSecret/action'];
    const { id } = await write(role('Secret reader', { permissions: [{ dataActions }] }));
    await assign(group, reader.objectId, id);
    const secrets = cloud.secrets('kv-custom', reader.credential);
    expect(await secrets.getSecret('one')).toMatchObject({ value: 'value' });
    expect(await refusal(secrets.setSecret('two', 'value'))).toMatchObject({ status: 403 });
  });

  it('can be written and seen only by callers with a role for that on all of its assignable scopes', async () => {
    const [owner, reader] = [cloud.principal('group-owner'), cloud.principal('group-reader')];
    await grant(group, owner.objectId, OWNER);
    await grant(other, reader.objectId, READER);
    const own = cloud.authorization(owner.credential).roleDefinitions;
    const name = randomUUID();
    await own.createOrUpdate(group, name, role('Owned'));
    const wider = own.createOrUpdate(group, name, role('Owned', { assignableScopes: [group, other] }));
    expect(await refusal(wider)).toMatchObject({ status: 403, code: 'LinkedAuthorizationFailed' });
    const above = own.createOrUpdate(subscription(), name, role('Owned'));
    expect(await refusal(above)).toMatchObject({ status: 403, code: 'AuthorizationFailed' });

    await write(role('Owned', { assignableScopes: [group, other] }), group, name);
    expect(await refusal(own.delete(group, name))).toMatchObject({ code: 'LinkedAuthorizationFailed' });
    const readable = cloud.authorization(reader.credential).roleDefinitions;
    expect(await readable.get(other, name)).toMatchObject({ name });
    expect(await refusal(readable.get(group, name))).toMatchObject({ code: 'RoleDefinitionDoesNotExist' });
    expect(await refusal(readable.delete(other, name))).toMatchObject({ code: 'AuthorizationFailed' });
  });

  it.each<[string, Partial<RoleDefinition>, string]>([
    ['no name', { roleName: '' }, 'InvalidRequestContent'],
    ['a built-in type', { roleType: 'BuiltInRole' }, 'InvalidRequestContent'],
    ['two permissions', { permissions: [{ actions: ['*'] }, {}] }, 'InvalidRequestContent'],
    ['no assignable scope', { assignableScopes: [] }, 'InvalidRequestContent'],
    ['the root as assignable scope', { assignableScopes: ['/'] }, 'BadRequest'],
    ['another assignable scope', { assignableScopes: [other] }, 'BadRequest'],
    [
      'a management group as assignable scope',
      { assignableScopes: ['/providers/Microsoft.Management/managementGroups/mg'] },
      'BadRequest',
    ],
    ['what is no action', { permissions: [{ actions: ['write'] }] }, 'InvalidActionOrNotAction'],
    ['what is no data action', { permissions: [{ dataActions: [''] }] }, 'InvalidDataActionOrNotDataAction'],
  ])('refuses a role with %s', async (_what, change, code) => {
    const refused = await refusal(write(role('Refused', change)));
    expect(refused).toMatchObject({ status: 400, code });
  });

  it('refuses other names than GUIDs, names that are taken, and changes of built-in roles', async () => {
    await write(role('Taken'));
    expect(await refusal(write(role('taken')))).toMatchObject({
      status: 409,
      code: 'RoleDefinitionWithSameNameExists',
    });
    const elsewhere = role('Taken', { assignableScopes: [OTHER_SUBSCRIPTION] });
    expect(await refusal(write(elsewhere, OTHER_SUBSCRIPTION))).toMatchObject({ status: 409 });
    expect(await refusal(write(role('Reader')))).toMatchObject({ status: 409 });
    expect(await refusal(write(role('Named'), group, 'name'))).toMatchObject({ status: 400 });
    expect(await refusal(write(role('Mine'), group, READER))).toMatchObject({ status: 409 });
    expect(await refusal(roles().delete(group, READER))).toMatchObject({ status: 400 });
    const missing = groupId('rg-none');
    const nowhere = write(role('Nowhere', { assignableScopes: [missing] }), missing);
    expect(await refusal(nowhere)).toMatchObject({ code: 'ResourceGroupNotFound' });
  });
});
