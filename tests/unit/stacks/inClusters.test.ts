import type { ListInAzure } from '../../../stacks/preflight/azureList';
import type { PreflightOptions } from '../../../stacks/preflight/preflight';
import { clusterOf, connectingTo } from '../components/support/cluster';
import { clusterId, identityId } from './ids';
import { notFound, preflighted } from './preflighted';
import type { Input } from './settings';
import { application, input } from './settings';

// What mocks do not prove: that API servers and Azure answer so; the end-to-end tests of applications and of what exists
// already do.

const shop = application('shop', {
  namespace: { name: 'storefront', existing: true },
  serviceAccount: { name: 'checkout', existing: true },
});
const withoutAccount = application('shop', { namespace: { name: 'storefront', existing: true } });

/** What clusters have, by their kubeconfigs: namespaces, and `<namespace>/<service account>`. One may never answer. */
type Clusters = Readonly<Record<string, readonly string[] | 'silent'>>;

/** The preflight. `asked`: kubeconfigs of the clusters that were connected to; `read`: clusters that Azure was asked for. */
async function check(
  changes: Input,
  clusters: Clusters = {},
  { made = [], ...options }: PreflightOptions & { made?: readonly string[] } = {},
): Promise<{ problems: string[]; asked: string[]; read: string[] }> {
  const asked = connectingTo((kubeconfig) => {
    const there = clusters[kubeconfig];
    if (there === undefined) return Promise.reject(new Error('connect ECONNREFUSED'));
    if (there === 'silent') return new Promise(() => undefined);
    return Promise.resolve(
      clusterOf({
        get: ({ apiVersion, kind, namespace, name }) => {
          const found = there.includes(namespace === undefined ? name : `${namespace}/${name}`);
          return Promise.resolve(found ? { apiVersion, kind, metadata: { name } } : undefined);
        },
      }),
    );
  });
  const { problems, recording } = await preflighted(input([shop], changes), azure(made), options);
  const read = recording.calls
    .filter(({ token }) => token === `${containerService}:getManagedCluster`)
    .map(({ inputs }) => String(inputs.resourceName));
  return { problems, asked, read };
}

const containerService = 'azure-native:containerservice';
/** Azure with these clusters, and those that exist in any case; the kubeconfig of each is its name. */
const azure = (created: readonly string[]): Readonly<Record<string, unknown>> => ({
  [`${containerService}:getManagedCluster`]: ({ resourceName }: Record<string, unknown>) => {
    const name = String(resourceName);
    if (!created.includes(name) && name !== 'aks-there') return notFound();
    return {
      id: clusterId(name),
      name,
      oidcIssuerProfile: { enabled: true, issuerURL: 'https://issuer/' },
      securityProfile: { workloadIdentity: { enabled: true } },
    };
  },
  [`${containerService}:listManagedClusterAdminCredentials`]: ({
    resourceName,
  }: Record<string, unknown>) => ({
    kubeconfigs: [{ value: Buffer.from(String(resourceName)).toString('base64') }],
  }),
});

const key = 'aks-workload-identity:applications[0]';
const noNamespace = (cluster: string) =>
  `${key}.namespace.name: "storefront" does not exist in the cluster ${cluster}. Create it there (\`kubectl create namespace storefront\`), or remove \`existing\` to let the stack create it.`;

describe('what exists already in a cluster', () => {
  it('is there', async () => {
    const there = { 'aks-1': ['storefront', 'storefront/checkout'] };

    expect(await check({}, there, { made: ['aks-1'] })).toMatchObject({ problems: [], asked: ['aks-1'] });
  });

  it('is refused with its place and a hint where it differs', async () => {
    const { problems } = await check({}, { 'aks-1': ['default'] }, { made: ['aks-1'] });

    expect(problems).toEqual([noNamespace('aks-1')]);
  });

  it('may lack only its service account', async () => {
    const { problems } = await check({}, { 'aks-1': ['storefront'] }, { made: ['aks-1'] });

    expect(problems).toEqual([
      `${key}.serviceAccount.name: "checkout" does not exist in the namespace storefront of the cluster aks-1. Create it there (\`kubectl create serviceaccount checkout --namespace storefront\`), or remove \`existing\` to let the stack create it.`,
    ]);
  });

  it('may leave its service account to the stack', async () => {
    const changes = { applications: [withoutAccount] };

    expect((await check(changes, { 'aks-1': ['storefront'] }, { made: ['aks-1'] })).problems).toEqual([]);
  });

  it('is looked for in every cluster of the application, and in no other', async () => {
    const clusters = [
      { name: 'aks-1' },
      { name: 'aks-2' },
      { name: 'aks-3' },
      { name: 'edge', mode: 'external', issuer: 'https://issuer.example/edge/' },
    ];
    const changes = {
      ...{ clusters, kubeconfigs: { edge: 'of-edge' } },
      applications: [{ ...withoutAccount, clusters: ['aks-1', 'aks-2', 'edge'] }, application('other')],
    };
    const there = { 'aks-1': ['storefront'], 'aks-2': [], 'aks-3': [], 'of-edge': [] };
    const { problems, asked } = await check(changes, there, { made: ['aks-1', 'aks-2', 'aks-3'] });

    expect(problems).toEqual([noNamespace('aks-2'), noNamespace('edge')]);
    // Every cluster is asked for what the stack would make there.
    expect(asked.sort()).toEqual(['aks-1', 'aks-2', 'aks-3', 'of-edge']);
  });

  it('is looked for in an existing cluster also before the first update', async () => {
    const clusters = [{ name: 'legacy', mode: 'existing', id: clusterId('aks-there') }];

    expect(await check({ clusters }, { 'aks-there': [] })).toMatchObject({
      problems: [noNamespace('legacy')],
      asked: ['aks-there'],
    });
  });
});

describe('an existing cluster', () => {
  it('is read and connected to once, for any number of questions', async () => {
    const identity = { existing: identityId('id-own') };
    const clusters = [{ name: 'legacy', mode: 'existing', id: clusterId('aks-there'), identity }];
    const files = { name: 'files', storageAccount: { name: 'stfiles' } };
    const applications = [{ ...shop, dependencies: [files] }];
    const subject = 'system:serviceaccount:storefront:checkout';
    const list: ListInAzure = ({ path }) =>
      Promise.resolve(
        path.endsWith('/federatedIdentityCredentials')
          ? [{ name: 'by-hand', properties: { issuer: 'https://issuer.example/other/', subject } }]
          : [],
      );
    const there = { 'aks-there': ['storefront', 'storefront/checkout'] };

    expect(await check({ clusters, applications }, there, { list })).toEqual({
      problems: [],
      asked: ['aks-there'],
      read: ['aks-there'],
    });
  });
});

describe('a cluster that does not answer', () => {
  it('is left to the engine', async () => {
    expect((await check({}, {}, { made: ['aks-1'] })).problems).toEqual([]);
  });

  it('is asked once where nothing in it is named as existing: the stack creates its namespace there', async () => {
    const changes = { applications: [application('orders')] };

    expect(await check(changes, {}, { made: ['aks-1'] })).toEqual({
      problems: [],
      asked: ['aks-1'],
      read: ['aks-1'],
    });
  });

  it('is not waited for', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const checking = check({}, { 'aks-1': 'silent' }, { made: ['aks-1'] });
      await jest.advanceTimersByTimeAsync(16_000);

      expect((await checking).problems).toEqual([]);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a cluster that is still to be created', () => {
  it('has nothing that exists', async () => {
    expect(await check({})).toMatchObject({
      problems: [
        `${key}.namespace.name: "storefront" is marked as existing in the cluster aks-1, which this update would create and which is still empty. Remove \`existing\` to let the stack create it. Or deploy the cluster first, create the namespace there, and then add this.`,
      ],
      asked: [],
    });
  });

  it('may have what Azure puts into its clusters', async () => {
    const applications = [application('shop', { namespace: { name: 'gatekeeper-system', existing: true } })];

    expect((await check({ applications })).problems).toEqual([]);
  });
});
