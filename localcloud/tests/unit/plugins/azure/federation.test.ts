import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSettings } from '../../../../plugins/azure-native/arm/settings';
import { readSettings as readEntraSettings } from '../../../../plugins/azuread/settings';

// What these do not prove: that Entra takes the tokens; tests/engine/bootstrap.test.ts does that.

const ids = { ARM_CLIENT_ID: 'c', ARM_TENANT_ID: 't', ARM_SUBSCRIPTION_ID: 's' };
const oidc = { ...ids, ARM_USE_OIDC: 'true' };

describe.each([
  ['azure-native', readSettings],
  ['azuread', readEntraSettings],
])('%s signs in with federation', (_, read) => {
  it('with the token of a variable, without a secret', async () => {
    expect(await read({}, { ...oidc, ARM_OIDC_TOKEN: 'a token' }).assertion?.()).toBe('a token');
    expect(await read({ useOidc: true, oidcToken: 'configured' }, ids).assertion?.()).toBe('configured');
  });

  it('with what a file has at each exchange', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'token-'));
    const file = path.join(folder, 'token');
    writeFileSync(file, 'first\n');
    const { assertion } = read({}, { ...oidc, ARM_OIDC_TOKEN_FILE_PATH: file });
    expect(await assertion?.()).toBe('first');
    writeFileSync(file, 'second');
    expect(await assertion?.()).toBe('second');
    rmSync(folder, { recursive: true });
  });

  it('with a token that it asks for, with the audience of Entra', async () => {
    const requests: string[] = [];
    const server = createServer(({ url = '', headers }, response) => {
      requests.push(`${headers.authorization ?? ''} ${url}`);
      response.end(headers.authorization === 'Bearer r' ? '{"value":"asked"}' : '<html>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?a=b`;
    const variables = { ...oidc, ACTIONS_ID_TOKEN_REQUEST_URL: url };
    expect(await read({}, { ...variables, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'r' }).assertion?.()).toBe('asked');
    await expect(read({}, { ...variables, ARM_OIDC_REQUEST_TOKEN: 'x' }).assertion?.()).rejects.toThrow(
      'answered 200 without a token',
    );
    expect(requests[0]).toBe('Bearer r /token?a=b&audience=api%3A%2F%2FAzureADTokenExchange');
    await new Promise((resolve) => server.close(resolve));
  });

  it('only if asked to, and says if there is no token', () => {
    expect(read({}, { ...ids, ARM_CLIENT_SECRET: 's', ARM_OIDC_TOKEN: 'x' }).assertion).toBeUndefined();
    expect(() => read({}, oidc)).toThrow('useOidc needs a token');
  });
});
