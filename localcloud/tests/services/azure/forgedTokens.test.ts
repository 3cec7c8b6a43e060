import { readFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose';
import { SigningKey } from '../../../azure/identity/signingKey';
import { ADMINISTRATOR_OBJECT_ID } from '../../../identity';
import { withCloud } from '../../support/azure';

const MANAGEMENT = 'https://management.azure.com';

/** Tokens that only the directory's own key can sign: what a service still refuses of them. */
describe('a token of the administrator', () => {
  const cloud = withCloud();
  beforeAll(() => cloud.makeVault('kv-forged'));

  const services = (): [audience: string, url: string][] => [
    [MANAGEMENT, `${MANAGEMENT}/subscriptions/${cloud.subscriptionId}?api-version=2022-12-01`],
    [MANAGEMENT, `https://127.0.0.1:${cloud.azure.azurePort}/_local/audit`],
    ['https://vault.azure.net', 'https://kv-forged.vault.azure.net/secrets?api-version=7.6'],
    ['https://graph.microsoft.com', 'https://graph.microsoft.com/v1.0/applications'],
  ];
  const direct = (url: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { ca: readFileSync(cloud.azure.caFile), headers };
      https.get(url, options, (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
  const isTaken = async (url: string, claims: JWTPayload): Promise<boolean> => {
    const key = new SigningKey(path.join(cloud.stateDir, 'azure', 'signing.key'));
    const { clientId } = cloud.azure.credentials;
    const token = await new SignJWT({
      ...{ iss: `https://sts.windows.net/${cloud.tenantId}/`, tid: cloud.tenantId },
      ...{ appid: clientId, oid: ADMINISTRATOR_OBJECT_ID, uti: 'forged', exp: 4_000_000_000 },
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: key.keyId })
      .sign(key.privateKey);
    const headers = { authorization: `Bearer ${token}` };
    // The proxy leads to no address of this machine.
    const status = url.startsWith('https://127.')
      ? await direct(url, headers)
      : (await cloud.raw(url, { headers })).status;
    // Its owner may not read every vault.
    return status === 200 || (status === 403 && url.includes('kv-'));
  };

  it.each([
    ['as it is', true, {}],
    ['without an end', false, { exp: undefined }],
    ['that has ended', false, { exp: 1 }],
    ['of another directory', false, { iss: 'https://sts.windows.net/99999999-9999-4999-8999-999999999999/' }],
    ['for another audience', false, { aud: 'https://management.evil.example' }],
    ['for an audience with a path', false, { aud: `${MANAGEMENT}/x` }],
    ['for an address of this machine that is not the cloud’s', false, { aud: 'https://127.0.0.1:1' }],
  ])('%s is taken by every service or by none: %s', async (_what, taken, change) => {
    for (const [aud, url] of services())
      expect([url, await isTaken(url, { aud, ...change })]).toEqual([url, taken]);
  });
});
