import type { KubernetesObject } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { AzureDependencyArgs } from '../../../components/dependency/azureDependency';
import { AzureDependency } from '../../../components/dependency/azureDependency';
import { group, guidOf } from './support/azure';
import { answers, clusterOf, connectingTo, customResourceWith, testClock } from './support/cluster';
import { record, valueOf } from './support/recorder';
import { asArgument, postgresql, storage } from './support/services';

// What mocks do not prove: that the operator makes something of it; the end-to-end test does.

const component = 'aks-workload-identity:dependency:AzureDependency';
const account = 'kubernetes:storage.azure.com/v20250601:StorageAccount';
const assignment = 'azure-native:authorization:RoleAssignment';
const configMap = 'kubernetes:core/v1:ConfigMap';
const accountId = `${group}-services/providers/Microsoft.Storage/storageAccounts/stfiles`;

function args(changes: Partial<AzureDependencyArgs> = {}): AzureDependencyArgs {
  return {
    application: 'orders',
    dependency: 'files',
    service: asArgument(storage),
    namespace: new kubernetes.core.v1.Namespace('aks-1/orders', { metadata: { name: 'orders' } }).metadata
      .name,
    group: { id: `${group}-services`, name: 'rg-services' },
    location: 'westeurope',
    cluster: { name: 'aks-1', issuer: 'https://issuer/', kubeconfig: pulumi.secret('kubeconfig') },
    identity: {
      identityName: pulumi.output('id-orders'),
      principalId: pulumi.output(guidOf('principal')),
      tenantId: pulumi.output(guidOf('tenant')),
    },
    ...changes,
  };
}
const make = (
  changes: Partial<AzureDependencyArgs> = {},
  options: Parameters<typeof record>[1] = {},
  opts: () => pulumi.ComponentResourceOptions = () => ({}),
) => record(() => new AzureDependency('aks-1-orders/files', args(changes), opts()), options);

describe('a dependency', () => {
  it('is a custom resource that the engine does not wait for, access, and what the pods wait for', async () => {
    const { find, registrations } = await make();

    expect(registrations.map(({ type, name }) => `${type.replace(/^.*[:/]/, '')} ${name}`).sort()).toEqual([
      'AzureDependency aks-1-orders/files',
      'ConfigMap aks-1-orders/files/told',
      'Namespace aks-1/orders',
      'RoleAssignment aks-1-orders/files/storageBlobDataContributor',
      'RoleAssignment aks-1-orders/files/storageTableDataContributor',
      'StorageAccount aks-1-orders/files',
    ]);
    expect(find(account, 'aks-1-orders/files').inputs).toMatchObject({
      metadata: {
        name: 'orders-files',
        namespace: 'orders',
        annotations: {
          'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete',
          'pulumi.com/skipAwait': 'true',
          'pulumi.com/patchForce': 'true',
        },
      },
    });
    expect(find(assignment, 'aks-1-orders/files/storageBlobDataContributor')).toMatchObject({
      inputs: { scope: accountId, principalId: guidOf('principal'), principalType: 'ServicePrincipal' },
      dependencies: [`${account}::aks-1-orders/files`],
    });
    const roles = ['storageBlobDataContributor', 'storageTableDataContributor'];
    expect(find(configMap, 'aks-1-orders/files/told')).toMatchObject({
      inputs: {
        metadata: {
          name: expect.stringMatching(/^orders-files-told-[0-9a-f]{8}$/) as unknown,
          annotations: { 'pulumi.com/patchForce': 'true' },
        },
        data: { accountName: 'stfiles' },
      },
      dependencies: expect.arrayContaining(
        roles.map((role) => `${assignment}::aks-1-orders/files/${role}`),
      ) as unknown,
    });
  });

  it('hands the names that it had before down, and is the same in any version of the API', async () => {
    const { find } = await make({ service: asArgument(postgresql) }, {}, () => ({
      aliases: [{ name: 'aks-1-orders/old' }],
    }));
    const server = find(
      'kubernetes:dbforpostgresql.azure.com/v20250801:FlexibleServer',
      'aks-1-orders/files',
    );
    const database = find(
      'kubernetes:dbforpostgresql.azure.com/v20250801:FlexibleServersDatabase',
      'aks-1-orders/files/database',
    );

    expect(server.aliases).toContain('aks-1-orders/old');
    expect(server.typesBefore).toContain('kubernetes:dbforpostgresql.azure.com/v1api20240801:FlexibleServer');
    expect(server.typesBefore).not.toContain('kubernetes:dbforpostgresql.azure.com/v20250801:FlexibleServer');
    expect(database.aliases).toContain('aks-1-orders/old/database');
    // The objects keep the names that they were made with.
    expect(server.ignoreChanges).toEqual(['metadata.name']);
    expect(database.ignoreChanges).toEqual(['metadata.name', 'spec.owner.name']);
  });

  it('tells its name and its id in Azure', async () => {
    const { state } = await make();

    expect(state.find(({ type }) => type === component)?.outputs).toMatchObject({
      dependency: 'files',
      azureName: 'stfiles',
      resourceId: accountId,
      accessible: true,
    });
  });

  it.each<[string, Partial<AzureDependencyArgs>, string]>([
    ['retained', {}, 'detach-on-delete'],
    ['to be deleted', { retainOnDelete: false }, 'manage'],
    ['of another cluster', { manages: false }, 'skip'],
    ['of another cluster, to be deleted', { manages: false, retainOnDelete: false }, 'skip'],
  ])('that is %s says so to the operator', async (_, changes, policy) => {
    const { find } = await make({ ...changes, service: asArgument(postgresql) });
    const policyOf = (kind: string, suffix = '') =>
      (
        find(`kubernetes:dbforpostgresql.azure.com/v20250801:${kind}`, `aks-1-orders/files${suffix}`).inputs
          .metadata as { annotations: Record<string, string> }
      ).annotations['serviceoperator.azure.com/reconcile-policy'];

    expect(policyOf('FlexibleServer')).toBe(policy);
    expect(policyOf('FlexibleServersDatabase', '/database')).toBe(policy);
    // Access is each cluster's own, and goes with the dependency.
    expect(policyOf('FlexibleServersAdministrator', '/administrator')).toBe('manage');
  });

  it('goes with its cluster, unless the operator has to delete it first', async () => {
    const fate = (changes: Partial<AzureDependencyArgs>) =>
      make(changes, {}, () => ({ deletedWith: new kubernetes.core.v1.Namespace('cluster', {}) }));

    const kept = await fate({});
    expect(kept.find(account, 'aks-1-orders/files').deletedWith).toBe(
      'kubernetes:core/v1:Namespace::cluster',
    );
    const allowed = await fate({ retainOnDelete: false });
    expect(allowed.find(account, 'aks-1-orders/files').deletedWith).toBeUndefined();
  });

  it('by a secret has a custom resource that only looks, once the service is there', async () => {
    const { result, find } = await make({ connection: 'secret', retainOnDelete: false });

    // The pods are made at once, and wait for the secret.
    expect(result.resources).toHaveLength(1);
    expect(await valueOf(result.provisioned)).toHaveLength(2);

    expect(find(account, 'aks-1-orders/files/keys-3fb8e9a4').inputs).toMatchObject({
      metadata: {
        name: 'orders-files-keys-3fb8e9a4',
        annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' },
      },
      spec: {
        azureName: 'stfiles',
        operatorSpec: { secretExpressions: [{ name: 'orders-files-keys-3fb8e9a4' }, {}, {}] },
      },
    });
    expect(find(account, 'aks-1-orders/files').inputs).toMatchObject({
      metadata: { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'manage' } },
    });
  });

  it('asks Azure whether somebody deleted it', async () => {
    const { calls } = await make();

    expect(calls).toEqual([
      {
        token: 'azure-native:storage:getStorageAccount',
        inputs: { resourceGroupName: 'rg-services', accountName: 'stfiles' },
      },
    ]);
  });

  it('by the vault asks Azure for the key, and has it in no object of the cluster', async () => {
    const { result, registrations, calls } = await make({ connection: 'vault' });
    const { connectionString = pulumi.output('none') } = result;

    expect(await valueOf(connectionString)).toBe(
      'DefaultEndpointsProtocol=https;AccountName=stfiles;AccountKey=k1;EndpointSuffix=core.windows.net',
    );
    expect(await pulumi.isSecret(connectionString)).toBe(true);
    expect(calls.at(-1)).toEqual({
      token: 'azure-native:storage:listStorageAccountKeys',
      inputs: { resourceGroupName: 'rg-services', accountName: 'stfiles' },
    });
    expect(JSON.stringify(registrations)).not.toContain('AccountKey');
  });

  it.each<[string, Partial<AzureDependencyArgs>, string]>([
    [
      'a connection that there is not',
      { service: asArgument(postgresql), connection: 'secret' },
      'AzureDependency aks-1-orders/files: connection "secret" is not possible for a PostgreSQL server. Allowed: identity.',
    ],
    [
      'a name that Azure refuses',
      { service: { storageAccount: { name: 'st-files', sku: 'Standard_ZRS', data: ['blobs'] } } },
      'AzureDependency aks-1-orders/files: service.storageAccount.name "st-files" is not a valid name. Allowed: 3 to 24 lower-case letters and digits, unique in all of Azure.',
    ],
    [
      'a name that is no prefix of variables',
      { dependency: '1st' },
      'AzureDependency aks-1-orders/files: dependency "1st" is not a valid name.',
    ],
  ])('refuses %s', async (_, changes, message) => {
    await expect(make(changes)).rejects.toThrow(message);
  });
});

describe('what needs a service', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is made once the operator has provisioned it, with its access in it', async () => {
    const clock = testClock();
    const get = answers<KubernetesObject | undefined>(
      undefined,
      customResourceWith({ severity: 'Info' }),
      customResourceWith({ status: 'True' }),
    );
    const kubeconfigs = connectingTo(clusterOf({ get }));
    const looks: number[] = [];
    const { names } = await record(() => {
      const made = new AzureDependency('x', args());
      made.provisioned.apply(() => looks.push(clock.slept.length));
      return made;
    });

    expect(kubeconfigs).toEqual(['kubeconfig']);
    expect(looks).toEqual([2]);
    expect(names(assignment)).toEqual(['x/storageBlobDataContributor', 'x/storageTableDataContributor']);
  });

  it('has the id that the operator found, of a service that only it knows', async () => {
    connectingTo(clusterOf({ get: answers(customResourceWith({ status: 'True' })) }));
    const service = {
      resource: { resourceKind: 'StorageAccount', apiVersion: 'storage.azure.com/v20250601', spec: {} },
    };
    const { result } = await make({ service });

    expect(await valueOf(result.resourceId)).toBe('id in Azure');
  });

  it('is not waited for in a preview', async () => {
    const kubeconfigs = connectingTo(clusterOf({}));
    const { names } = await record(() => new AzureDependency('x', args()), { preview: true });

    expect(names(assignment)).toHaveLength(2);
    expect(kubeconfigs).toEqual([]);
  });
});
