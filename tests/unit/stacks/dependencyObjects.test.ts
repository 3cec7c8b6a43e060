import { formatProblem } from '../../../stacks/settings/problem';
import { dependencyObjectProblems } from '../../../stacks/preflight/dependencyObjects';
import { ManagedClusters } from '../../../stacks/preflight/managedClusters';
import { Subscriptions } from '../../../stacks/subscriptions';
import { clusterOf, connectingTo } from '../components/support/cluster';
import { record } from '../components/support/recorder';
import { depending, files } from './depending';
import { configurationOf, input } from './settings';

// What mocks do not prove: that Azure and API servers answer so; the end-to-end test of dependencies asks real ones.

const groupOf = (name: string) => `/subscriptions/s/resourceGroups/${name}`;

/** The problems, where the cluster has these custom resources: names in Azure by `<namespace>/<name>`. */
async function check(
  dependencies: unknown[],
  there: Readonly<Record<string, string | undefined>>,
  owner: unknown = { armId: groupOf('rg-test-services') },
): Promise<string[]> {
  connectingTo(() =>
    Promise.resolve(
      clusterOf({
        get: ({ apiVersion, kind, namespace = '', name }) => {
          if (!(`${namespace}/${name}` in there)) return Promise.resolve(undefined);
          const azureName = there[`${namespace}/${name}`];
          return Promise.resolve({ apiVersion, kind, metadata: { name }, spec: { azureName, owner } });
        },
      }),
    ),
  );
  const { result } = await record(() => {
    const configuration = configurationOf(input([depending(dependencies)]));
    return dependencyObjectProblems(
      configuration,
      new ManagedClusters(configuration.settings, new Subscriptions('public')),
    );
  });
  return (await result).map(formatProblem);
}

const refused = (name: string, other: string) =>
  `aks-workload-identity:applications[0].dependencies[0].name: "${name}" gives a custom resource the name "orders-${name}", which the custom resource of ${other} already has on the cluster aks-1. Allowed: a name that no other service of the application was created with. Set another name; or remove ${other} from the stack file, run an update, and then add this one.`;

describe('the name of a dependency', () => {
  it('is refused while the custom resource of another service has it', async () => {
    expect(await check([files], { 'orders/orders-files': 'stother' })).toEqual([refused('files', 'stother')]);
  });

  it('is refused in another case: the custom resource would be replaced', async () => {
    expect(await check([files], { 'orders/orders-files': 'stFiles' })).toEqual([
      'aks-workload-identity:applications[0].dependencies[0]: "stfiles" is written stFiles in its custom resource; the two differ only in case, which Azure ignores. Write it as before.',
    ]);
  });

  it('is its own where its service has it, or nothing has', async () => {
    expect(await check([files], { 'orders/orders-files': 'stfiles' })).toEqual([]);
    expect(await check([files], {})).toEqual([]);
    expect(await check([files], { 'elsewhere/orders-files': 'stother' })).toEqual([]);
  });

  it('is in Azure that of the custom resource where no other is set', async () => {
    const raw = {
      name: 'raw',
      resource: { apiVersion: 'storage.azure.com/v20250601', kind: 'StorageAccount', spec: {} },
    };

    expect(await check([raw], { 'orders/orders-raw': undefined })).toEqual([]);
    expect(await check([raw], { 'orders/orders-raw': 'stother' })).toEqual([refused('raw', 'stother')]);
  });
});

describe('the resource group of a dependency', () => {
  const there = { 'orders/orders-files': 'stfiles' };

  it('is refused if the custom resource has another: the service would be deleted, or stay behind', async () => {
    expect(await check([files], there, { armId: groupOf('rg-before') })).toEqual([
      'aks-workload-identity:applications[0].dependencies[0]: "stfiles" is in the resource group rg-before and cannot be moved: it would be created again in rg-test-services. Set `services.resourceGroup` and `provisioning` of the application back to their previous values; or remove it from the stack file, run an update, and then add it.',
    ]);
  });

  it('is the same in any case, and not known of an object that is in another', async () => {
    expect(await check([files], there, { armId: groupOf('RG-Test-Services') })).toEqual([]);
    expect(await check([files], there, { name: 'another' })).toEqual([]);
    const raw = { apiVersion: 'storage.azure.com/v20250601', kind: 'StorageAccount' };
    const owner = { armId: groupOf('rg-of-others') };
    const placed = { name: 'files', resource: { ...raw, spec: { azureName: 'stfiles', owner } } };
    expect(await check([placed], there, owner)).toEqual([]);
  });
});
