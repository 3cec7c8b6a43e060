import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { promisify } from 'node:util';
import { OTHER_SUBSCRIPTION_ID } from '../../../identity';
import { all, refusal, TestCloud, withCloud } from '../../support/azure';

const run = promisify(execFile);

describe('the server of the local Azure', () => {
  const cloud = withCloud();
  afterEach(() => cloud.azure.control.faults.clear());

  const arm = (rest: string, credential = cloud.administrator()) =>
    cloud.raw(`https://management.azure.com${rest}`, { credential });
  const subscription = () => `/subscriptions/${cloud.subscriptionId}`;
  const connect = (target: string): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const request = http.request({
        host: '127.0.0.1',
        port: cloud.azure.proxyPort,
        method: 'CONNECT',
        path: target,
      });
      request.on('connect', (response, socket, head) => {
        const chunks = [head];
        socket.on('data', (chunk: Buffer) => chunks.push(chunk));
        socket.on('close', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
        if (response.statusCode === 200) socket.destroy();
      });
      request.on('error', reject);
      request.end();
    });

  it('serves an unmodified process that has only the environment variables', async () => {
    const script = `
      const { ClientSecretCredential } = require('@azure/identity');
      const { ResourceManagementClient } = require('@azure/arm-resources');
      const credential = new ClientSecretCredential(process.env.T, process.env.C, process.env.S);
      new ResourceManagementClient(credential, process.env.SUB).resourceGroups.get('rg').then((g) => console.log(g.name));`;
    const { tenantId, clientId, clientSecret, subscriptionId } = cloud.azure.credentials;
    const { stdout } = await run(process.execPath, ['-e', script], {
      cwd: process.cwd(),
      env: {
        ...process.env,
        HTTPS_PROXY: `http://127.0.0.1:${cloud.azure.proxyPort}`,
        NO_PROXY: '127.0.0.1,localhost',
        NODE_EXTRA_CA_CERTS: cloud.azure.caFile,
        T: tenantId,
        C: clientId,
        S: clientSecret,
        SUB: subscriptionId,
      },
    });
    expect(stdout.trim()).toBe('rg');
  });

  it('answers paths with doubled slashes and in any case', async () => {
    const version = '?api-version=2024-03-01';
    expect((await arm(`/${subscription()}//resourceGroups/rg${version}`)).status).toBe(200);
    expect((await arm(`${subscription()}/RESOURCEGROUPS/RG${version}`)).body).toMatchObject({ name: 'rg' });
  });

  it('also serves the resource manager and Entra at its address, by path', async () => {
    const origin = `https://127.0.0.1:${cloud.azure.azurePort}`;
    const get = (rest: string): Promise<number> =>
      new Promise((resolve, reject) => {
        https
          .get(`${origin}${rest}`, { ca: readFileSync(cloud.azure.caFile) }, (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          })
          .on('error', reject);
      });
    expect(await get(`/${cloud.tenantId}/v2.0/.well-known/openid-configuration`)).toBe(200);
    expect(await get(`${subscription()}?api-version=2022-12-01`)).toBe(401);
    expect(await get('/_local/health')).toBe(200);
    expect(await get('/_local/audit')).toBe(401);
  });

  it.each([
    ['no api-version', '/subscriptions/SUB/resourceGroups/rg', 400, 'MissingApiVersionParameter'],
    [
      'an unknown api-version',
      '/subscriptions/SUB/resourceGroups/rg?api-version=1999-01-01',
      400,
      'InvalidApiVersionParameter',
    ],
    [
      'an unknown api-version of a provider',
      '/subscriptions/SUB/providers/Microsoft.KeyVault/vaults?api-version=1999-01-01',
      400,
      'NoRegisteredProviderFound',
    ],
    [
      'an unknown api-version of a type without a location',
      '/subscriptions/SUB/providers/Microsoft.Authorization/roleAssignments?api-version=1999-01-01',
      404,
      'InvalidResourceType',
    ],
    [
      'an api-version that is no date',
      '/subscriptions/SUB/providers/Microsoft.KeyVault/vaults?api-version=latest',
      400,
      'InvalidApiVersionParameter',
    ],
    [
      'an unknown namespace',
      '/subscriptions/SUB/providers/Microsoft.Batch/batchAccounts?api-version=2024-03-01',
      404,
      'InvalidResourceNamespace',
    ],
    [
      'an unknown type of a known namespace',
      '/subscriptions/SUB/providers/Microsoft.KeyVault/managedHSMs?api-version=2024-03-01',
      404,
      'InvalidResourceType',
    ],
    ['an unknown path', '/subscriptions/SUB/nonsense?api-version=2024-03-01', 404, 'InvalidResourceType'],
    ['an unknown method', '/subscriptions/SUB/locations', 405, 'MethodNotAllowed'],
    [
      'an unknown query',
      '/subscriptions/SUB/resourceGroups/rg?api-version=2024-03-01&what=1',
      400,
      'InvalidQueryParameter',
    ],
    [
      'another subscription',
      '/subscriptions/33333333-0000-0000-0000-000000000000?api-version=2022-12-01',
      404,
      'SubscriptionNotFound',
    ],
  ])('refuses %s by name', async (_what, rest, status, code) => {
    const reply = await cloud.raw(
      `https://management.azure.com${rest.replace('SUB', cloud.subscriptionId)}`,
      {
        method: status === 405 ? 'POST' : 'GET',
        credential: cloud.administrator(),
      },
    );
    expect(reply).toMatchObject({ status, body: { error: { code } } });
  });

  it('never repeats a body that is not JSON, because it may contain a secret', async () => {
    const vault = `${subscription()}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv-none`;
    const reply = await cloud.raw(`https://management.azure.com${vault}/secrets/one?api-version=2024-11-01`, {
      method: 'PUT',
      body: '{"value":needle',
      credential: cloud.administrator(),
    });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'InvalidRequestContent' } } });
    expect(JSON.stringify(reply.body)).not.toContain('needle');
  });

  it('refuses an encoded slash in a name', async () => {
    const identity = 'providers%2FMicrosoft.ManagedIdentity%2FuserAssignedIdentities%2Fid';
    const path = `${subscription()}/resourceGroups/rg%2F${identity}`;
    expect(await arm(`${path}?api-version=2024-03-01`)).toMatchObject({
      status: 400,
      body: { error: { code: 'BadRequest' } },
    });
  });

  it('refuses an unknown property by its path and lists the known ones', async () => {
    const body = JSON.stringify({ location: 'westeurope', properties: { sku: 'x' } });
    const reply = await cloud.raw(
      `https://management.azure.com${subscription()}/resourceGroups/rg-x?api-version=2024-03-01`,
      {
        method: 'PUT',
        body,
        credential: cloud.administrator(),
      },
    );
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain("Could not find member 'properties.sku'");
  });

  it('requires a valid token that is not expired and has its audience', async () => {
    const url = `https://management.azure.com${subscription()}?api-version=2022-12-01`;
    const withToken = (token: string) => cloud.raw(url, { headers: { authorization: `Bearer ${token}` } });
    const anonymous = await cloud.raw(url);
    expect(anonymous).toMatchObject({ status: 401, body: { error: { code: 'AuthenticationFailed' } } });
    expect(anonymous.headers['www-authenticate']).toContain(`https://login.windows.net/${cloud.tenantId}`);
    expect(await withToken('nonsense')).toMatchObject({
      body: { error: { code: 'InvalidAuthenticationToken' } },
    });
    const vaultToken = await cloud.administrator().getToken('https://vault.azure.net/.default');
    expect(await withToken(vaultToken?.token ?? '')).toMatchObject({
      body: { error: { code: 'InvalidAuthenticationTokenAudience' } },
    });
    const own = await TestCloud.start();
    try {
      const token = await own.administrator().getToken('https://management.azure.com/.default');
      own.azure.control.clock.advance(2 * 60 * 60 * 1000);
      const late = await own.raw(url, { headers: { authorization: `Bearer ${token?.token ?? ''}` } });
      expect(late).toMatchObject({ status: 401, body: { error: { code: 'ExpiredAuthenticationToken' } } });
      expect(await withToken(token?.token ?? '')).toMatchObject({
        body: { error: { code: 'InvalidAuthenticationToken' } },
      });
    } finally {
      await own.stop();
    }
  });

  it.each([
    ['example.com:443', 403, 'this is a local cloud'],
    ['127.0.0.1:22', 403, 'reach it directly'],
    ['management.azure.com:80', 403, 'only port 443'],
    ['a.b.vault.azure.net:443', 403, 'this is a local cloud'],
    ['management.azure.com:443', 200, ''],
  ])('the proxy, asked for %s, answers %i', async (target, status, text) => {
    const reply = await connect(target);
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(text);
  });

  it('injects faults: an error in the service’s own envelope, a number of times, or a delay', async () => {
    const { clock, faults } = cloud.azure.control;
    faults.add({
      method: 'GET',
      url: /resourceGroups\/rg$/,
      times: 1,
      reply: { status: 429, code: 'TooManyRequests', message: 'slow down', headers: { 'retry-after': '1' } },
    });
    const credential = cloud.administrator();
    const first = await arm(`${subscription()}/resourceGroups/rg?api-version=2024-03-01`, credential);
    expect(first).toMatchObject({ status: 429, body: { error: { code: 'TooManyRequests' } } });
    expect(first.headers['retry-after']).toBe('1');
    expect(await cloud.resources().resourceGroups.get('rg')).toMatchObject({ name: 'rg' });

    faults.add({
      times: 1,
      url: /kv-fault/,
      reply: { status: 409, code: 'Conflict', message: 'of the vault' },
    });
    const vaultReply = await cloud.raw('https://kv-fault.vault.azure.net/secrets?api-version=7.6');
    expect(vaultReply.body).toEqual({ error: { code: 'Conflict', message: 'of the vault' } });
    faults.add({
      times: 1,
      url: /microsoftonline/,
      reply: { status: 401, code: '70021', message: 'not yet' },
    });
    const login = cloud.administrator().getToken('https://vault.azure.net/.default');
    expect((await refusal(login)).message).toContain('AADSTS70021: not yet');

    faults.add({ url: /resourceGroups\/rg$/, delay: 60_000 });
    clock.auto = false;
    let answered = false;
    const slow = arm(`${subscription()}/resourceGroups/rg?api-version=2024-03-01`, credential).then(
      (reply) => {
        answered = true;
        return reply;
      },
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(answered).toBe(false);
    // On a busy machine the request may not have arrived yet.
    const advancing = setInterval(() => clock.advance(60_000), 20);
    expect((await slow).status).toBe(200);
    clearInterval(advancing);
    clock.auto = true;
  });

  it('keeps its state, authority and ports over a restart', async () => {
    const own = await TestCloud.start();
    try {
      await own.group('rg-kept');
      const { azurePort, proxyPort, caFile } = own.azure;
      const ca = readFileSync(caFile, 'utf8');
      const token = await own.administrator().getToken('https://management.azure.com/.default');
      // An interrupted write of a killed process.
      writeFileSync(path.join(own.stateDir, 'azure', 'resources', 'half.json.tmp'), '{"id":');

      await own.restart();

      expect(own.azure).toMatchObject({ azurePort, proxyPort });
      expect(readFileSync(own.azure.caFile, 'utf8')).toBe(ca);
      const read = await own.raw(
        `https://management.azure.com/subscriptions/${own.subscriptionId}/resourceGroups/rg-kept?api-version=2024-03-01`,
        { headers: { authorization: `Bearer ${token?.token ?? ''}` } },
      );
      expect(read.status).toBe(200);
      expect(existsSync(path.join(own.stateDir, 'azure', 'resources', 'half.json.tmp'))).toBe(false);
    } finally {
      await own.stop();
    }
  });

  it('reports a taken port that was requested', async () => {
    const taken = TestCloud.start({ ports: { azure: cloud.azure.azurePort } });
    await expect(taken).rejects.toThrow(`Port ${cloud.azure.azurePort} on 127.0.0.1 is taken`);
  });

  it('stores secrets encrypted, and keys readable only by their owner', async () => {
    await cloud.makeVault('kv-disk');
    await cloud.secrets('kv-disk').setSecret('plain', 'needle-in-the-haystack');
    const files = (readdirSync(cloud.stateDir, { recursive: true }) as string[])
      .map((name) => path.join(cloud.stateDir, name))
      .filter((file) => statSync(file).isFile());
    const holding = files.filter((file) => readFileSync(file).includes('needle-in-the-haystack'));
    const secret = files.filter((file) => /\.key$|credentials\.json$/.test(file));
    const stored = files.filter((file) => readFileSync(file).includes(cloud.azure.credentials.clientSecret));

    expect(holding).toEqual([]);
    expect(secret.length).toBeGreaterThanOrEqual(5);
    expect(secret.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([]);
    expect(stored).toEqual([path.join(cloud.stateDir, 'credentials.json')]);
  });

  it('lists subscriptions, tenants, locations and providers', async () => {
    const value = async (rest: string) => {
      const reply = await arm(rest);
      return (reply.body as { value: Record<string, unknown>[] }).value;
    };
    expect(await value('/subscriptions?api-version=2022-12-01')).toMatchObject([
      { subscriptionId: cloud.subscriptionId },
      { subscriptionId: OTHER_SUBSCRIPTION_ID },
    ]);
    expect(await value('/tenants?api-version=2022-12-01')).toMatchObject([{ tenantId: cloud.tenantId }]);
    const locations = await value(`${subscription()}/locations?api-version=2022-12-01`);
    expect(locations.map((each) => each['name'])).toContain('westeurope');
    expect((await arm(`${subscription()}?api-version=2022-12-01`)).body).toMatchObject({ state: 'Enabled' });
    const namespaces = (await all(cloud.resources().providers.list())).map((each) => each.namespace);
    expect(namespaces).toContain('Microsoft.ContainerService');
    const provider = await cloud.resources().providers.get('Microsoft.KeyVault');
    expect(provider.registrationState).toBe('Registered');
    expect((await cloud.resources().providers.register('Microsoft.KeyVault')).namespace).toBe(
      'Microsoft.KeyVault',
    );
    const nobody = cloud.principal('sees-nothing');
    expect((await arm('/subscriptions?api-version=2022-12-01', nobody.credential)).body).toEqual({
      value: [],
    });
  });

  it('returns the audit record to callers who may read it', async () => {
    const url = `https://127.0.0.1:${cloud.azure.azurePort}/_local/audit`;
    const token = await cloud.administrator().getToken('https://management.azure.com/.default');
    const body = await new Promise<string>((resolve, reject) => {
      https
        .get(
          url,
          {
            ca: readFileSync(cloud.azure.caFile),
            headers: { authorization: `Bearer ${token?.token ?? ''}` },
          },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('end', () => resolve(Buffer.concat(chunks).toString()));
          },
        )
        .on('error', reject);
    });
    expect(body).toContain('"grant":"secret"');
    expect(body).not.toContain(token?.token ?? 'no token');
  });
});
