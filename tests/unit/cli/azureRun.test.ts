import { compareRecords } from '../../../cli/azureRun/compare';
import { recorded, withoutRepetitions, type Exchange } from '../../../cli/azureRun/record';
import { refuseValues, renderReport } from '../../../cli/azureRun/report';

// What these do not prove: that Azure answers like any of these exchanges.

const guid = '6f1c0a52-7d3e-4f0b-9a55-0c1de2f3a4b5';
const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzZWNyZXQifQ.c2lnbmF0dXJl';
const secret = 'S3cret-Value-9f8e7d';
const kubeconfig = Buffer.from(`users: [{ user: { token: ${secret} } }]`).toString('base64');
const group = 'rg-wi-run-a1b2c3';

type ExchangeParts = Partial<Omit<Exchange, 'request' | 'response'>> & {
  request?: unknown;
  response?: unknown;
  status?: number;
  requestHeaders?: Record<string, string>;
  headers?: Record<string, string>;
};
const asText = (body: unknown): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);

const exchange = ({
  request,
  response,
  status = 200,
  requestHeaders,
  headers,
  ...rest
}: ExchangeParts): Exchange => ({
  method: 'GET',
  host: 'management.azure.com',
  target: `/subscriptions/${guid}/resourceGroups/${group}?api-version=2021-04-01`,
  ...rest,
  request: { headers: { authorization: `Bearer ${token}`, ...requestHeaders }, body: asText(request) },
  response: { status, headers: { 'content-type': 'application/json', ...headers }, body: asText(response) },
});
const record = (parts: ExchangeParts) => recorded(exchange(parts));

const resource = (name: string) =>
  `/subscriptions/${guid}/resourceGroups/${group}/providers/Microsoft.KeyVault/vaults/${name}`;

describe('a record', () => {
  const leaking: [string, ExchangeParts][] = [
    [
      'a token request',
      {
        ...{ method: 'POST', host: 'login.microsoftonline.com', target: `/${guid}/oauth2/v2.0/token` },
        requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
        request: `grant_type=client_credentials&client_assertion=${token}&client_secret=${secret}&client_id=${guid}`,
        response: { access_token: token, expires_in: 3599 },
      },
    ],
    [
      'a secret of a vault',
      {
        ...{ host: `kv-${group}.vault.azure.net`, target: `/secrets/${secret}/${guid}?api-version=7.5` },
        response: { value: secret, id: `https://kv-${group}.vault.azure.net/secrets/${secret}` },
      },
    ],
    [
      'a secret that is written through the resource manager',
      {
        ...{ method: 'PUT', target: `${resource('kv')}/secrets/${secret}?api-version=2023-02-01` },
        request: { properties: { value: secret }, tags: { [secret]: secret, [group]: 'x' } },
        response: { id: resource(group), tags: { [secret]: secret } },
      },
    ],
    [
      'a kubeconfig',
      {
        ...{ method: 'POST', target: `${resource('kv')}/listClusterUserCredential?api-version=2024-01-01` },
        response: { kubeconfigs: [{ name: group, value: kubeconfig }] },
      },
    ],
    [
      'members and values with names that a caller chose',
      {
        response: {
          identity: { userAssignedIdentities: { [resource(group)]: { clientId: guid } }, [secret]: token },
          properties: { provisioningState: secret, [kubeconfig]: kubeconfig, [guid]: guid },
          error: { code: token },
        },
        headers: { location: `https://management.azure.com${resource(group)}?t=${token}` },
      },
    ],
    ['an answer that is not JSON', { response: `${token} ${secret} ${kubeconfig} ${guid}` }],
    ['an unknown error', { status: 400, response: { error: secret, code: token } }],
    ['an unknown path', { host: 'graph.microsoft.com', target: `/v1.0/${group}/${secret}?$filter=${guid}` }],
  ];

  it.each(leaking)('holds no token, secret, kubeconfig, name or id of %s', (_what, parts) => {
    const text = JSON.stringify(record(parts));

    for (const value of [token, secret, kubeconfig, guid, group]) expect(text).not.toContain(value);
  });

  it('has the template, the api-version, the status, the controlling headers and the shape', () => {
    expect(
      record({
        ...{ method: 'PUT', target: `${resource('kv')}?api-version=2023-02-01&x=1`, status: 201 },
        headers: { 'azure-asyncoperation': 'https://x', 'retry-after': '5', 'x-other': '1' },
        request: { location: 'westeurope', properties: { sku: { name: 'standard' }, accessPolicies: [] } },
        response: {
          tags: { a: '1' },
          properties: { provisioningState: 'Succeeded', list: [{ a: 1 }, { a: '1' }] },
        },
      }),
    ).toEqual({
      method: 'PUT',
      host: 'management.azure.com',
      path: '/subscriptions/{}/resourceGroups/{}/providers/Microsoft.KeyVault/vaults/{}',
      apiVersion: '2023-02-01',
      status: 201,
      errorCode: '',
      headers: ['retry-after', 'azure-asyncoperation'],
      request: {
        location: 'string',
        'properties.accessPolicies': 'empty list',
        'properties.sku.name': 'string standard',
      },
      response: {
        'properties.list[].a': 'number | string',
        'properties.provisioningState': 'string Succeeded',
        'tags.*': 'string',
      },
    });
  });

  // docs/first-azure-run.md says so.
  it('keeps names of members that look like those of an API, even if somebody chose them', () => {
    const members = { costCenter: 'x', 'cost-center': 'x', team7lead: 'x', ['a'.repeat(49)]: 'x' };
    expect(record({ response: { metadata: members, tags: { costCenter: 'x' } } }).response).toEqual({
      'metadata.*': 'string',
      'metadata.costCenter': 'string',
      'tags.*': 'string',
    });
  });

  it.each([
    ['ResourceNotFound', { error: { code: 'ResourceNotFound' } }],
    ['invalid_client', { error: 'invalid_client' }],
    ['AuthorizationFailed', ''],
  ])('has the code %s of an error', (code, response) => {
    const headers: Record<string, string> = response === '' ? { 'x-ms-error-code': code } : {};
    expect(record({ status: 404, response, headers }).errorCode).toBe(code);
  });

  it('of polling is kept once', () => {
    const poll = record({ response: { status: 'a' } });
    expect(withoutRepetitions([poll, poll, record({ status: 404 }), poll])).toHaveLength(2);
  });
});

describe('a comparison', () => {
  const body = { id: 'x', properties: { provisioningState: 'Succeeded', enabled: true } };
  const one = record({ response: body, headers: { 'retry-after': '1' } });
  const other = (parts: ExchangeParts) =>
    record({ response: body, headers: { 'retry-after': '1' }, ...parts });

  it('of equal sides finds nothing, in any order and number', () => {
    const more = record({ method: 'PUT', response: body });
    expect(compareRecords([one, more], [more, one, one])).toEqual([]);
  });

  it('does not depend on the case of a path', () => {
    const upper = other({ target: `/Subscriptions/${guid}/RESOURCEGROUPS/${group}?api-version=2021-04-01` });
    expect(compareRecords([one], [upper])).toEqual([]);
  });

  it.each<[string, ExchangeParts, object]>([
    ['another api-version', { target: `/subscriptions/${guid}/resourceGroups/x` }, { what: 'api-version' }],
    [
      'a header that is missing',
      { headers: {} },
      { what: 'header', name: 'retry-after', azure: 'yes', local: '' },
    ],
    [
      'a member that is missing',
      { response: { properties: body.properties } },
      { what: 'member', name: 'id' },
    ],
    [
      'a member that is extra',
      { response: { ...body, etag: 'e' } },
      { what: 'member', name: 'etag', azure: '' },
    ],
    [
      'another type',
      { response: { ...body, id: 1 } },
      { what: 'type', name: 'id', azure: 'string', local: 'number' },
    ],
    [
      'another state',
      { response: { ...body, properties: { ...body.properties, provisioningState: 'Creating' } } },
      { what: 'type', azure: 'string Succeeded', local: 'string Creating' },
    ],
    ['another request', { request: { location: 'x' } }, { what: 'request member', name: 'location' }],
  ])('finds %s', (_what, parts, difference) => {
    const found = compareRecords([one], [other(parts)]);
    expect(found).toContainEqual(expect.objectContaining(difference));
    expect(found.every(({ what }) => what === found[0]?.what)).toBe(true);
  });

  it('finds another status and another error code', () => {
    const error = (code: string, status = 404) => record({ status, response: { error: { code } } });

    expect(compareRecords([error('A')], [error('B', 409)])).toMatchObject([
      { what: 'answer', name: '404 A', azure: 'yes', local: '' },
      { what: 'answer', name: '409 B', azure: '', local: 'yes' },
    ]);
    expect(compareRecords([error('A')], [error('B')])).toHaveLength(2);
  });

  it('finds an operation on one side only', () => {
    expect(compareRecords([one], [])).toMatchObject([{ what: 'operation', azure: '200', local: '' }]);
    expect(compareRecords([], [one])).toMatchObject([{ what: 'operation', azure: '', local: '200' }]);
  });
});

describe('a report', () => {
  const call = record({});
  const steps = [{ side: 'Azure', step: 'deploy', result: 'done' }];

  it('lists steps and differences in Markdown', () => {
    const text = renderReport({ steps, differences: compareRecords([call], []), azure: [call], local: [] });
    expect(text).toContain('| Azure | deploy | done |');
    expect(text).toContain('check that none of them is a name of yours');
    expect(text).toContain(
      '| `GET management.azure.com/subscriptions/{}/resourceGroups/{}` | operation | – | `200` | – |',
    );
  });

  it('says that nothing is compared before the run on the local cloud', () => {
    const text = renderReport({ steps, differences: [], azure: [call], local: undefined });
    expect(text).toContain('Not compared.');
    expect(text).not.toContain('0 places');
  });

  it('is not written with a value that must stay secret', () => {
    expect(() => {
      refuseValues(`a ${secret} b`, ['', secret]);
    }).toThrow('would contain a secret');
    expect(() => {
      refuseValues('a b', ['', secret]);
    }).not.toThrow();
  });
});
