import type { TestCloud } from '../../support/azure';
import { all, refusal, withCloud } from '../../support/azure';

const ISSUER = 'https://westeurope.oic.prod-aks.azure.com/11111111-1111-4111-8111-111111111111/guid/';

describe('user-assigned identities and federated credentials, through @azure/arm-msi', () => {
  const cloud = withCloud();
  let identities: ReturnType<TestCloud['identities']>['userAssignedIdentities'];
  let federated: ReturnType<TestCloud['identities']>['federatedIdentityCredentials'];

  beforeAll(() => {
    const client = cloud.identities();
    identities = client.userAssignedIdentities;
    federated = client.federatedIdentityCredentials;
  });

  const credential = (subject: string, audiences = ['api://AzureADTokenExchange']) => ({
    issuer: ISSUER,
    subject,
    audiences,
  });

  it('creates, reads, tags, lists and deletes an identity', async () => {
    const created = await identities.createOrUpdate('rg', 'id-a', {
      location: 'westeurope',
      tags: { a: 'b' },
    });
    const again = await identities.createOrUpdate('rg', 'id-a', { location: 'westeurope' });
    await identities.update('rg', 'ID-A', {
      location: 'westeurope',
      tags: { c: 'd' },
      isolationScope: 'Regional',
    });

    expect(created.clientId).toMatch(/^[0-9a-f-]{36}$/);
    expect(again).toMatchObject({ clientId: created.clientId, principalId: created.principalId });
    expect(await identities.get('rg', 'id-a')).toMatchObject({
      tenantId: cloud.tenantId,
      tags: { c: 'd' },
      isolationScope: 'Regional',
    });
    expect((await all(identities.listByResourceGroup('rg'))).map((each) => each.name)).toContain('id-a');
    expect((await all(identities.listBySubscription())).map((each) => each.name)).toContain('id-a');

    await identities.delete('rg', 'id-a');
    expect(await refusal(identities.get('rg', 'id-a'))).toMatchObject({
      status: 404,
      code: 'ResourceNotFound',
    });
  });

  it('refuses an identity with a bad name, and one in no group', async () => {
    const bad = identities.createOrUpdate('rg', '-a', { location: 'westeurope' });
    expect(await refusal(bad)).toMatchObject({ status: 400, code: 'BadRequest' });
    const lost = identities.createOrUpdate('rg-none', 'id-a', { location: 'westeurope' });
    expect(await refusal(lost)).toMatchObject({ status: 404, code: 'ResourceGroupNotFound' });
  });

  it('creates, reads, changes, lists and deletes federated credentials', async () => {
    await identities.createOrUpdate('rg', 'id-f', { location: 'westeurope' });
    await federated.createOrUpdate('rg', 'id-f', 'one', credential('system:serviceaccount:a:b'));
    await federated.createOrUpdate('rg', 'id-f', 'two', credential('system:serviceaccount:a:c'));
    await federated.createOrUpdate('rg', 'id-f', 'two', credential('system:serviceaccount:a:d'));

    expect(await federated.get('rg', 'id-f', 'two')).toMatchObject(credential('system:serviceaccount:a:d'));
    expect((await all(federated.list('rg', 'id-f'))).map((each) => each.name)).toEqual(['one', 'two']);

    await federated.delete('rg', 'id-f', 'two');
    await federated.delete('rg', 'id-f', 'two');
    expect((await all(federated.list('rg', 'id-f'))).map((each) => each.name)).toEqual(['one']);
  });

  it.each([
    ['two audiences', 'abc', ['a', 'b'], 'Federated identity credentials must have exactly one audience.'],
    ['no audience', 'abc', [], 'Federated identity credentials must have exactly one audience.'],
    ['a short name', 'ab', ['a'], "Federated Identity Credential name 'ab' is invalid."],
    ['a name with a dot', 'a.bc', ['a'], "Federated Identity Credential name 'a.bc' is invalid."],
  ])('refuses a credential with %s', async (_what, name, audiences, message) => {
    await identities.createOrUpdate('rg', 'id-r', { location: 'westeurope' });
    const refused = await refusal(federated.createOrUpdate('rg', 'id-r', name, credential('s', audiences)));
    expect(refused).toMatchObject({ status: 400, code: 'BadRequest', message });
  });

  it.each([
    ['an empty issuer', { issuer: '' }],
    ['an empty subject', { subject: '' }],
    ['a blank subject', { subject: ' ' }],
    ['an empty audience', { audiences: [''] }],
    ['no subject', { subject: undefined }],
    ['no audiences', { audiences: undefined }],
  ])('refuses a credential with %s as empty', async (_what, change) => {
    await identities.createOrUpdate('rg', 'id-e', { location: 'westeurope' });
    const properties = { ...credential('s'), ...change };
    for (const body of [{ properties }, {}, { properties: null }]) {
      const reply = await cloud.raw(
        `https://management.azure.com/subscriptions/${cloud.subscriptionId}/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-e/federatedIdentityCredentials/abc?api-version=2023-01-31`,
        { method: 'PUT', body: JSON.stringify(body), credential: cloud.administrator() },
      );
      expect(reply).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'BadRequest',
            message: 'Federated Identity Credential from HTTP body has empty properties',
          },
        },
      });
    }
  });

  it('refuses a wildcard, an overlong subject and an issuer that is not https', async () => {
    await identities.createOrUpdate('rg', 'id-w', { location: 'westeurope' });
    const put = (change: object) =>
      refusal(federated.createOrUpdate('rg', 'id-w', 'abc', { ...credential('s'), ...change }));
    expect((await put({ subject: 'system:serviceaccount:a:*' })).message).toContain('wildcard');
    expect((await put({ subject: 'x'.repeat(601) })).message).toContain('600 characters');
    expect((await put({ issuer: 'http://issuer' })).message).toContain('https');
  });

  it('refuses the same issuer and subject twice under one identity', async () => {
    await identities.createOrUpdate('rg', 'id-u', { location: 'westeurope' });
    await federated.createOrUpdate('rg', 'id-u', 'one', credential('same'));
    expect(await refusal(federated.createOrUpdate('rg', 'id-u', 'two', credential('same')))).toMatchObject({
      status: 400,
      message: 'Issuer and subject combination already exists for this Managed Identity.',
    });
  });

  it('refuses a credential of a missing identity', async () => {
    expect(await refusal(federated.createOrUpdate('rg', 'id-none', 'one', credential('s')))).toMatchObject({
      status: 404,
      message: "The parent user-assigned identity doesn't exist.",
    });
  });

  it('refuses concurrent writes under one identity, but not under two', async () => {
    await identities.createOrUpdate('rg', 'id-c1', { location: 'westeurope' });
    await identities.createOrUpdate('rg', 'id-c2', { location: 'westeurope' });

    const parallel = await Promise.allSettled([
      federated.createOrUpdate('rg', 'id-c1', 'one', credential('a')),
      federated.createOrUpdate('rg', 'id-c1', 'two', credential('b')),
      federated.createOrUpdate('rg', 'id-c2', 'one', credential('a')),
    ]);

    const refused = parallel.filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toMatchObject({
      statusCode: 409,
      code: 'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
    });
    expect(parallel[2].status).toBe('fulfilled');
  });

  it('holds at most 20 credentials under an identity', async () => {
    await identities.createOrUpdate('rg', 'id-20', { location: 'westeurope' });
    for (let index = 1; index <= 20; index++) {
      await federated.createOrUpdate('rg', 'id-20', `credential-${index}`, credential(`subject-${index}`));
    }
    const refused = await refusal(
      federated.createOrUpdate('rg', 'id-20', 'credential-21', credential('more')),
    );
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.message).toContain('at most 20');
    // A change of an existing one is no addition.
    await federated.createOrUpdate('rg', 'id-20', 'credential-20', credential('changed'));
  });
});
