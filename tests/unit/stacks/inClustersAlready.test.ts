import { ManagedClusters } from '../../../stacks/preflight/managedClusters';
import { inClustersAlreadyProblems } from '../../../stacks/preflight/inClustersAlready';
import { Subscriptions } from '../../../stacks/subscriptions';
import { formatProblem } from '../../../stacks/settings/problem';
import { clusterOf, connectingTo } from '../components/support/cluster';
import { operatorDeployment } from '../components/support/hyperShiftManifests';
import { record } from '../components/support/recorder';
import type { Input } from './settings';
import { application, configurationOf, input } from './settings';

// What mocks do not prove: how API servers answer; the end-to-end test of neighbours asks a real one.

/** The problems of the stack `test`, where its cluster has the object `shop` of that kind with these annotations. */
async function check(
  annotations: Record<string, string> | undefined,
  second: Input = { namespace: 'shop' },
  there = 'Namespace shop',
  more: Input = {},
) {
  connectingTo(
    clusterOf({
      get: ({ apiVersion, kind, namespace, name }) =>
        Promise.resolve(
          annotations && [kind, namespace, name].filter(Boolean).join(' ') === there
            ? { apiVersion, kind, metadata: { name, annotations } }
            : undefined,
        ),
    }),
  );
  const { result } = await record(() => {
    const configuration = configurationOf(
      input([application('a'), application('b', second)], more),
      undefined,
      () => JSON.stringify({ kind: 'List', items: hyperShift }),
    );
    return inClustersAlreadyProblems(
      configuration,
      new ManagedClusters(configuration.settings, new Subscriptions('public')),
    );
  });
  return (await result).map(formatProblem);
}

/** HyperShift's operator, as files of the project have it. */
const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const hyperShift = [{ ...definition, metadata: { name: 'hostedclusters.x' } }, operatorDeployment()];
const installed = {
  clusters: [{ name: 'aks-1', hyperShift: { install: { manifests: ['./operator.yaml'] } } }],
};

const place = 'aks-workload-identity:applications[1].';
const hint =
  'Set another `namespace`; or `namespace: { name: shop, existing: true }` to use it without owning it.';

it("a definition of HyperShift that somebody else created is refused, and the stack's own is not", async () => {
  const there = 'CustomResourceDefinition hostedclusters.x';
  expect(await check({}, undefined, there, installed)).toEqual([
    'aks-workload-identity:clusters[0].hyperShift.install.manifests: "hostedclusters.x" is a CustomResourceDefinition that exists on the cluster aks-1, not created by this stack. Remove it from the manifests to leave it as it is, or remove `hyperShift` if somebody else installs HyperShift there.',
  ]);
  expect(await check({ 'aks-workload-identity/owner': 'test/aks-1' }, undefined, there, installed)).toEqual(
    [],
  );
});

describe('a namespace that the stack would create', () => {
  it('is refused if another stack writes the events of tokens of aad-pod-identity already', async () => {
    const clusters = [{ name: 'aks-1', podIdentity: { install: false } }];
    const other = { 'aks-workload-identity/owner': 'other/aks-1' };

    expect(await check(other, {}, 'Namespace token-events', { clusters })).toEqual([
      'aks-workload-identity:clusters[0].podIdentity: "token-events" is a Namespace that exists on the cluster aks-1, created by the stack other. Set `podIdentity: { install: false, tokenEvents: false }`: only one stack on a cluster can write the events of its tokens.',
    ]);
  });

  it('is refused if somebody else created it', async () => {
    expect(await check({})).toEqual([
      `${place}namespace: "shop" is a Namespace that exists on the cluster aks-1, not created by this stack. ${hint}`,
    ]);
  });

  it('is refused if another stack created it', async () => {
    expect(await check({ 'aks-workload-identity/owner': 'other/aks-1' })).toEqual([
      `${place}namespace: "shop" is a Namespace that exists on the cluster aks-1, created by the stack other. ${hint}`,
    ]);
  });

  it('is refused if the stack created it on the cluster under another name: its deletion would affect both', async () => {
    expect(await check({ 'aks-workload-identity/owner': 'test/before' })).toEqual([
      `${place}namespace: "shop" is a Namespace that this stack created on the cluster aks-1 when the stack file named that cluster before; this update would delete it under its old name. Name the cluster before again. To rename it, remove it from the stack file and run an update, which deletes the stack's namespaces there with everything in them. Then add it under its new name.`,
    ]);
  });

  it('is accepted if it does not exist yet, or is the stack’s own', async () => {
    expect(await check(undefined)).toEqual([]);
    expect(await check({ 'aks-workload-identity/owner': 'test/aks-1' })).toEqual([]);
  });
});

describe('in an existing namespace', () => {
  const namespace = { name: 'shop', existing: true };
  const object = (kind: string, name: string, more: Input = {}) =>
    check({}, { namespace, ...more }, `${kind} shop ${name}`);

  it('what exists is not made: service accounts and deployments', async () => {
    expect(await object('ServiceAccount', 'b')).toEqual([
      `${place}serviceAccount: "b" is a ServiceAccount that exists in the namespace shop on the cluster aks-1, not created by this stack. Set another \`serviceAccount\`; or \`serviceAccount: { name: b, existing: true }\` to use it without owning it.`,
    ]);
    expect(await object('ServiceAccount', 'jobs', { serviceAccounts: ['jobs'] })).toEqual([
      `${place}serviceAccounts[0]: "jobs" is a ServiceAccount that exists in the namespace shop on the cluster aks-1, not created by this stack. Name another.`,
    ]);
    expect(await object('Deployment', 'b')).toEqual([
      `${place}name: "b" is a Deployment that exists in the namespace shop on the cluster aks-1, not created by this stack. Give the application another name, or delete it (\`kubectl delete deployment b --namespace shop\`).`,
    ]);
  });

  const byPassword = { servicePrincipal: { credential: 'password', storedPassword: 'accepted' } };
  it.each<[string, string, unknown]>([
    ['AzureIdentity', 'b', 'application'],
    ['AzureIdentityBinding', 'b', 'application'],
    ['Secret', 'b.pod-identity', byPassword],
    ['Role', 'b.pod-identity', byPassword],
    ['RoleBinding', 'b.pod-identity', byPassword],
  ])('what exists is not made for aad-pod-identity: %s %s', async (kind, name, identity) => {
    const clusters = [{ name: 'aks-1', podIdentity: { install: false } }];
    const there = `${kind} shop ${name}`;
    const found = (signIn: string) => check({}, { namespace, identity, signIn }, there, { clusters });

    expect(await found('podIdentity')).toEqual([
      `${place}name: "${name}" is a ${kind} that exists in the namespace shop on the cluster aks-1, not created by this stack. Give the application another name, or delete it (\`kubectl delete ${kind.toLowerCase()} ${name} --namespace shop\`).`,
    ]);
    expect(await found('workloadIdentity')).toEqual([]);
  });

  it('the namespace, an existing service account and the objects of a chart are not looked for', async () => {
    expect(await check({}, { namespace })).toEqual([]);
    expect(await object('ServiceAccount', 'b', { serviceAccount: { name: 'b', existing: true } })).toEqual(
      [],
    );
    const chart = { chart: { chart: 'oci://registry.example/b', version: '1.2.3' }, image: undefined };
    expect(await object('Deployment', 'b', chart)).toEqual([]);
  });
});
