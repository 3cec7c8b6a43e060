import { ADMINISTRATOR_OBJECT_ID } from '../../../identity';
import { refusal, withCloud } from '../../support/azure';
import type { Entity } from '../../support/directory';
import { directory, GRAPH_ROOT, names, NOBODY } from '../../support/directory';

const DAY = 24 * 60 * 60 * 1000;

describe('service principals, through @microsoft/microsoft-graph-client', () => {
  const cloud = withCloud();
  const { get, page, post, patch, remove, application } = directory(cloud);

  it('creates, reads, changes, lists and deletes the one service principal of an application', async () => {
    const { id: objectId, appId } = await application('principal', { identifierUris: ['api://principal'] });
    const created = await post('/servicePrincipals', {
      appId,
      accountEnabled: true,
      alternativeNames: [],
      appRoleAssignmentRequired: false,
      description: 'TERRAFORM_UPDATE_1',
      loginUrl: null,
      notificationEmailAddresses: [],
      preferredSingleSignOnMode: null,
      tags: ['principal'],
      'owners@odata.bind': [`${GRAPH_ROOT}/directoryObjects/${ADMINISTRATOR_OBJECT_ID}`],
    });
    expect(created).toMatchObject({
      appId,
      displayName: 'principal',
      appDisplayName: 'principal',
      appOwnerOrganizationId: cloud.tenantId,
      servicePrincipalType: 'Application',
      servicePrincipalNames: [appId, 'api://principal'],
      accountEnabled: true,
    });
    expect(await refusal(post('/servicePrincipals', { appId }))).toMatchObject({
      status: 409,
      code: 'Request_MultipleObjectsWithSameKeyValue',
      message: `The service principal cannot be created, updated, or restored because the service principal name ${appId} is already in use.`,
    });

    await patch(`/servicePrincipals/${created.id}`, { description: null, notes: 'n', accountEnabled: false });
    await patch(`/applications/${objectId}`, { displayName: 'renamed' });
    const changed = { description: null, notes: 'n', accountEnabled: false, displayName: 'renamed' };
    expect(await get(`/servicePrincipals(appId='${appId}')`)).toMatchObject(changed);
    const filter = `appId eq '${appId}' and tags/any(t:t eq 'principal')`;
    expect(names(await page(`/servicePrincipals?$filter=${filter}`))).toEqual(['renamed']);

    await remove(`/servicePrincipals/${created.id}`);
    expect(await refusal(get(`/servicePrincipals/${created.id}`))).toMatchObject({ status: 404 });
    expect(await get(`/applications/${objectId}`)).toMatchObject({ displayName: 'renamed' });
  });

  it.each([
    [
      'no application',
      { appId: NOBODY },
      `The appId '${NOBODY}' of the service principal does not reference a valid application object.`,
    ],
    ['no client id', {}, "'appId'"],
    ['assignments needed', { appId: NOBODY, appRoleAssignmentRequired: true }, "'appRoleAssignmentRequired'"],
    ['single sign-on', { appId: NOBODY, preferredSingleSignOnMode: 'saml' }, "'preferredSingleSignOnMode'"],
  ])('refuses a service principal with %s', async (_what, body, message) => {
    const refused = await refusal(post('/servicePrincipals', body));
    expect(refused).toMatchObject({ status: 400, code: 'Request_BadRequest' });
    expect(refused.message).toContain(message);
  });

  it('shows managed identities as service principals that only their resource changes', async () => {
    const { userAssignedIdentities } = cloud.identities();
    const identity = await userAssignedIdentities.createOrUpdate('rg', 'id-graph', {
      location: 'westeurope',
    });
    const path = `/servicePrincipals/${identity.principalId ?? ''}`;
    expect(await get(path)).toMatchObject({
      appId: identity.clientId,
      displayName: 'id-graph',
      servicePrincipalType: 'ManagedIdentity',
      alternativeNames: ['isExplicit=True', identity.id],
    });
    for (const send of [() => patch(path, { notes: 'n' }), () => remove(path)]) {
      expect(await refusal(send())).toMatchObject({ status: 403, code: 'Authorization_RequestDenied' });
    }
    await userAssignedIdentities.delete('rg', 'id-graph');
    expect(await refusal(get(path))).toMatchObject({ status: 404 });
  });

  it('has the creator as owner, and adds and removes others', async () => {
    const app = await application('owned');
    const { id: other } = await post('/servicePrincipals', { appId: app.appId });
    for (const path of [`/applications/${app.id}/owners`, `/servicePrincipals/${other}/owners`]) {
      expect((await page(path)).value).toMatchObject([
        { '@odata.type': '#microsoft.graph.servicePrincipal', id: ADMINISTRATOR_OBJECT_ID },
      ]);
      const reference = { '@odata.id': `${GRAPH_ROOT}/directoryObjects/${other}` };
      await post(`${path}/$ref`, reference);
      expect((await refusal(post(`${path}/$ref`, reference))).message).toContain('already exist');
      await remove(`${path}/${ADMINISTRATOR_OBJECT_ID}/$ref`);
      expect((await page(path)).value).toMatchObject([{ id: other }]);
      expect(await refusal(remove(`${path}/${NOBODY}/$ref`))).toMatchObject({ status: 404 });
      const nobody = { '@odata.id': `${GRAPH_ROOT}/directoryObjects/${NOBODY}` };
      expect(await refusal(post(`${path}/$ref`, nobody))).toMatchObject({ status: 404 });
    }
  });
});

describe('deleted applications, through @microsoft/microsoft-graph-client', () => {
  const cloud = withCloud({ fresh: true, groups: [] });
  const { get, page, post, remove, application, principal: principalOf } = directory(cloud);
  const ids = async (type: string): Promise<string[]> =>
    (await page(`/directory/deletedItems/microsoft.graph.${type}`)).value.map(({ id }) => id);
  const restore = (id: string): Promise<unknown> => post(`/directory/deletedItems/${id}/restore`);
  const make = async (): Promise<{ app: Entity; principal: Entity }> => {
    const app = await application('deleted');
    return { app, principal: await principalOf(app) };
  };

  it('keeps a deleted application and its service principal, and restores them one by one', async () => {
    const { app, principal } = await make();
    await remove(`/applications/${app.id}`);
    expect(await ids('application')).toEqual([app.id]);
    expect(await ids('servicePrincipal')).toEqual([principal.id]);
    expect(await get(`/directory/deletedItems/${app.id}`)).toMatchObject({
      '@odata.type': '#microsoft.graph.application',
      displayName: 'deleted',
      deletedDateTime: expect.stringMatching(/Z$/) as string,
    });
    expect((await refusal(restore(principal.id))).message).toContain(
      'does not reference a valid application',
    );

    await restore(app.id);
    await restore(principal.id);
    expect(await get(`/applications/${app.id}`)).toMatchObject({
      displayName: 'deleted',
      deletedDateTime: null,
    });
    expect(await get(`/servicePrincipals/${principal.id}`)).toMatchObject({ displayName: 'deleted' });
    expect([...(await ids('application')), ...(await ids('servicePrincipal'))]).toEqual([]);

    await remove(`/servicePrincipals/${principal.id}`);
    await principalOf(app);
    expect(await refusal(restore(principal.id))).toMatchObject({ status: 409 });
  });

  it('forgets a deleted application when it is purged, and after 30 days', async () => {
    const [purged, kept] = [await make(), await make()];
    await remove(`/applications/${purged.app.id}`);
    await remove(`/applications/${kept.app.id}`);
    await remove(`/directory/deletedItems/${purged.app.id}`);
    expect(await refusal(restore(purged.app.id))).toMatchObject({ status: 404 });

    cloud.azure.control.clock.advance(29 * DAY);
    expect(await ids('application')).toEqual([kept.app.id]);
    cloud.azure.control.clock.advance(DAY);
    expect(await ids('application')).toEqual([]);
    expect(await ids('servicePrincipal')).toEqual([]);
    expect(await refusal(restore(kept.app.id))).toMatchObject({ status: 404 });
  });
});
