import { clusterWithIssuer, refusal, withCloud } from '../../support/azure';
import { selfSigned } from '../../support/certificates';

const SCOPE = 'https://vault.azure.net/.default';
const SUBJECT = 'system:serviceaccount:orders:orders';
const FORM = 'application/x-www-form-urlencoded';
const CORRELATION = '6f1f0b8e-34a2-4b0e-8f0a-0d8a1f6f3a11';
const FIVE_MINUTES = 5 * 60 * 1000;

describe('tokens, through @azure/identity', () => {
  const cloud = withCloud();
  let issuer: string;
  let otherIssuer: string;
  let clientId: string;

  beforeAll(async () => {
    const { managedClusters } = cloud.clusters();
    const [one, two] = await Promise.all([
      managedClusters.createOrUpdate('rg', 'aks-1', clusterWithIssuer()),
      managedClusters.createOrUpdate('rg', 'aks-2', clusterWithIssuer()),
    ]);
    issuer = one.oidcIssuerProfile?.issuerURL ?? '';
    otherIssuer = two.oidcIssuerProfile?.issuerURL ?? '';
    const client = cloud.identities();
    const identity = await client.userAssignedIdentities.createOrUpdate('rg', 'id-app', {
      location: 'westeurope',
    });
    clientId = identity.clientId ?? '';
    await client.federatedIdentityCredentials.createOrUpdate('rg', 'id-app', 'orders', {
      issuer,
      subject: SUBJECT,
      audiences: ['api://AzureADTokenExchange'],
    });
  });
  afterEach(() => {
    cloud.azure.control.faults.clear();
    cloud.runtime.fetched.length = 0;
  });

  const exchange = (assertion: () => Promise<string>, id = clientId) =>
    cloud.assertionCredential(id, assertion).getToken(SCOPE);
  const claims = (token: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >;
  const last = () => cloud.azure.control.audit().at(-1);

  it('exchanges a service account token for an access token of the identity', async () => {
    const { token } = await exchange(() => cloud.runtime.token({ issuer, subject: SUBJECT }));

    expect(claims(token)).toMatchObject({
      aud: 'https://vault.azure.net',
      appid: clientId,
      tid: cloud.tenantId,
      iss: `https://sts.windows.net/${cloud.tenantId}/`,
      ver: '1.0',
    });
    expect(last()).toMatchObject({
      clientId,
      grant: 'federated',
      outcome: 'issued',
      issuer,
      subject: SUBJECT,
      credential: 'orders',
      resource: 'https://vault.azure.net',
      tokenId: claims(token)['uti'],
    });
    expect(JSON.stringify(cloud.azure.control.audit())).not.toContain(token);
  });

  it.each([
    ['another subject', { subject: 'system:serviceaccount:orders:other' }, 700213],
    ['another audience', { audience: 'openshift' }, 700212],
    ['a subject that differs in case', { subject: 'system:serviceaccount:Orders:orders' }, 7002138],
    ['an audience that differs in case', { audience: 'api://azureadtokenexchange' }, 7002138],
    ['an assertion from long ago', { issuedAt: 1_600_000_000 }, 700024],
    ['an assertion from the future', { issuedAt: 4_000_000_000 }, 700024],
    ['an assertion from beyond all dates', { issuedAt: 1e200 }, 700024],
    ['an assertion from before all dates', { issuedAt: -1e200 }, 700024],
    ['a second audience', { audience: ['api://AzureADTokenExchange', 'openshift'] }, 5002741],
    [
      'the same audience twice',
      { audience: ['api://AzureADTokenExchange', 'api://AzureADTokenExchange'] },
      5002741,
    ],
    ['no audience', { audience: [] }, 50027],
    ['a key id that the issuer does not have', { keyId: 'unknown' }, 7000272],
    ['no key id', { keyId: null }, 7000272],
  ])('refuses %s', async (_what, change, code) => {
    const refused = await refusal(
      exchange(() => cloud.runtime.token({ issuer, subject: SUBJECT, ...change })),
    );
    expect(refused.message).toContain(`AADSTS${code}:`);
    expect(last()).toMatchObject({ outcome: 'refused', error: code });
  });

  it("refuses another cluster's token for the same service account", async () => {
    const refused = await refusal(
      exchange(() => cloud.runtime.token({ issuer: otherIssuer, subject: SUBJECT })),
    );
    expect(refused.message).toContain('AADSTS700211:');
  });

  it("refuses a token that names the issuer and is signed by another's key", async () => {
    const forged = () => cloud.runtime.forgedToken({ issuer, subject: SUBJECT }, otherIssuer);
    expect((await refusal(exchange(forged))).message).toContain('AADSTS50013:');
  });

  it("refuses a token with another cluster's key id, as its issuer does not publish that key", async () => {
    const theirs = await cloud.runtime.token({ issuer: otherIssuer, subject: SUBJECT });
    const { kid } = JSON.parse(Buffer.from(theirs.split('.')[0] ?? '', 'base64url').toString()) as {
      kid: string;
    };
    const token = await cloud.runtime.token({ issuer, subject: SUBJECT, keyId: kid });
    const reply = await post({
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: token,
    });
    expect(reply).toMatchObject({ status: 401, body: { error: 'invalid_client', error_codes: [7000272] } });
  });

  it('refuses an identity without credentials, an unknown client and a malformed assertion', async () => {
    const bare = await cloud
      .identities()
      .userAssignedIdentities.createOrUpdate('rg', 'bare', { location: 'westeurope' });
    const good = () => cloud.runtime.token({ issuer, subject: SUBJECT });
    expect((await refusal(exchange(good, bare.clientId))).message).toContain('AADSTS70021:');
    const unknown = '99999999-9999-4999-8999-999999999999';
    expect((await refusal(exchange(good, unknown))).message).toContain('AADSTS700016:');
    expect((await refusal(exchange(() => Promise.resolve('a.b.c')))).message).toContain('AADSTS50027:');
  });

  it('reports a missing credential while it propagates', async () => {
    cloud.azure.control.faults.federatedCredentialPropagation = FIVE_MINUTES;
    const good = () => cloud.runtime.token({ issuer, subject: SUBJECT, lifetime: 10 * 3600 });
    expect((await refusal(exchange(good))).message).toContain('AADSTS70021:');
    cloud.azure.control.clock.advance(FIVE_MINUTES);
    expect((await exchange(good)).token).not.toBe('');
  });

  it('fetches the keys of the issuer once, and again when the token names an unknown one', async () => {
    const good = () => cloud.runtime.token({ issuer, subject: SUBJECT, lifetime: 10 * 3600 });
    await exchange(good);
    cloud.runtime.fetched.length = 0;
    await exchange(good);
    expect(cloud.runtime.fetched).toEqual([]);

    const spec = cloud.runtime.ensured.find((each) => each.issuer === issuer);
    if (spec === undefined) throw new Error('no cluster');
    await cloud.runtime.renewKey(spec);
    await exchange(good);
    expect(cloud.runtime.fetched).toEqual(['discovery', 'keys']);
  });

  it('reports an unreachable issuer', async () => {
    await cloud.identities().federatedIdentityCredentials.createOrUpdate('rg', 'id-app', 'lost', {
      issuer: `https://westeurope.oic.prod-aks.azure.com/${cloud.tenantId}/none/`,
      subject: SUBJECT,
      audiences: ['api://AzureADTokenExchange'],
    });
    const token = await cloud.runtime.token({ issuer, subject: SUBJECT, lifetime: 10 * 3600 });
    const [header = '', payload = '', signature = ''] = token.split('.');
    const body = {
      ...claims(token),
      iss: `https://westeurope.oic.prod-aks.azure.com/${cloud.tenantId}/none/`,
    };
    const changed = [header, Buffer.from(JSON.stringify(body)).toString('base64url'), signature].join('.');
    expect(payload).not.toBe('');
    expect((await refusal(exchange(() => Promise.resolve(changed)))).message).toContain('AADSTS90061:');
  });

  it('issues a token for a client secret, and refuses wrong and expired ones', async () => {
    const good = cloud.principal('with-secret');
    expect((await good.credential.getToken(SCOPE))?.token).toMatch(/^ey/);
    expect(last()).toMatchObject({ grant: 'secret', outcome: 'issued', displayName: 'with-secret' });

    const wrong = cloud.secretCredential(good.clientId, 'not-it');
    expect((await refusal(wrong.getToken(SCOPE))).message).toContain('AADSTS7000215:');
    const expired = cloud.azure.control.addServicePrincipal({
      displayName: 'expired',
      secret: 'not-secret',
      secretExpiresAt: 0,
    });
    const late = cloud.secretCredential(expired.clientId, 'not-secret');
    expect((await refusal(late.getToken(SCOPE))).message).toContain('AADSTS7000222:');
  });

  it('issues a token for a registered certificate, and refuses another', async () => {
    const [own, other] = [await selfSigned(), await selfSigned()];
    const principal = cloud.azure.control.addServicePrincipal({
      displayName: 'certificate',
      certificates: [own.certificate],
    });
    const signIn = ({ bundle }: { bundle: string }) =>
      cloud.certificateCredential(principal.clientId, bundle).getToken(SCOPE);
    const { token } = await signIn(own);
    expect(claims(token)).toMatchObject({ appidacr: '2' });
    expect(last()).toMatchObject({ grant: 'certificate', outcome: 'issued' });
    expect((await refusal(signIn(other))).message).toContain('AADSTS700027:');
  });

  it('says in a token how the client proved who it is, and which identity it is', async () => {
    const { clientId: id, clientSecret } = cloud.azure.credentials;
    const bySecret = await cloud.secretCredential(id, clientSecret).getToken(SCOPE);
    const good = () => cloud.runtime.token({ issuer, subject: SUBJECT, lifetime: 10 * 3600 });
    expect(claims(bySecret.token)).toMatchObject({ appid: id, appidacr: '1' });
    expect(claims(bySecret.token)).not.toHaveProperty('xms_mirid');
    expect(claims((await exchange(good)).token)).toMatchObject({
      ...{ appid: clientId, appidacr: '2' },
      xms_mirid: `/subscriptions/${cloud.subscriptionId}/resourcegroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-app`,
    });
  });

  const post = (
    change: Record<string, string | undefined>,
    { type = FORM, tenant = cloud.tenantId, more = '' } = {},
  ) => {
    const fields: Record<string, string | undefined> = {
      grant_type: 'client_credentials',
      scope: SCOPE,
      ...change,
    };
    const form = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
    return cloud.raw(`https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: `${new URLSearchParams(form).toString()}${more}`,
    });
  };

  it.each([
    ['a parameter twice', {}, { more: '&scope=x' }, 'invalid_request', 9000411],
    ['an unused parameter twice', {}, { more: '&x=1&x=1' }, 'invalid_request', 9000411],
    ['a body of another content type', {}, { type: 'application/json' }, 'invalid_request', 900144],
    ['a body of no content type', {}, { type: '' }, 'invalid_request', 900144],
    ['an unknown tenant', {}, { tenant: 'contoso' }, 'invalid_request', 90002],
    [
      'another type of assertion',
      { client_secret: undefined, client_assertion: 'a.b.c', client_assertion_type: 'urn:other' },
      {},
      'invalid_request',
      90011,
    ],
    [
      'an assertion without its type',
      { client_secret: undefined, client_assertion: 'a.b.c' },
      {},
      'invalid_request',
      90011,
    ],
  ])('refuses %s and records it', async (_what, change, options, error, code) => {
    const before = cloud.azure.control.audit().length;
    const { clientId: id, clientSecret } = cloud.azure.credentials;
    const reply = await post({ client_id: id, client_secret: clientSecret, ...change }, options);
    expect(reply).toMatchObject({ status: 400, body: { error, error_codes: [code] } });
    expect(cloud.azure.control.audit()).toHaveLength(before + 1);
    expect(last()).toMatchObject({ outcome: 'refused', error: code });
  });

  it.each([
    [
      'a resource that is not there',
      { scope: 'https://example.invalid/.default' },
      'invalid_resource',
      500011,
    ],
    ['a scope without /.default', { scope: 'https://vault.azure.net/user' }, 'invalid_scope', 1002012],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type', 70003],
    ['no scope', { scope: '' }, 'invalid_request', 900144],
    ['no credential', { client_secret: undefined }, 'invalid_client', 7000218],
  ])('refuses %s with the full envelope', async (_what, change, error, code) => {
    const { clientId: id, clientSecret } = cloud.azure.credentials;
    const fields = {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: clientSecret,
      scope: SCOPE,
      ...change,
    };
    const form = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
    const reply = await cloud.raw(`https://login.microsoftonline.com/${cloud.tenantId}/oauth2/v2.0/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'client-request-id': CORRELATION },
      body: new URLSearchParams(form).toString(),
    });
    expect(reply.body).toMatchObject({
      error,
      error_codes: [code],
      correlation_id: CORRELATION,
      error_uri: `https://login.microsoftonline.com/error?code=${code}`,
    });
    expect((reply.body as { error_description: string }).error_description).toMatch(
      new RegExp(`^AADSTS${code}: .* Trace ID: [0-9a-f-]+ Correlation ID: ${CORRELATION} Timestamp: \\d{4}-`),
    );
  });

  it.each(['€', 'a\r\nx-header: b'])('answers a client that calls its request %j', async (own) => {
    const { clientId: id, clientSecret } = cloud.azure.credentials;
    const reply = await post({ client_id: id, client_secret: clientSecret, 'client-request-id': own });

    expect(reply.headers['client-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const withInvalidId = cloud.raw(`https://login.microsoftonline.com/${cloud.tenantId}/oauth2/v2.0/token`, {
      ...{ method: 'POST', headers: { 'content-type': FORM, 'client-request-id': 'no guid' } },
    });
    expect((await withInvalidId).headers['client-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(reply.headers['x-header']).toBeUndefined();
  });

  it('does not let an unknown caller fill the audit record', async () => {
    const id = 'x'.repeat(100_000);
    expect((await refusal(exchange(() => Promise.resolve('a.b.c'), id))).message).toContain('AADSTS');
    expect(last()?.clientId).toHaveLength(1001);
  });

  it('publishes discovery, keys and instance metadata; refuses another tenant', async () => {
    const get = async (rest: string) => (await cloud.raw(`https://login.microsoftonline.com/${rest}`)).body;
    expect(await get(`${cloud.tenantId}/v2.0/.well-known/openid-configuration`)).toMatchObject({
      token_endpoint: `https://login.microsoftonline.com/${cloud.tenantId}/oauth2/v2.0/token`,
    });
    expect(await get(`${cloud.tenantId}/discovery/v2.0/keys`)).toMatchObject({
      keys: [{ kty: 'RSA', use: 'sig' }],
    });
    expect(await get('common/discovery/instance')).toMatchObject({ 'api-version': '1.1' });
    for (const document of ['v2.0/.well-known/openid-configuration', 'discovery/v2.0/keys']) {
      expect(await get(`contoso/${document}`)).toMatchObject({
        error: 'invalid_tenant',
        error_codes: [90002],
      });
    }
  });
});
