import { formatProblem } from '../../../stacks/settings/problem';
import { ManagedClusters } from '../../../stacks/preflight/managedClusters';
import { movedServiceProblems } from '../../../stacks/preflight/movedServices';
import { Subscriptions } from '../../../stacks/subscriptions';
import { clusterOf, connectingTo } from '../components/support/cluster';
import { record } from '../components/support/recorder';
import { depending, files } from './depending';
import { configurationOf, input } from './settings';

// What mocks do not prove: that API servers list so; the end-to-end test of dependencies asks real ones.

const group = '/subscriptions/s/resourceGroups/rg-test-services';

interface There {
  readonly namespace?: string;
  readonly azureName?: string;
  /** `none`: without one, so that the operator manages. */
  readonly policy?: 'manage' | 'skip' | 'detach-on-delete' | 'none';
  /** What the custom resource says of its owner. Default: that this stack made it. */
  readonly owned?: Record<string, string>;
  readonly owner?: object;
}

const ownerIs = (owner: string) => ({ 'aks-workload-identity/owner': owner });

const objectOf = ({
  namespace = 'orders',
  azureName = 'stfiles',
  policy = 'manage',
  owner,
  owned = ownerIs('test/aks-1'),
}: There) => ({
  metadata: {
    ...{ name: 'orders-files', namespace },
    annotations: {
      ...owned,
      ...(policy !== 'none' && { 'serviceoperator.azure.com/reconcile-policy': policy }),
    },
  },
  spec: { azureName, owner: owner ?? { armId: group } },
});

/** The problems, where the clusters have these custom resources: by name of the cluster; one that is not there cannot be asked. */
async function check(
  there: Readonly<Record<string, readonly There[]>>,
  dependency: object = { ...files, retainOnDelete: false },
  namespace = 'orders',
  clusters = ['aks-1', 'aks-2'],
): Promise<string[]> {
  connectingTo((kubeconfig) => {
    const objects = there[kubeconfig];
    if (objects === undefined) return Promise.reject(new Error('no such cluster'));
    return Promise.resolve(clusterOf({ list: () => Promise.resolve(objects.map(objectOf)) }));
  });
  const { result } = await record(() => {
    const configuration = configurationOf(
      input([depending([dependency], { namespace })], {
        clusters: clusters.map((name) => ({
          name,
          mode: 'external',
          issuer: `https://issuer.example/${name}`,
        })),
        kubeconfigs: Object.fromEntries(clusters.map((name) => [name, name])),
      }),
    );
    return movedServiceProblems(
      configuration,
      new ManagedClusters(configuration.settings, new Subscriptions('public')),
    );
  });
  return (await result).map(formatProblem);
}

const refused = (from: string, namespace = 'orders') => [
  `aks-workload-identity:applications[0].dependencies[0]: "stfiles" is managed from ${from}: moving it to the namespace ${namespace} of the cluster aks-1 would delete it in Azure, with its data. Leave it where it is, set \`retainOnDelete: true\` on it, and run an update. Then move it.`,
];

describe('a service that would be deleted with its custom resource', () => {
  it('is not moved to another namespace', async () => {
    expect(await check({ 'aks-1': [{}] }, undefined, 'shop')).toEqual(
      refused('the namespace orders of the cluster aks-1', 'shop'),
    );
    expect(await check({ 'aks-1': [{ policy: 'none' }] }, undefined, 'shop')).toHaveLength(1);
  });

  it('is not moved although it is to be retained from now on: the custom resource does not know that', async () => {
    expect(await check({ 'aks-1': [{}] }, { ...files, retainOnDelete: true }, 'shop')).toHaveLength(1);
  });

  it('is not moved from a cluster that the application leaves', async () => {
    const there = { 'aks-1': [{ policy: 'skip' as const }], 'aks-2': [{ namespace: 'before' }] };

    expect(await check(there)).toEqual(refused('the namespace before of the cluster aks-2'));
  });

  it('is not moved from a cluster that has left the stack file', async () => {
    const onlyRead = { 'aks-1': [{ policy: 'skip' as const }] };
    const here = (dependency?: object) => check(onlyRead, dependency, undefined, ['aks-1']);

    expect(await here()).toEqual(refused('a cluster that is no longer in the stack file'));
    expect(await here({ ...files, retainOnDelete: true })).toEqual([]);
  });
});

it('is not written in another case, also where the custom resource has another name', async () => {
  expect(await check({ 'aks-1': [{ azureName: 'stFiles' }] })).toEqual([
    'aks-workload-identity:applications[0].dependencies[0]: "stfiles" is written stFiles in its custom resource; the two differ only in case, which Azure ignores. Write it as before.',
  ]);
});

describe('a service may move', () => {
  it('if its custom resource does not take it along', async () => {
    expect(await check({ 'aks-1': [{ policy: 'detach-on-delete' }] }, undefined, 'shop')).toEqual([]);
  });

  it('to the cluster that is now the first of those that read it: no custom resource is deleted', async () => {
    expect(await check({ 'aks-1': [{ policy: 'skip' }], 'aks-2': [{}] })).toEqual([]);
    // Another custom resource only exports its keys.
    expect(await check({ 'aks-1': [{}, { policy: 'skip' }], 'aks-2': [{ policy: 'skip' }] })).toEqual([]);
    // A cluster that does not answer may manage it.
    expect(await check({ 'aks-1': [{ policy: 'skip' }] })).toEqual([]);
  });

  it('where another service has its name in another place', async () => {
    const raw = { apiVersion: 'storage.azure.com/v20250601', kind: 'StorageAccountsBlobService' };
    const spec = { azureName: 'default', owner: { name: 'orders-files' } };
    const blobs = { name: 'blobs', resource: { ...raw, spec }, retainOnDelete: false };
    const found = (name: string) => [{ azureName: 'default', owner: { name } }];

    expect(await check({ 'aks-1': found('another') }, blobs, 'shop')).toEqual([]);
    expect(await check({ 'aks-1': found('orders-files') }, blobs, 'shop')).toHaveLength(1);
    expect(await check({ 'aks-1': [{ azureName: 'stother' }] }, undefined, 'shop')).toEqual([]);
  });

  it('if its custom resource is not of this stack', async () => {
    const all = [{ owned: {} }, { owned: ownerIs('testing/aks-1') }, { owned: ownerIs('other/aks-1') }];

    expect(await check({ 'aks-1': all }, undefined, 'shop')).toEqual([]);
  });

  it('if nothing manages it yet', async () => {
    expect(await check({ 'aks-1': [] })).toEqual([]);
  });
});
