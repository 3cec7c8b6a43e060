import { ADMINISTRATOR_OBJECT_ID } from '../../../identity';
import { refusal, withCloud } from '../../support/azure';
import { directory, GRAPH_ROOT, names, NOBODY } from '../../support/directory';

describe('applications, through @microsoft/microsoft-graph-client', () => {
  const cloud = withCloud({ groups: [] });
  const { get, page, patch, remove, application } = directory(cloud);

  it('creates, reads, changes and deletes an application', async () => {
    const created = await application('orders', { tags: ['one', 'two'], notes: 'n' });
    expect(created).toMatchObject({
      displayName: 'orders',
      description: null,
      signInAudience: 'AzureADMyOrg',
      identifierUris: [],
      keyCredentials: [],
      passwordCredentials: [],
      tags: ['one', 'two'],
      web: { redirectUris: [], implicitGrantSettings: { enableIdTokenIssuance: false } },
    });

    await patch(`/applications/${created.id}`, { description: 'd', notes: null, tags: [] });
    const byClientId = await get(`/applications(appId='${created.appId}')`);
    expect(byClientId).toMatchObject({ id: created.id, description: 'd', notes: null, tags: [] });
    expect(await get(`/applications/${created.id.toUpperCase()}`)).toMatchObject({ displayName: 'orders' });

    await remove(`/applications/${created.id}`);
    expect(await refusal(get(`/applications/${created.id}`))).toMatchObject({
      status: 404,
      code: 'Request_ResourceNotFound',
      message: `Resource '${created.id}' does not exist or one of its queried reference-property objects are not present.`,
    });
    expect(await refusal(get(`/applications(appId='${created.appId}')`))).toMatchObject({
      status: 404,
    });
  });

  it('takes an application as the official provider sends it, and as it removes the creator from the owners', async () => {
    const members = {
      description: null,
      groupMembershipClaims: null,
      info: {
        marketingUrl: null,
        privacyStatementUrl: null,
        supportUrl: null,
        termsOfServiceUrl: null,
      },
      isDeviceOnlyAuthSupported: false,
      isFallbackPublicClient: false,
      notes: null,
      publicClient: { redirectUris: [] },
      serviceManagementReference: null,
      signInAudience: 'AzureADMyOrg',
      spa: { redirectUris: [] },
      tags: ['stack:dev'],
      web: {
        homePageUrl: null,
        logoutUrl: null,
        redirectUris: [],
        implicitGrantSettings: { enableAccessTokenIssuance: false, enableIdTokenIssuance: false },
      },
    };
    const api = {
      acceptMappedClaims: false,
      knownClientApplications: [],
      requestedAccessTokenVersion: 1,
    };
    const created = await application('provider', {
      ...members,
      api: { ...api, oauth2PermissionScopes: [] },
      appRoles: [],
      identifierUris: [],
      optionalClaims: {},
      requiredResourceAccess: [],
      'owners@odata.bind': [`${GRAPH_ROOT}/directoryObjects/${ADMINISTRATOR_OBJECT_ID}`],
    });
    await patch(`/applications/${created.id}`, { displayName: 'TERRAFORM_UPDATE_1' });
    await patch(`/applications/${created.id}`, { displayName: 'provider' });
    await patch(`/applications/${created.id}`, { ...members, api, displayName: 'provider' });
    await remove(`/applications/${created.id}/owners/${ADMINISTRATOR_OBJECT_ID}/$ref`);

    expect(await get(`/applications/${created.id}`)).toMatchObject({
      displayName: 'provider',
      api: { requestedAccessTokenVersion: 1, preAuthorizedApplications: [] },
      optionalClaims: {},
      tags: ['stack:dev'],
    });
    expect((await page(`/applications/${created.id}/owners`)).value).toEqual([]);
  });

  it.each([
    ['no name', { displayName: undefined }, "property 'displayName' of resource 'Application'"],
    ['an empty name', { displayName: '' }, '1 to 256 characters'],
    ['a name that is too long', { displayName: 'x'.repeat(257) }, '1 to 256 characters'],
    ['a description that is too long', { description: 'x'.repeat(1025) }, '1024'],
    ['an empty tag', { tags: [''] }, "'tags.0'"],
    ['personal accounts', { signInAudience: 'PersonalMicrosoftAccount' }, 'AzureADMultipleOrgs'],
    ['a redirect', { web: { redirectUris: ['https://example.invalid'] } }, "'web.redirectUris'"],
    ['a claim', { optionalClaims: { idToken: [{ name: 'upn' }] } }, "'optionalClaims.idToken'"],
    ['a role', { appRoles: [{ value: 'x' }] }, "'appRoles'"],
    ['an unknown member', { colour: 'red' }, "'colour'"],
    ['an unknown member of a member', { web: { colour: 'red' } }, "'web.colour'"],
    ['a secret', { passwordCredentials: [{ displayName: 'x' }] }, "'passwordCredentials'"],
    ['an identifier that is no URI', { identifierUris: ['orders'] }, "'identifierUris.0'"],
    [
      'an owner that does not exist',
      { 'owners@odata.bind': [`${GRAPH_ROOT}/directoryObjects/${NOBODY}`] },
      NOBODY,
    ],
  ])('refuses an application with %s', async (_what, change, message) => {
    const refused = await refusal(application('refused', change));
    expect(refused.code).toMatch(/^Request_(BadRequest|ResourceNotFound)$/);
    expect(refused.message).toContain(message);
    expect((await page("/applications?$filter=displayName eq 'refused'")).value).toEqual([]);
  });

  it('keeps identifier URIs unique', async () => {
    const created = await application('uri', { identifierUris: ['api://orders'] });
    expect(await refusal(application('other', { identifierUris: ['api://orders'] }))).toMatchObject({
      status: 409,
      code: 'Request_MultipleObjectsWithSameKeyValue',
    });
    await patch(`/applications/${created.id}`, { identifierUris: ['api://orders', 'api://more'] });
  });

  it('lists applications by name and tag, in pages and with the members asked for', async () => {
    for (const index of [1, 2, 3]) {
      await application(`list-${index}`, { tags: ['list', `even:${index % 2 === 0}`] });
    }
    await application("list'quoted");
    const filtered = async (filter: string) =>
      names(await page(`/applications?$filter=${encodeURIComponent(filter)}`)).sort();

    expect(await filtered("tags/any(t:t eq 'list')")).toEqual(['list-1', 'list-2', 'list-3']);
    expect(await filtered("tags/any(t: t eq 'list') and tags/any(t:t eq 'even:true')")).toEqual(['list-2']);
    expect(await filtered("displayName eq 'list-1' and tags/any(t:t eq 'list')")).toEqual(['list-1']);
    expect(await filtered("displayName eq 'list-1' and tags/any(t:t eq 'even:true')")).toEqual([]);
    expect(await filtered("displayName eq 'List-3'")).toEqual(['list-3']);
    expect(await filtered("displayName eq 'list''quoted'")).toEqual(["list'quoted"]);
    expect(await filtered("startswith(displayName,'list-') and displayName eq 'list-1'")).toEqual(['list-1']);

    const first = await page("/applications?$filter=tags/any(t:t eq 'list')&$top=2&$select=displayName");
    expect(first.value).toHaveLength(2);
    expect(Object.keys(first.value[0] ?? {})).toEqual(['displayName']);
    const next = first['@odata.nextLink'] ?? '';
    expect(next).toMatch(/^https:\/\/graph\.microsoft\.com\/v1\.0\/applications\?/);
    const second = await page(next);
    expect(second['@odata.nextLink']).toBeUndefined();
    expect([...names(first), ...names(second)].sort()).toEqual(['list-1', 'list-2', 'list-3']);
  });

  it.each([
    ['$filter=notes eq 1', 'BadRequest', 'Invalid filter clause'],
    ['$select=colour', 'BadRequest', "'colour'"],
    ['$top=0', 'Request_UnsupportedQuery', 'Must be between 1 and 999 inclusive.'],
    ['$top=1000', 'Request_UnsupportedQuery', 'Must be between 1 and 999 inclusive.'],
    ['$expand=owners', 'Request_UnsupportedQuery', "'$expand'"],
    ['$count=some', 'BadRequest', "'some'"],
  ])('refuses a list with %s', async (query, code, message) => {
    const refused = await refusal(page(`/applications?${query}`));
    expect(refused).toMatchObject({ status: 400, code });
    expect(refused.message).toContain(message);
  });

  it('refuses every caller but the administrator', async () => {
    const { credential } = cloud.principal('not-the-administrator');
    const theirs = cloud.graph(credential);
    for (const send of [
      async () => (await theirs.api('/applications').get()) as unknown,
      async () => (await theirs.api('/applications').post({ displayName: 'theirs' })) as unknown,
      async () => (await theirs.api(`/servicePrincipals/${ADMINISTRATOR_OBJECT_ID}`).delete()) as unknown,
    ]) {
      expect(await refusal(send())).toMatchObject({
        status: 403,
        code: 'Authorization_RequestDenied',
        message: 'Insufficient privileges to complete the operation.',
      });
    }
  });

  it('answers errors in its own envelope, with the ids of the request', async () => {
    const ask = (id: string) =>
      cloud.raw(`${GRAPH_ROOT}/applications`, { headers: { 'client-request-id': id } });
    const reply = await ask(NOBODY);
    const other = await ask('no guid');
    expect(other.headers['client-request-id']).toBe(other.headers['request-id']);
    expect(reply).toMatchObject({
      status: 401,
      headers: { 'client-request-id': NOBODY },
      body: {
        error: {
          code: 'InvalidAuthenticationToken',
          message: 'Access token is empty.',
          innerError: {
            date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) as string,
            'request-id': reply.headers['request-id'],
            'client-request-id': NOBODY,
          },
        },
      },
    });
    const token = await cloud.administrator().getToken('https://management.azure.com/.default');
    const headers = { authorization: `Bearer ${token?.token ?? ''}` };
    expect(await cloud.raw(`${GRAPH_ROOT}/applications`, { headers })).toMatchObject({
      status: 401,
      body: { error: { message: expect.stringContaining('Invalid audience') as string } },
    });
  });

  it.each([
    [
      'another version',
      'GET',
      'v2.0/applications',
      400,
      'Invalid version: v2.0. The local cloud has v1.0, beta.',
    ],
    ['an unknown path', 'GET', 'v1.0/users', 400, "Resource not found for the segment 'users'."],
    ['an unknown part', 'GET', 'v1.0/applications/x/logo', 400, "Resource not found for the segment 'logo'."],
    ['another method', 'PUT', 'v1.0/applications', 405, 'Specified HTTP method is not allowed'],
    ['an unknown key', 'GET', "v1.0/applications(uniqueName='x')", 400, 'Resource not found for the segment'],
    ['an option of a single entity', 'GET', 'v1.0/applications/x?$top=1', 400, "'$top'"],
    ['a body that is not JSON', 'POST', 'v1.0/applications', 400, 'Unable to read JSON request payload.'],
  ])('refuses %s by name', async (_what, method, path, status, message) => {
    const reply = await cloud.raw(`https://graph.microsoft.com/${path}`, {
      method,
      credential: cloud.administrator(),
      ...(method === 'POST' && { body: '{' }),
    });
    expect(reply.status).toBe(status);
    expect(JSON.stringify(reply.body)).toContain(message);
  });

  it('refuses a preference that it does not know', async () => {
    const credential = cloud.administrator();
    const headers = { prefer: 'create-if-missing' };
    const reply = await cloud.raw(`${GRAPH_ROOT}/applications`, { headers, credential });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain('create-if-missing');
  });
});
