import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../../../components/resource/errors';
import { ClusterAnswerError, clusters } from '../../../components/waiting/cluster';

// What these do not prove: certificates, and that a real API server answers so; the environment's test does.

const issuers = { name: 'issuers', kind: 'Issuer', namespaced: true, singularName: '', verbs: [] };
const served: Readonly<Record<string, unknown>> = {
  '/apis/cert-manager.io/v1': {
    resources: [
      issuers,
      { ...issuers, name: 'issuers/status' },
      { ...issuers, name: 'clusterissuers', kind: 'ClusterIssuer', namespaced: false },
    ],
  },
  '/api/v1': { resources: [{ ...issuers, name: 'secrets', kind: 'Secret' }] },
  '/apis/cert-manager.io/v1/namespaces/a/issuers/one': { kind: 'Issuer', metadata: { name: 'one' } },
  '/apis/cert-manager.io/v1/clusterissuers/one': { kind: 'ClusterIssuer', metadata: { name: 'of all' } },
  '/.well-known/openid-configuration': { issuer: 'https://issuer.example/edge' },
  '/api/v1/secrets': {
    apiVersion: 'v1',
    kind: 'SecretList',
    items: [{ metadata: { name: 's', namespace: 'a' } }],
  },
};
const issuer = { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', namespace: 'a' };

interface Seen {
  readonly request: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
/** What the server answers instead. */
type Other = (seen: Seen) => { readonly status: number; readonly text: string } | undefined;

let server: Server;
let address: string;
let other: Other = () => undefined;
let silent = false;
const seen: Seen[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const url = request.url ?? '';
      const received = { request: `${request.method ?? ''} ${url}`, headers: request.headers, body };
      seen.push(received);
      if (silent) return;
      const found = served[url.replace('/k8s/clusters/c-1', '')];
      const { status, text } = other(received) ?? {
        status: found === undefined ? 404 : 200,
        text: found === undefined ? '404 page not found\n' : JSON.stringify(found),
      };
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  seen.length = 0;
  other = () => undefined;
});

const kubeconfig = (user: object = { token: 'of the test' }, cluster: object = {}) =>
  JSON.stringify({
    'current-context': 'second',
    contexts: [
      { name: 'first', context: { cluster: 'none', user: 'none' } },
      { name: 'second', context: { cluster: 'c', user: 'u' } },
    ],
    clusters: [{ name: 'c', cluster: { server: address, 'insecure-skip-tls-verify': true, ...cluster } }],
    users: [{ name: 'u', user }],
  });
const connected = () => clusters.connect(kubeconfig());
const requests = () => seen.map(({ request }) => request);
const status = (message: string) => JSON.stringify({ kind: 'Status', message });

describe('the issuer of a cluster', () => {
  it('is the one of its discovery document', async () => {
    const cluster = await connected();

    expect(await cluster.issuer()).toBe('https://issuer.example/edge');
    other = () => ({ status: 403, text: status('forbidden') });
    await expect(cluster.issuer()).rejects.toThrow('forbidden');
  });
});

describe('an object of a cluster', () => {
  it('is found by its kind, in its namespace or in none', async () => {
    const cluster = await connected();

    expect(await cluster.get({ ...issuer, name: 'one' })).toMatchObject({ metadata: { name: 'one' } });
    const { apiVersion } = issuer;
    expect(await cluster.get({ apiVersion, kind: 'ClusterIssuer', name: 'one' })).toMatchObject({
      metadata: { name: 'of all' },
    });
    expect(requests()).toEqual([
      'GET /apis/cert-manager.io/v1',
      'GET /apis/cert-manager.io/v1/namespaces/a/issuers/one',
      'GET /apis/cert-manager.io/v1/clusterissuers/one',
    ]);
  });

  it('that does not exist, or of a kind that is not served, is undefined', async () => {
    const cluster = await connected();
    other = ({ request }) =>
      request.endsWith('/two') ? { status: 404, text: status('issuers "two" not found') } : undefined;

    expect(await cluster.get({ ...issuer, name: 'two' })).toBeUndefined();
    expect(await cluster.get({ ...issuer, kind: 'Other', name: 'one' })).toBeUndefined();
    expect(await cluster.get({ ...issuer, apiVersion: 'none.io/v1', name: 'one' })).toBeUndefined();
  });

  it('is found once its kind is served', async () => {
    let there = false;
    other = ({ request }) =>
      request === 'GET /apis/cert-manager.io/v1' && !there
        ? { status: 200, text: '{"resources":[]}' }
        : undefined;
    const cluster = await connected();

    expect(await cluster.get({ ...issuer, name: 'one' })).toBeUndefined();
    there = true;
    expect(await cluster.get({ ...issuer, name: 'one' })).toMatchObject({ metadata: { name: 'one' } });
  });

  it('is listed, of all namespaces', async () => {
    const cluster = await connected();

    expect(await cluster.list({ apiVersion: 'v1', kind: 'Secret' })).toMatchObject([
      { metadata: { name: 's', namespace: 'a' } },
    ]);
  });

  it.each([
    [500, status('failed calling webhook'), 'failed calling webhook'],
    [404, status('namespaces "a" not found'), 'namespaces "a" not found'],
    [503, 'upstream connect error', 'HTTP 503 upstream connect error'],
    [404, '<html>no such host</html>', 'HTTP 404 <html>no such host</html>'],
    [500, '{"kind":"Status"}', 'HTTP 500 {"kind":"Status"}'],
  ])(
    'is created as a dry run, and a refusal with %p and %p is reported in short',
    async (code, text, message) => {
      const object = { ...issuer, metadata: { name: 'new', namespace: 'a' } };
      other = ({ request, body }) => (request.startsWith('POST') ? { status: 201, text: body } : undefined);
      const cluster = await connected();
      expect(await cluster.dryRun(object)).toBeUndefined();
      expect(requests().at(-1)).toBe('POST /apis/cert-manager.io/v1/namespaces/a/issuers?dryRun=All');
      expect(JSON.parse(seen.at(-1)?.body ?? '')).toMatchObject({
        kind: 'Issuer',
        metadata: { name: 'new' },
      });

      other = ({ request }) => (request.startsWith('POST') ? { status: code, text } : undefined);
      expect(await cluster.dryRun(object)).toBe(message);
    },
  );

  it('of a kind that is not served is not created, and nothing is sent', async () => {
    const cluster = await connected();
    const object = { apiVersion: 'none.io/v1', kind: 'None', metadata: { name: 'new' } };

    expect(await cluster.dryRun(object)).toBe('the cluster does not serve its kind');
    expect(requests()).toEqual(['GET /apis/none.io/v1']);
  });

  it.each([401, 403])('that the user may not ask for (%p) is an error', async (code) => {
    const object = { ...issuer, metadata: { name: 'new', namespace: 'a' } };
    other = ({ request }) =>
      request.startsWith('GET /apis/cert-manager.io/v1/') || request.startsWith('POST')
        ? { status: code, text: status('forbidden') }
        : undefined;
    const cluster = await connected();

    const refused = new ClusterAnswerError('forbidden', 'forbidden');
    await expect(cluster.dryRun(object)).rejects.toEqual(refused);
    await expect(cluster.get({ ...issuer, name: 'one' })).rejects.toMatchObject({ reason: 'forbidden' });
  });

  it('is not reported as missing because of a proxy in front of the API server', async () => {
    other = () => ({ status: 404, text: '<html>no such host</html>' });
    const cluster = await connected();

    await expect(cluster.get({ ...issuer, name: 'one' })).rejects.toMatchObject({ reason: 'other' });
  });
});

describe('the connection of a kubeconfig', () => {
  it('goes to the server of the current context, as its user', async () => {
    const cluster = await connected();
    await cluster.get({ ...issuer, name: 'one' });

    expect(seen.at(-1)?.headers.authorization).toBe('Bearer of the test');
  });

  it('keeps the path that the server is behind', async () => {
    const behind = { server: `${address}/k8s/clusters/c-1/` };
    const cluster = await clusters.connect(kubeconfig({ token: 't' }, behind));

    expect(await cluster.get({ ...issuer, name: 'one' })).toBeDefined();
    expect(requests().at(0)).toBe('GET /k8s/clusters/c-1/apis/cert-manager.io/v1');
  });

  it('asks a program for credentials where the kubeconfig says so', async () => {
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'issued' },
    };
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', `console.log(${JSON.stringify(JSON.stringify(credential))})`],
      interactiveMode: 'Never',
    };
    const cluster = await clusters.connect(kubeconfig({ exec }));
    await cluster.get({ ...issuer, name: 'one' });

    expect(seen.at(-1)?.headers.authorization).toBe('Bearer issued');
  });

  it.each([
    ['no YAML', 'a: [secret', 'The kubeconfig is not valid YAML or not a kubeconfig.'],
    ['nothing', '', 'The kubeconfig is not valid YAML or not a kubeconfig.'],
    ['no context', '{}', 'The kubeconfig\'s context "undefined" names no cluster.'],
  ])('is refused with %s, and the message contains nothing of it', async (_, text, message) => {
    const error: unknown = await clusters.connect(text).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ message });
  });

  it('is refused if a person would have to sign in', async () => {
    const exec = { command: 'kubelogin', args: ['get-token', '--login', 'interactive'] };
    await expect(clusters.connect(kubeconfig({ exec }))).rejects.toThrow(
      /^The kubeconfig of the cluster c signs in to Entra with the method `interactive`/,
    );
  });

  it('does not wait for an API server that never answers', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const spy = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50));
    silent = true;
    const cluster = await connected();

    await expect(cluster.get({ ...issuer, name: 'one' })).rejects.toThrow(
      'the API server did not answer within 30 seconds',
    );
    expect(spy).toHaveBeenCalledWith(30_000);
    silent = false;
    spy.mockRestore();
  });

  it('fails with what the network says', async () => {
    const cluster = await clusters.connect(kubeconfig({ token: 't' }, { server: 'http://127.0.0.1:1' }));

    await expect(cluster.get({ ...issuer, name: 'one' })).rejects.toThrow(/ECONNREFUSED/);
  });
});
