import { createHash, createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { withCloud } from '../../support/azure';
import type { TestCertificate } from '../../support/certificates';
import { selfSigned } from '../../support/certificates';

const SCOPE = 'https://vault.azure.net/.default';
const FORM = 'application/x-www-form-urlencoded';

describe('the assertion of a certificate', () => {
  const cloud = withCloud();
  const AUTHORITY = 'https://login.microsoftonline.com';
  let own: TestCertificate;
  let id: string;

  beforeAll(async () => {
    own = await selfSigned();
    const created = cloud.azure.control.addServicePrincipal({
      displayName: 'asserting',
      certificates: [own.certificate],
    });
    id = created.clientId;
  });
  /** The answer to an assertion that is right but for the change. */
  const assert = async (change: Record<string, unknown>, version = 'oauth2/v2.0/token') => {
    const now = Math.floor(cloud.azure.control.clock.now() / 1000);
    const assertion = await new SignJWT({
      ...{
        aud: `${AUTHORITY}/${cloud.tenantId}/oauth2/v2.0/token`,
        iss: id,
        sub: id,
        exp: now + 300,
        nbf: now,
      },
      ...change,
    })
      .setProtectedHeader({
        alg: 'PS256',
        'x5t#S256': createHash('sha256').update(Buffer.from(own.der, 'base64')).digest('base64url'),
      })
      .sign(createPrivateKey(own.bundle.slice(own.bundle.indexOf('-----BEGIN PRIVATE'))));
    const { status, body } = await cloud.raw(`${AUTHORITY}/${cloud.tenantId}/${version}`, {
      method: 'POST',
      headers: { 'content-type': FORM },
      body: new URLSearchParams({
        ...{ grant_type: 'client_credentials', client_id: id, scope: SCOPE },
        resource: 'https://vault.azure.net',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      }).toString(),
    });
    return { status, code: (body as { error_codes?: number[] }).error_codes?.[0] };
  };

  it('takes the issuer and the token endpoints of both versions as the audience', async () => {
    for (const origin of [AUTHORITY, `https://127.0.0.1:${cloud.azure.azurePort}`])
      for (const path of ['v2.0', 'oauth2/v2.0/token', 'oauth2/token'])
        for (const version of ['oauth2/v2.0/token', 'oauth2/token'])
          expect(await assert({ aud: `${origin}/${cloud.tenantId}/${path}` }, version)).toMatchObject({
            status: 200,
          });
  });

  it.each([
    ['another host', (tenant: string) => `https://evil.example/${tenant}/v2.0`],
    ['a host that begins as it', (tenant: string) => `${AUTHORITY}.evil.example/${tenant}/v2.0`],
    ['a host after it', (tenant: string) => `${AUTHORITY}@evil.example/${tenant}/v2.0`],
    ['another scheme', (tenant: string) => `http://login.microsoftonline.com/${tenant}/v2.0`],
    ['another port', (tenant: string) => `${AUTHORITY}:444/${tenant}/v2.0`],
    ['another port of this machine', (tenant: string) => `https://127.0.0.1:1/${tenant}/v2.0`],
    ['another tenant', () => `${AUTHORITY}/99999999-9999-4999-8999-999999999999/v2.0`],
    ['any tenant', () => `${AUTHORITY}/common/v2.0`],
    ['no tenant', () => `${AUTHORITY}/v2.0`],
    ['a path before it', (tenant: string) => `${AUTHORITY}/x/${tenant}/v2.0`],
    ['a path after it', (tenant: string) => `${AUTHORITY}/${tenant}/v2.0/x`],
    ['a slash after it', (tenant: string) => `${AUTHORITY}/${tenant}/v2.0/`],
    ['a query', (tenant: string) => `${AUTHORITY}/${tenant}/v2.0?x`],
    ['a line after it', (tenant: string) => `${AUTHORITY}/${tenant}/v2.0\n`],
    ['no path', (tenant: string) => `${AUTHORITY}/${tenant}`],
    ['a resource', () => 'https://vault.azure.net'],
    ['the audience of federation', () => 'api://AzureADTokenExchange'],
    ['nothing', () => ''],
  ])('refuses an audience with %s', async (_what, audience) => {
    expect(await assert({ aud: audience(cloud.tenantId) })).toEqual({ status: 401, code: 700023 });
  });

  const other = '99999999-9999-4999-8999-999999999999';
  it.each([
    ['another subject', { sub: other }, 50048],
    ['another issuer', { iss: other }, 50048],
    ['another client', { iss: other, sub: other }, 700021],
    ['a URL as the issuer, which no credential trusts', { iss: 'https://evil.example' }, 70021],
    ['no end', { exp: undefined }, 50027],
    ['two audiences', { aud: ['a', 'b'] }, 5002741],
  ])('refuses %s', async (_what, change, code) => {
    expect(await assert(change)).toMatchObject({ code });
  });
});
