import { refusal, withCloud } from '../../support/azure';
import { selfSigned } from '../../support/certificates';
import { directory, NOBODY } from '../../support/directory';

const DAY = 24 * 60 * 60 * 1000;

describe('credentials of applications, through @microsoft/microsoft-graph-client', () => {
  const cloud = withCloud({ groups: [] });
  const { get, page, post, patch, remove, application } = directory(cloud);

  describe('key credentials', () => {
    const KEY = '0a7d1e2f-0000-4000-8000-000000000001';
    const key = (value: string, more: object = {}) => ({
      type: 'AsymmetricX509Cert',
      usage: 'Verify',
      key: value,
      ...more,
    });

    it('takes key credentials as one list, and gives out their keys only when they are selected', async () => {
      const [one, two] = [await selfSigned(), await selfSigned()];
      const { id } = await application('keys');
      const pem = Buffer.from(one.certificate).toString('base64');
      await patch(`/applications/${id}`, { keyCredentials: [key(pem, { keyId: KEY, displayName: 'one' })] });

      const held = (await get(`/applications/${id}`))['keyCredentials'] as object[];
      expect(held).toMatchObject([
        { keyId: KEY, displayName: 'one', key: null, type: 'AsymmetricX509Cert', usage: 'Verify' },
      ]);
      expect(held[0]).toHaveProperty('customKeyIdentifier', expect.stringMatching(/^[0-9A-F]{40}$/));
      const selected = await get(`/applications/${id}?$select=keyCredentials`);
      expect(selected['keyCredentials']).toMatchObject([{ key: one.der }]);

      await patch(`/applications/${id}`, { keyCredentials: [...held, key(two.der)] });
      expect((await get(`/applications/${id}`))['keyCredentials']).toHaveLength(2);
      await patch(`/applications/${id}`, { notes: 'keys stay' });
      expect((await get(`/applications/${id}`))['keyCredentials']).toHaveLength(2);
      await patch(`/applications/${id}`, { keyCredentials: held });
      expect((await get(`/applications/${id}`))['keyCredentials']).toEqual(held);
    });

    it('refuses key credentials that are not in order, and changes nothing', async () => {
      const { der } = await selfSigned();
      const past = await selfSigned({ notBefore: new Date(0), notAfter: new Date(DAY) });
      const { id } = await application('bad-keys');
      await patch(`/applications/${id}`, { keyCredentials: [key(der, { keyId: KEY, displayName: 'one' })] });
      const inTenYears = new Date(Date.now() + 3650 * DAY).toISOString();
      const tomorrow = new Date(Date.now() + DAY).toISOString();
      const cases: [object[], string, string][] = [
        [[key('bm90IGEgY2VydGlmaWNhdGU=')], 'KeyCredentialsInvalidKey', 'invalid certificate'],
        [[key(past.der)], 'KeyCredentialsInvalidEndDate', 'Key credential end date is invalid.'],
        [[key(der, { endDateTime: inTenYears })], 'KeyCredentialsInvalidEndDate', 'Key credential end date'],
        [
          [key(der, { startDateTime: inTenYears })],
          'KeyCredentialsInvalidEndDate',
          'Key credential end date',
        ],
        [[key(der, { endDateTime: 'soon' })], 'Request_BadRequest', "'keyCredentials.0.endDateTime'"],
        [[key(der, { usage: 'Sign' })], 'Request_BadRequest', "'keyCredentials.0.usage'"],
        [[{ type: 'AsymmetricX509Cert', usage: 'Verify' }], 'Request_BadRequest', 'needs a key'],
        [[key(der, { keyId: NOBODY }), key(der, { keyId: NOBODY })], 'Request_BadRequest', 'more than once'],
        [
          [key(der, { keyId: KEY, endDateTime: tomorrow })],
          'Request_BadRequest',
          `Update to existing credential with KeyId '${KEY}' is not allowed.`,
        ],
      ];
      for (const [keyCredentials, code, message] of cases) {
        const refused = await refusal(patch(`/applications/${id}`, { notes: 'no', keyCredentials }));
        expect(refused).toMatchObject({ status: 400, code });
        expect(refused.message).toContain(message);
      }
      expect(await get(`/applications/${id}`)).toMatchObject({
        notes: null,
        keyCredentials: [{ keyId: KEY }],
      });
    });

    it.each(['addKey', 'removeKey'])('refuses %s, and says what to do instead', async (name) => {
      const { id } = await application('proof');
      const refused = await refusal(post(`/applications/${id}/${name}`, {}));
      expect(refused).toMatchObject({ status: 501, code: 'NotImplemented' });
      expect(refused.message).toContain('keyCredentials by PATCH');
    });
  });

  describe('client secrets', () => {
    it('makes a client secret, gives out its text once, and removes it', async () => {
      const { id } = await application('secret');
      const created = await post(`/applications/${id}/addPassword`, {
        passwordCredential: { displayName: 'one', startDateTime: '2026-01-31T12:00:00Z' },
      });
      expect(created).toMatchObject({
        displayName: 'one',
        startDateTime: '2026-01-31T12:00:00Z',
        endDateTime: '2028-01-31T12:00:00Z',
      });
      const text = String(created['secretText']);
      expect(text).toMatch(/^.{16,64}$/);
      expect(created['hint']).toBe(text.slice(0, 3));

      const { keyId } = created;
      const held = await get(`/applications/${id}`);
      expect(held['passwordCredentials']).toMatchObject([{ keyId, displayName: 'one', secretText: null }]);
      expect(JSON.stringify(held)).not.toContain(text);

      await post(`/applications/${id}/removePassword`, { keyId });
      expect((await get(`/applications/${id}`))['passwordCredentials']).toEqual([]);
      expect(await refusal(post(`/applications/${id}/removePassword`, { keyId }))).toMatchObject({
        status: 400,
        message: `No password credential found with keyId ${String(keyId)}.`,
      });
      const ended = { passwordCredential: { endDateTime: '2020-01-01T00:00:00Z' } };
      expect((await refusal(post(`/applications/${id}/addPassword`, ended))).status).toBe(400);
      const chosen = { passwordCredential: { secretText: 'mine' } };
      expect((await refusal(post(`/applications/${id}/addPassword`, chosen))).message).toContain(
        'secretText',
      );
    });
  });

  describe('federated identity credentials', () => {
    const credential = (name: string, more: object = {}) => ({
      name,
      issuer: 'https://westeurope.oic.prod-aks.azure.com/tenant/guid/',
      subject: `system:serviceaccount:a:${name}`,
      audiences: ['api://AzureADTokenExchange'],
      ...more,
    });
    let path: string;
    beforeAll(async () => {
      path = `/applications/${(await application('federated')).id}/federatedIdentityCredentials`;
    });

    it('creates, reads, changes, lists and deletes federated credentials of an application', async () => {
      const created = await post(path, credential('one', { description: 'd' }));
      await post(path, credential('two'));
      expect(created).toMatchObject(credential('one', { description: 'd' }));
      expect(await get(`${path}/${created.id}`)).toMatchObject({ name: 'one' });
      expect(await get(`${path}/two`)).toMatchObject({ name: 'two', description: null });

      await patch(`${path}/${created.id}`, { id: created.id, name: 'one', subject: 'changed' });
      expect(await get(`${path}/${created.id}`)).toMatchObject({ subject: 'changed', description: 'd' });
      expect((await page(path)).value.map(({ name }) => name).sort()).toEqual(['one', 'two']);
      for (const filter of ["subject eq 'changed'", "name eq 'one'"])
        expect((await page(`${path}?$filter=${filter}`)).value.map(({ name }) => name)).toEqual(['one']);

      await remove(`${path}/${created.id}`);
      expect(await refusal(get(`${path}/${created.id}`))).toMatchObject({ status: 404 });
      expect((await page(path)).value).toHaveLength(1);
    });

    it.each([
      ['two audiences', { audiences: ['a', 'b'] }, 'exactly one audience'],
      ['no audience', { audiences: [] }, 'exactly one audience'],
      ['a short name', { name: 'ab' }, "name 'ab' is invalid"],
      ['a wildcard', { subject: 'a*' }, 'wildcard'],
      ['a long subject', { subject: 'x'.repeat(601) }, '600 characters'],
      ['an issuer that is not https', { issuer: 'http://issuer' }, 'https'],
      ['an empty subject', { subject: '' }, "'subject'"],
      ['a long description', { description: 'x'.repeat(601) }, '600'],
      ['an expression', { claimsMatchingExpression: {} }, "'claimsMatchingExpression'"],
    ])('refuses a federated credential of an application with %s', async (_what, change, message) => {
      const refused = await refusal(post(path, credential('bad', change)));
      expect(refused.status).toBe(400);
      expect(refused.message).toContain(message);
    });

    it('keeps name and subject of federated credentials of an application unique, the name as it is, and their number at 20', async () => {
      const { id } = await application('federated-20');
      const own = `/applications/${id}/federatedIdentityCredentials`;
      const first = await post(own, credential('credential-1'));
      expect(await refusal(post(own, credential('credential-1', { subject: 'other' })))).toMatchObject({
        status: 409,
        code: 'Request_MultipleObjectsWithSameKeyValue',
        message: 'FederatedIdentityCredential with name credential-1 already exists.',
      });
      const twin = credential('twin', { subject: first['subject'] });
      expect(await refusal(post(own, twin))).toMatchObject({
        status: 400,
        code: 'InvalidFederatedIdentityCredentialValue',
        message: expect.stringContaining('must be unique for the application') as string,
      });
      expect((await refusal(patch(`${own}/${first.id}`, { name: 'another' }))).message).toContain('changed');
      for (let index = 2; index <= 20; index++) await post(own, credential(`credential-${index}`));
      expect((await refusal(post(own, credential('credential-21')))).message).toContain('at most 20');
    });
  });
});
