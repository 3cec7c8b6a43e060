import { randomUUID } from 'node:crypto';
import type { TokenCredential } from '@azure/identity';
import { decodeJwt } from 'jose';
import { ADMINISTRATOR_OBJECT_ID } from '../../../identity';
import { all, groupId, refusal, withCloud } from '../../support/azure';
import { directory, GRAPH_ROOT } from '../../support/directory';

const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const SECRETS_USER = '4633458b-17de-408a-b874-0445c86b69e6';

// Proves that an assignment to a group counts for its members as of their tokens: each credential keeps its first ones.
describe('access by groups', () => {
  const cloud = withCloud();
  const { post, remove } = directory(cloud);
  const scope = groupId('rg');

  const group = async (displayName: string, ...members: string[]): Promise<string> => {
    const body = { displayName, mailNickname: displayName, mailEnabled: false, securityEnabled: true };
    const { id } = await post('/groups', body);
    for (const member of members) await add(id, member);
    return id;
  };
  const add = (of: string, member: string): Promise<unknown> =>
    post(`/groups/${of}/members/$ref`, { '@odata.id': `${GRAPH_ROOT}/directoryObjects/${member}` });
  const leave = (of: string, member: string): Promise<unknown> =>
    remove(`/groups/${of}/members/${member}/$ref`);
  const assign = (principalId: string, role: string, more: object = { principalType: 'Group' }) =>
    cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId,
      roleDefinitionId: `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
      ...more,
    });
  /** A principal, and new credentials of it: each gets tokens of its own. */
  const member = (name: string): { objectId: string; signIn: () => TokenCredential } => {
    const { objectId, clientId } = cloud.principal(name);
    return { objectId, signIn: () => cloud.secretCredential(clientId, `not-secret-${name}`) };
  };
  const readGroup = (credential: TokenCredential) => cloud.resources(credential).resourceGroups.get('rg');

  it('has the groups of the client in its token, also those of groups in groups', async () => {
    const { objectId, signIn } = member('claims');
    const claims = async (): Promise<unknown> =>
      decodeJwt((await signIn().getToken('https://vault.azure.net/.default'))?.token ?? '')['groups'];
    expect(await claims()).toBeUndefined();
    const inner = await group('claims-inner', objectId);
    const outer = await group('claims-outer', inner);
    expect(((await claims()) as string[]).sort()).toEqual([inner, outer].sort());
    await remove(`/groups/${inner}`);
    expect(await claims()).toBeUndefined();
  });

  it('counts an assignment to a group for its members, from the next token to the end of the last', async () => {
    const { objectId, signIn } = member('by-group');
    const readers = await group('readers');
    expect(await assign(readers, READER)).toMatchObject({ principalId: readers, principalType: 'Group' });
    const early = signIn();
    expect(await refusal(readGroup(early))).toMatchObject({ status: 403, code: 'AuthorizationFailed' });
    await add(await group('readers-inner'), objectId);
    await add(readers, objectId);
    expect(await refusal(readGroup(early))).toMatchObject({ status: 403 });
    const later = signIn();
    expect(await readGroup(later)).toMatchObject({ name: 'rg' });
    const seen = await cloud.arm('GET', '/subscriptions?api-version=2022-12-01', undefined, later);
    expect(seen.body).toMatchObject({ value: [{ subscriptionId: cloud.subscriptionId }] });

    await leave(readers, objectId);
    expect(await readGroup(later)).toMatchObject({ name: 'rg' });
    expect(await refusal(readGroup(signIn()))).toMatchObject({ status: 403 });
  });

  it('lets members of a group read secrets, by a role and by an access policy', async () => {
    const { objectId, signIn } = member('secrets');
    const readers = await group('secret-readers', objectId);
    const policy = { tenantId: cloud.tenantId, objectId: readers, permissions: { secrets: ['get'] } };
    await cloud.makeVault('kv-group-role', { enableRbacAuthorization: true });
    await cloud.makeVault('kv-group-policy', { enableRbacAuthorization: false, accessPolicies: [policy] });
    const own = { ...policy, objectId: ADMINISTRATOR_OBJECT_ID, permissions: { secrets: ['set'] } };
    await cloud.vaults().vaults.updateAccessPolicy('rg', 'kv-group-policy', 'add', {
      properties: { accessPolicies: [own] },
    });
    const { id: assignment = '' } = await assign(readers, SECRETS_USER);
    const held = signIn();
    for (const name of ['kv-group-role', 'kv-group-policy']) {
      await cloud.secrets(name).setSecret('s', 'v');
      expect((await cloud.secrets(name, held).getSecret('s')).value).toBe('v');
    }
    await leave(readers, objectId);
    for (const name of ['kv-group-role', 'kv-group-policy']) {
      expect((await cloud.secrets(name, held).getSecret('s')).value).toBe('v');
      expect(await refusal(cloud.secrets(name, signIn()).getSecret('s'))).toMatchObject({ status: 403 });
    }
    // An assignment itself is looked up at each request.
    await cloud.authorization().roleAssignments.deleteById(assignment);
    expect(await refusal(cloud.secrets('kv-group-role', held).getSecret('s'))).toMatchObject({ status: 403 });
  });

  it('knows the type of a group in assignments, and finds them for its members', async () => {
    const { objectId } = member('listed');
    const readers = await group('listed', objectId);
    expect(await refusal(assign(readers, READER, { principalType: 'ServicePrincipal' }))).toMatchObject({
      code: 'UnmatchedPrincipalType',
    });
    expect(await refusal(assign(objectId, READER))).toMatchObject({ code: 'UnmatchedPrincipalType' });
    const { name } = await assign(readers, READER, {});
    const { roleAssignments } = cloud.authorization();
    const found = async (filter: string): Promise<unknown[]> =>
      (await all(roleAssignments.listForScope(scope, { filter }))).map((each) => each.name);
    expect(await found(`assignedTo('${objectId}')`)).toEqual([name]);
    expect(await found(`principalId eq '${objectId}'`)).toEqual([]);
    expect(await roleAssignments.get(scope, name ?? '')).toMatchObject({ principalType: 'Group' });
    await remove(`/groups/${readers}`);
    expect(await refusal(assign(readers, SECRETS_USER, {}))).toMatchObject({ code: 'PrincipalNotFound' });
  });
});
