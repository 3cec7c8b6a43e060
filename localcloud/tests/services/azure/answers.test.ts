import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { groupId, withCloud } from '../../support/azure';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ARM = 'https://management.azure.com';
const VERSION = 'api-version=2024-03-01';
const TOO_LARGE = `"${'x'.repeat(4 * 1024 * 1024)}"`;

describe('every answer', () => {
  const cloud = withCloud();
  const group = groupId('rg');
  afterEach(() => cloud.azure.control.faults.clear());

  const arm = (method: string, rest: string, options: Parameters<typeof cloud.raw>[1] = {}) =>
    cloud.raw(`${ARM}${rest}`, { method, credential: cloud.administrator(), ...options });

  it.each([
    ['a success', 'GET', `${group}?${VERSION}`, {}, 200, undefined],
    [
      'a request without a token',
      'GET',
      `${group}?${VERSION}`,
      { credential: undefined },
      401,
      'AuthenticationFailed',
    ],
    ['a missing group', 'GET', `${groupId('none')}?${VERSION}`, {}, 404, 'ResourceGroupNotFound'],
    ['an unknown path', 'GET', `/subscriptions/SUB/nonsense?${VERSION}`, {}, 404, 'InvalidResourceType'],
    ['another method', 'POST', `${group}?${VERSION}`, {}, 405, 'MethodNotAllowed'],
    ['a method of other protocols', 'PROPFIND', `${group}?${VERSION}`, {}, 405, 'MethodNotAllowed'],
    ['the method TRACE', 'TRACE', `${group}?${VERSION}`, {}, 405, 'MethodNotAllowed'],
    ['the method OPTIONS', 'OPTIONS', `${group}?${VERSION}`, {}, 405, 'MethodNotAllowed'],
    ['a path that is not well encoded', 'GET', `/subscriptions/%zz?${VERSION}`, {}, 400, 'BadRequest'],
    ['a large body', 'PUT', `${group}?${VERSION}`, { body: TOO_LARGE }, 413, 'RequestContentTooLarge'],
    [
      'a body of another content type',
      'PUT',
      `${group}?${VERSION}`,
      { body: '<xml/>', headers: { 'content-type': 'application/xml' } },
      415,
      'UnsupportedMediaType',
    ],
    [
      'a body with an invalid content type',
      'PUT',
      `${group}?${VERSION}`,
      { body: '{}', headers: { 'content-type': '' } },
      415,
      'UnsupportedMediaType',
    ],
    ['a body that is not JSON', 'PUT', `${group}?${VERSION}`, { body: '{' }, 400, 'InvalidRequestContent'],
  ])(
    'of the resource manager has its headers and envelope: %s',
    async (_what, method, rest, options, status, code) => {
      const reply = await arm(method, rest.replace('SUB', cloud.subscriptionId), options);
      const error = { code, message: expect.any(String) as string };
      expect(reply).toMatchObject({ status, body: code === undefined ? { name: 'rg' } : { error } });
      expect(Object.keys(reply.body as object)).not.toContain('statusCode');
      expect(reply.headers['x-ms-request-id']).toMatch(GUID);
      expect(reply.headers['x-ms-correlation-request-id']).toMatch(GUID);
      expect(Date.parse(reply.headers['date'] ?? '')).not.toBeNaN();
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );

  it('says what is allowed instead, in Azure’s words', async () => {
    expect((await arm('TRACE', `${group}?${VERSION}`)).body).toMatchObject({
      error: {
        message: `The HTTP method 'TRACE' is not supported on the resource '${ARM}${group}'. Supported here: DELETE, GET, PATCH, PUT.`,
      },
    });
    const text = await arm('PUT', `${group}?${VERSION}`, {
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(text.body).toEqual({
      error: {
        code: 'UnsupportedMediaType',
        message:
          "The content media type 'text/plain' is not supported. Only 'application/json' is supported.",
      },
    });
    expect((await arm('PUT', `${group}?${VERSION}`, { body: TOO_LARGE })).body).toEqual({
      error: {
        code: 'RequestContentTooLarge',
        message: 'The request content size exceeds the maximum size of 4 MB.',
      },
    });
  });

  it('to an unexpected error says nothing of its reason', async () => {
    await cloud.clusters().managedClusters.createOrUpdate('rg', 'aks', {
      location: 'westeurope',
      dnsPrefix: 'dns',
      identity: { type: 'SystemAssigned' },
      agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
    });
    cloud.runtime.kubeconfig = () => Promise.reject(new Error('a needle'));
    const path = `${group}/providers/Microsoft.ContainerService/managedClusters/aks/listClusterAdminCredential`;
    const reply = await arm('POST', `${path}?api-version=2025-09-01`);
    expect(reply).toMatchObject({ status: 500, body: { error: { code: 'InternalServerError' } } });
    expect(JSON.stringify(reply.body)).toContain(reply.headers['x-ms-request-id']);
    expect(JSON.stringify(reply.body)).not.toContain('needle');
  });

  it('has the headers with an injected fault too, and those of the fault win', async () => {
    cloud.azure.control.faults.add({
      times: 1,
      reply: {
        status: 429,
        code: 'TooManyRequests',
        message: 'slow',
        headers: { 'x-ms-request-id': 'mine' },
      },
    });
    const reply = await arm('GET', `${group}?${VERSION}`, { credential: undefined });
    expect(reply).toMatchObject({ status: 429, headers: { 'x-ms-request-id': 'mine', pragma: 'no-cache' } });
    expect(reply.headers['x-ms-correlation-request-id']).toMatch(GUID);
  });

  it('repeats the ids of the client, as the activity log does', async () => {
    const correlation = '6f1f0b8e-34a2-4b0e-8f0a-0d8a1f6f3a11';
    const own = '0d4b6b4e-76ad-4d47-a7c2-3f0d9b8c2f55';
    const headers = { 'x-ms-correlation-request-id': correlation, 'x-ms-client-request-id': own };
    const body = JSON.stringify({ location: 'westeurope' });
    const reply = await arm('PUT', `${group}?${VERSION}`, { body, headers });
    expect(reply.headers['x-ms-correlation-request-id']).toBe(correlation);
    expect(reply.headers['x-ms-client-request-id']).toBeUndefined();
    const echoed = await arm('GET', `${group}?${VERSION}`, {
      headers: { ...headers, 'x-ms-return-client-request-id': 'true' },
    });
    expect(echoed.headers['x-ms-client-request-id']).toBe(own);

    const other = await arm('GET', `${group}?${VERSION}`, {
      headers: { 'x-ms-correlation-request-id': "no guid'" },
    });
    expect(other.headers['x-ms-correlation-request-id']).toMatch(GUID);

    const filter = `eventTimestamp ge 2020-01-01 and correlationId eq '${correlation}'`;
    const events = await arm(
      'GET',
      `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Insights/eventtypes/management/values?api-version=2015-04-01&$filter=${encodeURIComponent(filter)}`,
    );
    expect((events.body as { value: unknown[] }).value).toHaveLength(1);
  });

  it('of Entra and of a vault is in their own envelope', async () => {
    const entra = `https://login.microsoftonline.com/${cloud.tenantId}/oauth2/v2.0/token`;
    for (const [method, body, status] of [
      ['PROPFIND', undefined, 405],
      ['GET', undefined, 405],
      ['POST', TOO_LARGE, 413],
    ] as const) {
      const reply = await cloud.raw(entra, { method, body });
      expect(reply).toMatchObject({
        status,
        headers: { pragma: 'no-cache', 'x-ms-request-id': expect.stringMatching(GUID) as string },
        body: {
          error: 'invalid_request',
          error_description: expect.stringMatching(/^AADSTS\d+: /) as string,
        },
      });
      expect((reply.body as { trace_id: string }).trace_id).toBe(reply.headers['x-ms-request-id']);
    }
    await cloud.vaults().vaults.createOrUpdate('rg', 'kv-answers', {
      location: 'westeurope',
      properties: { tenantId: cloud.tenantId, sku: { family: 'A', name: 'standard' }, accessPolicies: [] },
    });
    const vault = 'https://kv-answers.vault.azure.net/secrets/one?api-version=7.6';
    const credential = cloud.administrator();
    expect(await cloud.raw(vault, { method: 'PROPFIND', credential })).toMatchObject({
      status: 405,
      headers: { 'x-ms-request-id': expect.stringMatching(GUID) as string },
      body: { error: { code: 'MethodNotAllowed' } },
    });
    expect(await cloud.raw(vault, { method: 'PUT', credential, body: TOO_LARGE })).toMatchObject({
      status: 413,
      body: { error: { code: 'RequestContentTooLarge' } },
    });
  });

  it.each([
    [{ location: 5 }, "'location': a value of the type string is needed."],
    [{ location: 'westeurope', tags: ['a'] }, "'tags': a value of the type record is needed."],
    [{}, "'location': a value is needed."],
    [null, 'The body: a value of the type object is needed.'],
  ])('name what is wrong in a body: %j', async (body, message) => {
    const id = `/subscriptions/${cloud.subscriptionId}/resourceGroups/rg-wrong`;
    const url = `https://management.azure.com${id}?api-version=2021-04-01`;
    const reply = await cloud.raw(url, {
      method: 'PUT',
      credential: cloud.administrator(),
      body: JSON.stringify(body),
    });

    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'InvalidRequestContent' } } });
    expect(JSON.stringify(reply.body)).toContain(message);
  });

  it.each([
    ['that is not HTTP', 'NONSENSE\r\n\r\n', 400],
    ['of an unknown method', `FOO ${group}?${VERSION} HTTP/1.1\r\nHost: management.azure.com\r\n\r\n`, 405],
    ['for a tunnel', `CONNECT ${group} HTTP/1.1\r\nHost: management.azure.com\r\n\r\n`, 405],
    ['without a host', `GET ${group}?${VERSION} HTTP/1.1\r\nConnection: close\r\n\r\n`, 401],
    [
      'with too many headers',
      `GET / HTTP/1.1\r\nHost: management.azure.com\r\n${'x-header: y\r\n'.repeat(2000)}\r\n`,
      431,
    ],
  ])('has the envelope for a request %s', async (_what, text, status) => {
    const socket = tls.connect({
      host: '127.0.0.1',
      port: cloud.azure.azurePort,
      servername: 'management.azure.com',
      ca: readFileSync(cloud.azure.caFile),
    });
    await once(socket, 'secureConnect');
    socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    for (const name of ['date', 'x-ms-request-id', 'x-ms-correlation-request-id']) {
      expect(head.toLowerCase()).toContain(`${name}: `);
    }
    expect(JSON.parse(body)).toMatchObject({ error: { code: expect.any(String) as string } });
  });
});
