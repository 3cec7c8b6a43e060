import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clusterConnection } from '../../../components/cluster/clusterConnection';
import type { ClusterRequest } from '../../../components/cluster/clusterConnection';
import { clusterApi } from '../../../components/cluster/connectCluster';

// What these do not prove: certificates, and that a real API server answers so; the environment's test does.

const issuers = { name: 'issuers', kind: 'Issuer', namespaced: true };
const served: Readonly<Record<string, unknown>> = {
  '/apis': { groups: [{ name: 'apps' }, { name: 'cert-manager.io' }] },
  '/apis/cert-manager.io': {
    versions: [{ groupVersion: 'cert-manager.io/v1' }, { groupVersion: 'cert-manager.io/v2' }],
  },
  '/apis/cert-manager.io/v1': {
    resources: [
      { name: 'issuers/status', kind: 'Issuer', namespaced: true },
      { name: 'issuers/scale', group: 'autoscaling', kind: 'Scale', namespaced: true },
      issuers,
      { name: 'clusterissuers', kind: 'ClusterIssuer', namespaced: false },
    ],
  },
  '/apis/cert-manager.io/v2': { resources: [issuers] },
  '/api/v1': { resources: [{ name: 'secrets', kind: 'Secret', namespaced: true }] },
  '/apis/cert-manager.io/v1/namespaces/a/issuers/one': { metadata: { name: 'one' } },
  '/apis/cert-manager.io/v1/clusterissuers/one': { metadata: { name: 'of the cluster' } },
  '/apis/cert-manager.io/v1/namespaces/a/issuers': { items: [{ metadata: { name: 'one' } }] },
  '/api/v1/secrets': { items: [{ metadata: { name: 's', namespace: 'a' } }] },
};

const issuer = { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', namespace: 'a' };

function cluster(answer?: (request: ClusterRequest) => { status: number; text: string } | undefined) {
  const requests: ClusterRequest[] = [];
  const api = clusterApi((request) => {
    requests.push(request);
    const body = served[request.path];
    return Promise.resolve(
      answer?.(request) ?? {
        status: body === undefined ? 404 : 200,
        text: body === undefined ? '404 page not found' : JSON.stringify(body),
      },
    );
  });
  return { api, requests, paths: () => requests.map(({ method, path }) => `${method} ${path}`) };
}

describe('an object of a cluster', () => {
  it('is found by its kind, in its namespace or in none', async () => {
    const { api, paths } = cluster();

    expect(await api.get({ ...issuer, name: 'one' })).toEqual({ metadata: { name: 'one' } });
    expect(await api.get({ ...issuer, kind: 'ClusterIssuer', name: 'one' })).toEqual({
      metadata: { name: 'of the cluster' },
    });
    expect(paths()).toEqual([
      'GET /apis/cert-manager.io/v1',
      'GET /apis/cert-manager.io/v1/namespaces/a/issuers/one',
      'GET /apis/cert-manager.io/v1/clusterissuers/one',
    ]);
  });

  it('that is not there, or of no kind that is served, is nothing', async () => {
    const { api } = cluster();

    expect(await api.get({ ...issuer, name: 'two' })).toBeUndefined();
    expect(await api.get({ ...issuer, kind: 'Other', name: 'one' })).toBeUndefined();
    expect(await api.get({ ...issuer, apiVersion: 'none.io/v1', name: 'one' })).toBeUndefined();
    expect(await api.list({ ...issuer, apiVersion: 'none.io/v1' })).toEqual([]);
  });

  it('is found once its kind is served', async () => {
    let there = false;
    const { api } = cluster(({ path }) =>
      path === '/apis/cert-manager.io/v1' && !there ? { status: 200, text: '{"resources":[]}' } : undefined,
    );

    expect(await api.get({ ...issuer, name: 'one' })).toBeUndefined();
    there = true;
    expect(await api.get({ ...issuer, name: 'one' })).toEqual({ metadata: { name: 'one' } });
  });

  it('is listed with what it is, of one namespace or of all', async () => {
    const { api } = cluster();

    expect(await api.list(issuer)).toEqual([
      { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata: { name: 'one' } },
    ]);
    expect(await api.list({ apiVersion: 'v1', kind: 'Secret' })).toEqual([
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'a' } },
    ]);
  });

  it.each([
    [{ dryRun: true }, '/apis/cert-manager.io/v1/namespaces/a/issuers?dryRun=All'],
    [{}, '/apis/cert-manager.io/v1/namespaces/a/issuers'],
  ])('is made, with %p', async (options, path) => {
    const object = { ...issuer, metadata: { name: 'new', namespace: 'a' } };
    const { api, requests } = cluster(({ method, body }) =>
      method === 'POST' ? { status: 201, text: JSON.stringify(body) } : undefined,
    );

    expect(await api.create(object, options)).toEqual(object);
    expect(requests.at(-1)).toEqual({ method: 'POST', path, body: object });
  });

  it.each([
    [500, '{"kind":"Status","message":"failed calling webhook"}', 'failed calling webhook'],
    [503, 'upstream connect error', 'HTTP 503 upstream connect error'],
    [404, '<html>no such host</html>', 'HTTP 404 <html>no such host</html>'],
    [500, '{"kind":"Status"}', 'HTTP 500 {"kind":"Status"}'],
  ])('that is refused with %p and %p throws what was answered', async (status, text, message) => {
    const { api } = cluster(({ path }) => (path.includes('namespaces') ? { status, text } : undefined));
    const object = { ...issuer, metadata: { name: 'new', namespace: 'a' } };

    await expect(api.create(object, { dryRun: true })).rejects.toMatchObject({ status, message });
    await expect(api.get({ ...issuer, name: 'new' })).rejects.toMatchObject({ status, message });
  });

  it('of a kind that is not served is refused', async () => {
    const { api, requests } = cluster();

    await expect(
      api.create({ apiVersion: 'none.io/v1', kind: 'None', metadata: { name: 'new' } }),
    ).rejects.toMatchObject({ status: 404, message: 'the cluster has no None of none.io/v1' });
    expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('what a cluster serves', () => {
  it('is told by group, all versions together', async () => {
    const { api } = cluster();

    expect(await api.groups()).toEqual(['apps', 'cert-manager.io']);
    expect(await api.kinds('cert-manager.io')).toEqual(['Issuer', 'ClusterIssuer']);
    expect(await api.kinds('none.io')).toEqual([]);
  });
});

describe('the connection of a kubeconfig', () => {
  let server: Server;
  const seen: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  let address: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push({ url: request.url, headers: request.headers, body });
        response.writeHead(request.url?.includes('missing') === true ? 404 : 200).end('{"a":"ä"}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const kubeconfig = (user: object, cluster: object = {}) =>
    JSON.stringify({
      'current-context': 'second',
      contexts: [
        { name: 'first', context: { cluster: 'none', user: 'none' } },
        { name: 'second', context: { cluster: 'c', user: 'u' } },
      ],
      clusters: [{ name: 'c', cluster: { server: address, ...cluster } }],
      users: [{ name: 'u', user }],
    });

  it('goes to the server of the current context, as its user', async () => {
    const send = await clusterConnection(kubeconfig({ token: 'of the test' }));
    const answer = await send({ method: 'POST', path: '/apis/x?dryRun=All', body: { b: 'ü' } });

    expect(answer).toEqual({ status: 200, text: '{"a":"ä"}' });
    expect(seen.at(-1)).toMatchObject({
      url: '/apis/x?dryRun=All',
      headers: { authorization: 'Bearer of the test', 'content-type': 'application/json' },
      body: '{"b":"ü"}',
    });
  });

  it('keeps the path that the server is behind, and gives any status back', async () => {
    const send = await clusterConnection(
      kubeconfig({ token: 't' }, { server: `${address}/k8s/clusters/c-1/` }),
    );

    expect(await send({ method: 'GET', path: '/missing' })).toMatchObject({ status: 404 });
    expect(seen.at(-1)).toMatchObject({ url: '/k8s/clusters/c-1/missing', body: '' });
  });

  it('is made by Kubernetes’ own client where a program gives the credentials', async () => {
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'given' },
    };
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', `console.log(${JSON.stringify(JSON.stringify(credential))})`],
      interactiveMode: 'Never',
    };
    const send = await clusterConnection(kubeconfig({ exec }, { 'insecure-skip-tls-verify': true }));
    await send({ method: 'GET', path: '/apis' });

    expect(seen.at(-1)?.headers.authorization).toBe('Bearer given');
  });

  it.each([
    ['no YAML', 'a: [secret', 'The kubeconfig is no YAML.'],
    ['no context', '{}', 'The kubeconfig\'s context "undefined" leads to no cluster.'],
  ])('is refused with %s, and nothing of it is told', async (_, text, message) => {
    await expect(clusterConnection(text)).rejects.toThrow(new Error(message));
  });

  it('fails with what the network says', async () => {
    const send = await clusterConnection(kubeconfig({ token: 't' }, { server: 'http://127.0.0.1:1' }));

    await expect(send({ method: 'GET', path: '/apis' })).rejects.toThrow(/ECONNREFUSED/);
  });
});
