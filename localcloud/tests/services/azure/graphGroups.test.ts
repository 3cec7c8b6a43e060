import { ADMINISTRATOR_OBJECT_ID } from '../../../identity';
import { refusal, withCloud } from '../../support/azure';
import type { Entity } from '../../support/directory';
import { directory, GRAPH_ROOT, names, NOBODY } from '../../support/directory';

const DAY = 24 * 60 * 60 * 1000;

describe('groups, through @microsoft/microsoft-graph-client', () => {
  const cloud = withCloud();
  const { get, page, post, patch, remove } = directory(cloud);
  const plain = { mailEnabled: false, securityEnabled: true };
  const group = (displayName: string, more: object = {}): Promise<Entity> =>
    post('/groups', { displayName, mailNickname: displayName, ...plain, ...more });
  const reference = (id: string) => ({ '@odata.id': `${GRAPH_ROOT}/directoryObjects/${id}` });
  const add = (of: Entity, id: string, relation = 'members'): Promise<unknown> =>
    post(`/groups/${of.id}/${relation}/$ref`, reference(id));
  const idsAt = async (path: string): Promise<string[]> => (await page(path)).value.map(({ id }) => id);
  const BETA = 'https://graph.microsoft.com/beta';
  const membersOf = (of: Entity): Promise<string[]> => idsAt(`${BETA}/groups/${of.id}/members`);

  it('creates, reads, changes, lists and deletes a security group', async () => {
    const created = await group('readers', {
      description: null,
      groupTypes: [],
      isAssignableToRole: false,
      membershipRule: null,
      resourceBehaviorOptions: [],
      resourceProvisioningOptions: [],
      'owners@odata.bind': [`${GRAPH_ROOT}/directoryObjects/${ADMINISTRATOR_OBJECT_ID}`],
    });
    const path = `/groups/${created.id}`;
    expect(created).toMatchObject({ ...plain, displayName: 'readers', description: null, groupTypes: [] });
    expect(created['securityIdentifier']).toMatch(/^S-1-12-1(?:-\d+){4}$/);
    expect(await get(path)).toMatchObject({ id: created.id, mailNickname: 'readers' });

    await patch(path, { ...plain, displayName: 'renamed', description: 'd', membershipRule: null });
    expect(await get(path)).toMatchObject({ displayName: 'renamed', mailNickname: 'readers' });
    const filtered = async (filter: string): Promise<unknown[]> =>
      names(await page(`/groups?$filter=${encodeURIComponent(filter)}`));
    for (const filter of [
      "displayName eq 'renamed' and mailEnabled eq false and securityEnabled eq true",
      "mailNickname eq 'readers'",
      `id eq '${created.id}'`,
    ]) {
      expect(await filtered(filter)).toEqual(['renamed']);
    }
    expect(await filtered("displayName eq 'renamed' and mailEnabled eq true")).toEqual([]);

    await remove(path);
    expect(await refusal(get(path))).toMatchObject({ status: 404, code: 'Request_ResourceNotFound' });
    expect(await refusal(remove(path))).toMatchObject({ status: 404 });
  });

  it.each([
    ['a mailbox', { mailEnabled: true }, "'mailEnabled'"],
    ['no security', { securityEnabled: false }, "'securityEnabled'"],
    ['a type', { groupTypes: ['Unified'] }, "'groupTypes'"],
    ['a rule', { membershipRule: 'true' }, "'membershipRule'"],
    ['a role', { isAssignableToRole: true }, "'isAssignableToRole'"],
    ['a nickname with a space', { mailNickname: 'a b' }, "'mailNickname'"],
    ['a nickname beyond ASCII', { mailNickname: 'é' }, "'mailNickname'"],
    ['members', { 'members@odata.bind': [] }, 'members@odata.bind'],
    ['an unknown property', { color: 'red' }, "'color'"],
  ])('refuses a group with %s', async (_what, more, message) => {
    const refused = await refusal(group('refused', more));
    expect(refused).toMatchObject({ status: 400, code: 'Request_BadRequest' });
    expect(refused.message).toContain(message);
  });

  it.each([
    ['/groups', "appId eq 'a'"],
    ['/groups', 'mailEnabled eq 1'],
    ['/applications', "mailNickname eq 'a'"],
  ])('refuses a filter about what the entities do not have: %s %s', async (path, filter) => {
    expect((await refusal(page(`${path}?$filter=${filter}`))).message).toContain('Invalid filter clause');
  });

  it('adds and removes members and owners of a group', async () => {
    const { userAssignedIdentities } = cloud.identities();
    const identity = await userAssignedIdentities.createOrUpdate('rg', 'id-member', {
      location: 'westeurope',
    });
    const identityId = identity.principalId ?? '';
    const { objectId } = cloud.principal('member');
    const [created, inner] = [await group('outer'), await group('inner')];
    for (const id of [identityId, objectId, inner.id]) await add(created, id);
    expect((await membersOf(created)).sort()).toEqual([identityId, objectId, inner.id].sort());
    expect(await idsAt(`/groups/${created.id}/members`)).toEqual([inner.id]);
    const filter = `${BETA}/groups/${created.id}/members?$filter=id eq '${inner.id}'`;
    expect((await page(filter)).value).toMatchObject([
      { '@odata.type': '#microsoft.graph.group', displayName: 'inner' },
    ]);

    expect(await refusal(add(created, objectId))).toMatchObject({
      status: 400,
      message:
        "One or more added object references already exist for the following modified properties: 'members'.",
    });
    expect(await refusal(add(created, NOBODY))).toMatchObject({ status: 404 });
    expect(await refusal(add(created, created.id))).toMatchObject({ status: 400 });
    await remove(`/groups/${created.id}/members/${objectId}/$ref`);
    expect(await refusal(remove(`/groups/${created.id}/members/${objectId}/$ref`))).toMatchObject({
      status: 404,
    });
    await userAssignedIdentities.delete('rg', 'id-member');
    expect(await membersOf(created)).toEqual([inner.id]);

    expect(await idsAt(`/groups/${created.id}/owners`)).toEqual([ADMINISTRATOR_OBJECT_ID]);
    await add(created, objectId, 'owners');
    expect(await refusal(add(created, inner.id, 'owners'))).toMatchObject({ status: 404 });
    await remove(`/groups/${created.id}/owners/${ADMINISTRATOR_OBJECT_ID}/$ref`);
    expect(await idsAt(`/groups/${created.id}/owners`)).toEqual([objectId]);
  });

  it('lists members and groups through other groups, also in a circle', async () => {
    const { objectId } = cloud.principal('nested');
    const [one, two, three] = [await group('one'), await group('two'), await group('three')];
    await add(one, two.id);
    await add(two, three.id);
    await add(three, one.id);
    await add(three, objectId);
    expect((await idsAt(`/groups/${one.id}/transitiveMembers`)).sort()).toEqual(
      [two.id, three.id, objectId].sort(),
    );
    expect((await idsAt(`/servicePrincipals/${objectId}/transitiveMemberOf`)).sort()).toEqual(
      [one.id, two.id, three.id].sort(),
    );
    await remove(`/groups/${two.id}`);
    expect(await idsAt(`/servicePrincipals/${objectId}/transitiveMemberOf`)).toEqual([three.id]);
  });

  it('keeps a deleted group and restores it with its members', async () => {
    const { objectId } = cloud.principal('kept');
    const created = await group('deleted');
    await add(created, objectId);
    await remove(`/groups/${created.id}`);
    expect(await idsAt('/directory/deletedItems/microsoft.graph.group')).toContain(created.id);
    expect(await get(`/directory/deletedItems/${created.id}`)).toMatchObject({
      '@odata.type': '#microsoft.graph.group',
      displayName: 'deleted',
      deletedDateTime: expect.stringMatching(/Z$/) as string,
    });
    await post(`/directory/deletedItems/${created.id}/restore`);
    expect(await membersOf(created)).toEqual([objectId]);

    await remove(`/groups/${created.id}`);
    cloud.azure.control.clock.advance(30 * DAY);
    expect(await refusal(post(`/directory/deletedItems/${created.id}/restore`))).toMatchObject({
      status: 404,
    });
  });
});
