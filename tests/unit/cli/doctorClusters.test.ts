import { clusterFindings, type ClusterAccess } from '../../../cli/doctor/clusters';
import { UserError } from '../../../cli/userError';
import { twoClusters } from '../verification/outputs.fixture';

// What fakes do not prove: what an API server and its webhook answer; tests/e2e/doctor.test.ts asks real ones.

const all = twoClusters();
const outputs = {
  ...all,
  clusters: { 'aks-1': all.clusters['aks-1'] as (typeof all.clusters)[string] },
  kubeconfigs: { 'aks-1': '' },
};
const { issuer } = outputs.clusters['aks-1'];
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Cluster {
  readonly discovery?: object;
  readonly keys?: readonly object[];
  readonly token?: { readonly iss: string; readonly kid: string };
  readonly webhook?: Awaited<ReturnType<ClusterAccess['webhook']>>;
}

const webhookOf = (
  image: string,
  readyReplicas = 1,
  caBundle = 'ca',
  label = 'true',
): Cluster['webhook'] => ({
  webhook: {
    clientConfig: { caBundle },
    objectSelector: { matchLabels: { 'azure.workload.identity/use': label } },
  } as never,
  deployment: {
    spec: { template: { spec: { containers: [{ image }] } } },
    status: { readyReplicas },
  } as never,
});
const inOrder = webhookOf('mcr.microsoft.com/oss/azure/workload-identity/webhook:v1.5.1');

function access(cluster: Cluster): ClusterAccess {
  const { discovery = {}, keys = [{ kid: 'k', kty: 'RSA' }], token = { iss: issuer, kid: 'k' } } = cluster;
  const documents = { issuer, jwks_uri: `${issuer}openid/v1/jwks`, ...discovery };
  return {
    env: {},
    readDocument: (url) =>
      Promise.resolve({ fields: url.endsWith('jwks') ? { keys } : documents, date: new Date() }),
    serviceAccountToken: () =>
      Promise.resolve(`${encoded({ kid: token.kid })}.${encoded({ iss: token.iss })}.`),
    webhook: () => Promise.resolve('webhook' in cluster ? cluster.webhook : inOrder),
  };
}
const troubleOf = async (cluster: Cluster, of = outputs) =>
  (await clusterFindings(of, access(cluster))).filter(({ state }) => state !== 'ok');

it('in order, it has no finding but ok', async () => {
  const findings = await clusterFindings(outputs, access({}));
  expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
    ...['aks-1: sign-in ok', 'aks-1: issuer ok', 'aks-1: tokens ok', 'aks-1: webhook ok'],
  ]);
  expect(findings[0]?.detail).toBe('signs in unattended');
  expect(findings.at(-1)?.detail).toBe('version 1.5.1, 1 ready');
});

it.each<[string, Cluster, readonly string[], string]>([
  [
    'a discovery document of another issuer',
    { discovery: { issuer: issuer.slice(0, -1) } },
    ['aks-1: issuer', 'aks-1: tokens'],
    'trailing slash',
  ],
  ['no keys', { keys: [] }, ['aks-1: issuer', 'aks-1: tokens'], 'docs/clusters.md'],
  [
    'keys of another kind',
    { keys: [{ kid: 'k', kty: 'EC' }] },
    ['aks-1: issuer', 'aks-1: tokens'],
    'docs/clusters.md',
  ],
  [
    'tokens of another issuer',
    { token: { iss: 'https://other/', kid: 'k' } },
    ['aks-1: tokens'],
    "the cluster's own issuer",
  ],
  ['tokens with another key', { token: { iss: issuer, kid: 'other' } }, ['aks-1: tokens'], 'older documents'],
  ['no webhook', { webhook: undefined }, ['aks-1: webhook'], 'enable workload identity'],
  [
    'a webhook without a certificate authority',
    { webhook: webhookOf('x:v1.5.1', 1, '') },
    ['aks-1: webhook'],
    'Restart',
  ],
  ['a webhook without pods', { webhook: webhookOf('x:v1.5.1', 0) }, ['aks-1: webhook'], 'docs/clusters.md'],
  ['a webhook before 1.0', { webhook: webhookOf('x:v0.15.0') }, ['aks-1: webhook'], 'Update it'],
  [
    'a webhook that does not select by the label',
    { webhook: webhookOf('x:v1.5.1', 1, 'ca', 'no') },
    ['aks-1: webhook'],
    'Update it',
  ],
])('with %s, it says so', async (_, cluster, checks, hint) => {
  const trouble = await troubleOf(cluster);
  expect(trouble.map(({ check }) => check)).toEqual(checks);
  for (const finding of trouble) expect(finding.hint).toContain(hint);
});

it('the documents of an issuer are read once', async () => {
  const read: string[] = [];
  const { readDocument, ...others } = access({});
  const recording: typeof readDocument = (url) => {
    read.push(url);
    return readDocument(url);
  };
  await clusterFindings(outputs, { ...others, readDocument: recording });
  expect(read).toEqual([`${issuer}.well-known/openid-configuration`, `${issuer}openid/v1/jwks`]);
});

it('an issuer that cannot be reached is named', async () => {
  const unreachable = () => Promise.reject(new UserError('it cannot be reached', 'Check the network.'));
  const [first] = (await clusterFindings(outputs, { ...access({}), readDocument: unreachable })).filter(
    ({ state }) => state === 'failed',
  );
  expect(first).toMatchObject({ check: 'aks-1: issuer', hint: 'Check the network.' });
});

it('an issuer without https is refused', async () => {
  const clusters = { 'aks-1': { ...outputs.clusters['aks-1'], issuer: 'http://issuer/' } };
  expect((await troubleOf({}, { ...outputs, clusters }))[0]?.detail).toBe('http://issuer/ is not https.');
});

it('a cluster whose sign-in needs a person is not asked', async () => {
  const user = { exec: { command: 'kubelogin', args: ['get-token'] } };
  const kubeconfig = JSON.stringify({
    users: [{ name: 'u', user }],
    contexts: [{ name: 'c', context: { user: 'u' } }],
    'current-context': 'c',
  });
  const findings = await clusterFindings({ ...outputs, kubeconfigs: { 'aks-1': kubeconfig } }, access({}));
  expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
    'aks-1: sign-in failed',
    'aks-1: issuer ok',
  ]);
});

it('without a workload that needs it, the webhook is not checked', async () => {
  expect(await troubleOf({ webhook: undefined }, { ...outputs, workloads: [] })).toEqual([]);
});
