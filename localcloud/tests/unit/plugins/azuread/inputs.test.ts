import { Secret, unknown, type Properties } from '../../../../plugins/protocol';
import { goDuration, wholeSeconds } from '../../../../plugins/azuread/dates';
import { createProvider } from '../../../../plugins/azuread/provider';
import { functions, types } from '../../../../plugins/azuread/types';
import { context, now, problems } from '../support/harness';

const provider = createProvider({});
const objectId = '0a7d1e2f-0000-4000-8000-000000000001';
const applicationId = `/applications/${objectId}`;
const valid: Record<keyof typeof types, Properties> = {
  application: { displayName: 'app' },
  certificate: { applicationId, type: 'AsymmetricX509Cert', value: new Secret('hunter2') },
  federatedCredential: {
    applicationId,
    displayName: 'c',
    issuer: 'https://issuer.example/',
    subject: 's',
    audiences: ['openshift'],
  },
  group: { displayName: 'readers', securityEnabled: true, members: [objectId] },
  groupMember: { groupObjectId: objectId, memberObjectId: objectId },
  password: { applicationId },
  servicePrincipal: { clientId: objectId },
};
type Name = keyof typeof types;

describe('checking inputs', () => {
  it.each(Object.keys(types) as Name[])('accepts a complete %s, and unknown values in it', async (name) => {
    expect(await problems(provider, types[name], valid[name])).toEqual({});
    const later = Object.fromEntries(Object.keys(valid[name]).map((key) => [key, unknown]));
    expect(await problems(provider, types[name], later)).toEqual({});
  });

  it.each<[string, Name, Properties, string, RegExp]>([
    ['an unknown input', 'application', { displayname: 'x' }, 'displayname', /'displayName'\?/],
    [
      'an input without a meaning here',
      'application',
      { web: {} },
      'web',
      /'web' is not supported.*supported are description/,
    ],
    [
      'a personal audience',
      'application',
      { signInAudience: 'PersonalMicrosoftAccount' },
      'signInAudience',
      /AzureADMyOrg/,
    ],
    ['an owner by name', 'application', { owners: ['me'] }, 'owners', /'me' is not an object id/],
    ['an empty name', 'application', { displayName: '' }, 'displayName', /displayName is empty/],
    [
      'an object id',
      'certificate',
      { applicationId: objectId },
      'applicationId',
      /\/applications\/<objectId>.*use the application's id/,
    ],
    ['an unknown encoding', 'certificate', { encoding: 'der' }, 'encoding', /'der'.*base64 or hex or pem/],
    ['an unknown type', 'certificate', { type: 'x509' }, 'type', /AsymmetricX509Cert or Symmetric/],
    ['an invalid key id', 'certificate', { keyId: 'k' }, 'keyId', /'k' is not a UUID/],
    ['an invalid time', 'certificate', { endDate: 'tomorrow' }, 'endDate', /'tomorrow'.*RFC 3339/],
    ['an invalid duration', 'certificate', { endDateRelative: 'P1D' }, 'endDateRelative', /such as 240h/],
    [
      'two ends',
      'certificate',
      { endDateRelative: '1h', endDate: '2026-01-01T00:00:00Z' },
      'endDateRelative',
      /conflicts with endDate: set only endDate/,
    ],
    [
      'a relative end, which is not sent',
      'password',
      { endDateRelative: '1h' },
      'endDateRelative',
      /not supported/,
    ],
    ['two audiences', 'federatedCredential', { audiences: ['a', 'b'] }, 'audiences', /exactly one/],
    ['a long name', 'federatedCredential', { displayName: 'x'.repeat(121) }, 'displayName', /121.*1 to 120/],
    ['a member by name', 'group', { members: ['me'] }, 'members', /'me' is not an object id/],
    ['a group without owners', 'group', { owners: [] }, 'owners', /1 to 100 owners, not 0/],
    ['a mailbox', 'group', { mailEnabled: true }, 'mailEnabled', /does not support mail-enabled groups/],
    [
      'no security group',
      'group',
      { securityEnabled: false },
      'securityEnabled',
      /set securityEnabled to true/,
    ],
    ['a group with a type', 'group', { types: ['Unified'] }, 'types', /'types' is not supported/],
    [
      'a path as member',
      'groupMember',
      { memberObjectId: '/x' },
      'memberObjectId',
      /'\/x' is not an object id/,
    ],
    [
      'a name for a client id',
      'servicePrincipal',
      { clientId: 'app' },
      'clientId',
      /use the application's clientId/,
    ],
  ])('refuses %s', async (_case, name, changed, property, reason) => {
    const found = await problems(provider, types[name], { ...valid[name], ...changed });
    expect(found[property]).toMatch(reason);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });
});

describe('differences', () => {
  const diff = (name: Name, state: Properties, news: Properties) =>
    provider.diff('', types[name], '', state, {}, news, []);

  it('are between the program and the service, whatever the inputs were', async () => {
    const state = { displayName: 'app', description: 'changed', signInAudience: 'AzureADMyOrg', tags: ['a'] };
    expect(await diff('application', state, { displayName: 'app' })).toMatchObject({
      diffs: ['description'],
    });
    const same = { displayName: 'app', description: 'changed' };
    expect(await diff('application', state, same)).toMatchObject({ changes: false });
  });

  it('leave order of sets, stated defaults and empty values out', async () => {
    const state = { displayName: 'app', signInAudience: 'AzureADMyOrg', tags: ['a', 'b'], notes: '' };
    const news = { displayName: 'app', signInAudience: 'AzureADMyOrg', tags: ['b', 'a'], owners: [] };
    expect(await diff('application', state, { ...news, preventDuplicateNames: false })).toMatchObject({
      changes: false,
    });
  });

  it('include a default that the service does not have', async () => {
    const state = { displayName: 'app', signInAudience: 'AzureADMultipleOrgs' };
    expect((await diff('application', state, { displayName: 'app' })).detailed).toEqual({
      signInAudience: 'update',
    });
  });

  it('replace a certificate whose value or time is another', async () => {
    const state = { ...valid.certificate, encoding: 'pem', endDate: '2026-01-01T00:00:00Z', keyId: objectId };
    expect(await diff('certificate', state, valid.certificate)).toMatchObject({ changes: false });
    const value = { ...valid.certificate, value: new Secret('another') };
    expect(await diff('certificate', state, value)).toMatchObject({ replaces: ['value'] });
    const time = { ...valid.certificate, endDate: '2026-01-01T00:00:00.000Z' };
    expect(await diff('certificate', state, time)).toMatchObject({ replaces: ['endDate'] });
  });

  it('replace a group for its nickname, and a member for any change', async () => {
    const state = { ...valid.group, mailNickname: 'a', owners: [objectId], preventDuplicateNames: false };
    expect(await diff('group', state, valid.group)).toMatchObject({ changes: false });
    const changed = { ...valid.group, mailNickname: 'b', members: [] };
    expect((await diff('group', state, changed)).detailed).toEqual({
      mailNickname: 'update-replace',
      members: 'delete',
    });
    const other = { ...valid.groupMember, memberObjectId: '0a7d1e2f-0000-4000-8000-000000000002' };
    expect(await diff('groupMember', valid.groupMember, other)).toMatchObject({
      replaces: ['memberObjectId'],
    });
  });

  it('replace a password that is to be rotated', async () => {
    const state = { applicationId, rotateWhenChanged: { month: '1' }, keyId: objectId };
    const news = { applicationId, rotateWhenChanged: { month: '2' } };
    expect(await diff('password', state, news)).toMatchObject({ replaces: ['rotateWhenChanged'] });
  });
});

describe('what the plugin does not have', () => {
  it('is refused by name', async () => {
    const user = 'azuread:index/user:User';
    await expect(provider.create('', user, {}, now, context)).rejects.toThrow(
      `the local cloud's azuread plugin has no resource type '${user}': it has ${types.application}, `,
    );
    await expect(provider.invoke('azuread:index/getUser:getUser', {}, context)).rejects.toThrow(
      `no function 'azuread:index/getUser:getUser': it has ${functions.application}, `,
    );
  });
});

describe('the configuration', () => {
  const failures = async (config: Properties): Promise<Record<string, string>> => {
    const checked = await provider.checkConfig?.({}, config);
    return Object.fromEntries((checked?.failures ?? []).map(({ property, reason }) => [property, reason]));
  };

  it('is a service principal with a secret', async () => {
    const config = { clientId: 'c', clientSecret: new Secret('s'), tenantId: 't', environment: 'public' };
    expect(await failures({ ...config, useMsi: false, useCli: true, version: '6.9.1' })).toEqual({});
    expect(
      await failures({ useMsi: 'true', clientCertificate: 'x', environment: 'china', subscription: 's' }),
    ).toEqual({
      useMsi: expect.stringMatching(
        /not supported.*set clientId, clientSecret or useOidc, and tenantId/,
      ) as string,
      clientCertificate: expect.stringMatching(/not supported/) as string,
      environment: expect.stringMatching(/'china'.*global, public/) as string,
      subscription: "azuread has no configuration 'subscription'",
    });
  });

  it('may come from the environment, and names what is missing', async () => {
    await expect(provider.configure({ tenantId: 't' })).rejects.toThrow(
      'azuread has no credentials: set azuread:clientId or ARM_CLIENT_ID, azuread:clientSecret or ARM_CLIENT_SECRET',
    );
    const ARM = { ARM_CLIENT_ID: 'c', ARM_CLIENT_SECRET: 's', ARM_TENANT_ID: 't' };
    await expect(createProvider(ARM).configure({})).resolves.toBeUndefined();
  });
});

describe('times', () => {
  it.each([
    ['240h', 240 * 3_600_000],
    ['2400h30m', 2400.5 * 3_600_000],
    ['1.5h', 5_400_000],
    ['10ms', 10],
    ['1d', undefined],
    ['', undefined],
  ])('%p is a duration of %p ms', (text, milliseconds) => {
    expect(goDuration(text)).toBe(milliseconds);
  });

  it('are sent with whole seconds', () => {
    expect(wholeSeconds('2026-01-01T00:00:00.123456+02:00')).toBe('2026-01-01T00:00:00+02:00');
  });
});
