import { depending, files } from './depending';
import { application, input, planOf } from './settings';

describe('the plan of dependencies', () => {
  it('has one cluster that manages, the first that the application runs on', () => {
    const { clusters } = planOf(
      input([depending([files], { clusters: ['aks-3', 'aks-2'] })], {
        clusters: [{ name: 'aks-1' }, { name: 'aks-2' }, { name: 'aks-3' }],
      }),
    );

    expect(
      clusters.map(({ workloads }) =>
        workloads.flatMap(({ dependencies }) =>
          dependencies.map(({ key, manages, managedBy, group }) => [key, manages, managedBy, group]),
        ),
      ),
    ).toEqual([
      [],
      [['aks-2/storageAccount/stfiles', true, 'aks-2', 'rg-test-services']],
      [['aks-3/storageAccount/stfiles', false, 'aks-2', 'rg-test-services']],
    ]);
  });

  it('gives the operator only the roles that it needs, on the group of the services', () => {
    const [cluster] = planOf(
      input([
        depending([files, { name: 'own', vault: { name: 'kv-own' } }]),
        application('b', { dependencies: [{ name: 'files', storageAccount: { name: 'stother' } }] }),
      ]),
    ).clusters;

    expect(cluster?.provisioning).toEqual({
      group: 'rg-test-services',
      roles: ['keyVaultContributor', 'storageAccountContributor'].map((role) => ({
        key: `aks-1-aso/rg-test-services/${role}`,
        role,
      })),
    });
    expect(cluster?.crdPatterns).toEqual(['keyvault.azure.com/Vault', 'storage.azure.com/StorageAccount']);
    expect(planOf(input([application('b')])).clusters[0]?.provisioning).toBeUndefined();
  });

  it('has groups that are deleted only if all their resources may be', () => {
    const retainedWith = (retainOnDelete: boolean) =>
      planOf(
        input(
          [
            depending([{ ...files, retainOnDelete: false }]),
            application('sales', {
              dependencies: [{ name: 'files', storageAccount: { name: 'stsales' }, retainOnDelete }],
            }),
          ],
          { services: { retainOnDelete: false } },
        ),
      ).servicesGroups.map((group) => group.retainOnDelete);

    expect(retainedWith(false)).toEqual([false]);
    expect(retainedWith(true)).toEqual([true]);
  });

  it('has an identity and a group for an application that provisions itself', () => {
    const { clusters, servicesGroups } = planOf(
      input([depending([files], { provisioning: 'application' })], { services: { resourceGroup: 'rg-s' } }),
    );

    expect(servicesGroups).toEqual([{ name: 'rg-s-orders', retainOnDelete: true }]);
    expect(clusters[0]?.provisioning).toBeUndefined();
    expect(clusters[0]?.provisioners).toMatchObject([
      {
        ...{ key: 'aks-1-orders-aso', azureName: 'id-test-aks-1-orders-aso', scope: 'operator' },
        ...{ application: 'orders', namespace: 'orders', group: 'rg-s-orders' },
        subjects: [
          {
            namespace: 'azureserviceoperator-system',
            serviceAccount: 'azureserviceoperator-default',
            audience: 'api://AzureADTokenExchange',
          },
        ],
        roles: [
          {
            key: 'aks-1-orders-aso/rg-s-orders/storageAccountContributor',
            role: 'storageAccountContributor',
          },
        ],
      },
    ]);
  });

  it('takes the nearest retention that is set', () => {
    const retained = (ofApplication: object = {}, ofDependency: object = {}) =>
      planOf(
        input([depending([{ ...files, ...ofDependency }], { ...ofApplication })], { retainOnDelete: false }),
      ).clusters[0]?.workloads[0]?.dependencies[0]?.retainOnDelete;

    expect(retained()).toBe(false);
    expect(retained({ retainOnDelete: true })).toBe(true);
    expect(retained({ retainOnDelete: true }, { retainOnDelete: false })).toBe(false);
  });

  it('has what a dependency brings among the secrets of the vault and the grants', () => {
    const { vaults } = planOf(input([depending([{ ...files, connection: 'vault' }], { secrets: ['b'] })]));
    const secrets = ['b', 'orders-files'];

    expect(vaults[0]).toMatchObject({ secrets, grants: [{ grantee: 'aks-1', secrets }] });
  });
});

describe('the name of a dependency in the stack', () => {
  const keyOf = (dependency: object, more: object = {}) => {
    const [planned] =
      planOf(input([depending([dependency], { ...more })])).clusters[0]?.workloads[0]?.dependencies ?? [];
    return planned?.key;
  };
  const resource = (spec: object) => ({
    name: 'c',
    resource: {
      apiVersion: 'storage.azure.com/v20250601',
      kind: 'StorageAccountsBlobServicesContainer',
      spec,
    },
  });

  it('is what it is in Azure, so that the application may call it something else', () => {
    expect(keyOf({ ...files, name: 'files' })).toBe('aks-1/storageAccount/stfiles');
    expect(keyOf({ ...files, name: 'documents' })).toBe('aks-1/storageAccount/stfiles');
  });

  it('has its group where the name is not unique in all of Azure', () => {
    expect(keyOf({ name: 'a', identity: { name: 'worker' } })).toBe('aks-1/identity/rg-test-services/worker');
  });

  it('has its owner, where it is any custom resource', () => {
    const kind = 'aks-1/storage.azure.com/StorageAccountsBlobServicesContainer';
    const armId = '/subscriptions/s/resourceGroups/g/providers/x/y/st2';

    expect(keyOf(resource({ azureName: 'data', owner: { name: 'st1' } }))).toBe(`${kind}/st1/data`);
    expect(keyOf(resource({ azureName: 'data', owner: { armId } }))).toBe(`${kind}/st2/data`);
    expect(keyOf(resource({}))).toBe(`${kind}/rg-test-services/orders-c`);
  });
});
