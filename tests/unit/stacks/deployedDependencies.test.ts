import { guidOf, ids } from '../components/support/azure';
import { valueOf } from '../components/support/recorder';
import { depending, files } from './depending';
import { deploy } from './deployed';
import { application, input } from './settings';

// What mocks do not prove: that anything is provisioned; the end-to-end test of dependencies does.

const account = 'kubernetes:storage.azure.com/v20250601:StorageAccount';
const assignment = 'azure-native:authorization:RoleAssignment';
const deployment = 'kubernetes:apps/v1:Deployment';
const policyOf = (inputs: Readonly<Record<string, unknown>>) =>
  (inputs.metadata as { annotations: Record<string, string> }).annotations[
    'serviceoperator.azure.com/reconcile-policy'
  ];

describe('an environment with dependencies', () => {
  it('assigns the operator its role first, and creates the Deployment at once', async () => {
    const { find, registrations } = await deploy(input([depending()]));

    expect(find('azure-native:resources:ResourceGroup', 'rg-test-services')).toMatchObject({
      retainOnDelete: true,
      protect: false,
    });
    expect(find(assignment, 'aks-1-aso/rg-test-services/storageAccountContributor').inputs).toMatchObject({
      scope: `/subscriptions/${ids.subscription}/resourceGroups/rg-test-services`,
      principalId: guidOf('principal-id-test-aks-1-aso'),
    });
    expect(
      find('aks-workload-identity:dependency:AzureDependency', 'aks-1/storageAccount/stfiles').dependencies,
    ).toEqual(
      expect.arrayContaining([
        `${assignment}::aks-1-aso/rg-test-services/storageAccountContributor`,
        'kubernetes:helm.sh/v3:Release::aks-1-service-operator',
      ]),
    );
    expect(find('kubernetes:helm.sh/v3:Release', 'aks-1-service-operator').inputs).toMatchObject({
      values: { crdPattern: expect.stringContaining('storage.azure.com/StorageAccount') as unknown },
    });
    const orders = find(deployment, 'aks-1-orders').inputs;
    const { spec } = orders as { spec: { template: { spec: { containers: { env: unknown[] }[] } } } };
    expect(spec.template.spec.containers[0]?.env).toContainEqual({
      name: 'FILES_BLOB_ENDPOINT',
      valueFrom: { configMapKeyRef: { name: 'orders-files', key: 'blobEndpoint' } },
    });
    expect(orders).toMatchObject({
      spec: {
        template: { metadata: { annotations: { 'aks-workload-identity/dependencies': 'files=stfiles' } } },
      },
    });
    expect(
      find(deployment, 'aks-1-orders').dependencies.filter((dependency) => dependency.includes('stfiles')),
    ).toEqual([]);
    expect(registrations.filter(({ name }) => name.includes('aks-1-orders-aso'))).toEqual([]);
  });

  it('gives both generations of an identity access, under names that do not depend on which is in use', async () => {
    const role = 'aks-1/storageAccount/stfiles/storageBlobDataContributor';
    const principals = async (identityGenerations: number[]) => {
      const application = { ...depending(), identity: 'application', identityGenerations };
      const { find } = await deploy(input([application]));
      return [role, `${role}-g2`].map((name) => find(assignment, name).inputs['principalId']);
    };
    const both = ['aks-1-orders', 'aks-1-orders-g2'].map((key) => guidOf(`principal-id-test-${key}`));

    expect(await principals([1, 2])).toEqual(both);
    expect(await principals([2, 1])).toEqual(both);
  });

  it('lists them in its outputs', async () => {
    const { result } = await deploy(input([depending()]));

    expect(await valueOf(result.dependencies)).toEqual([
      {
        application: 'orders',
        name: 'files',
        kind: 'storageAccount',
        azureName: 'stfiles',
        resourceId: `/subscriptions/${ids.subscription}/resourceGroups/rg-test-services/providers/Microsoft.Storage/storageAccounts/stfiles`,
        managedBy: 'aks-1',
        connection: 'identity',
      },
    ]);
  });

  it('lets the other clusters read it once it exists', async () => {
    const { find } = await deploy(input([depending()], { clusters: [{ name: 'aks-1' }, { name: 'aks-2' }] }));

    expect(policyOf(find(account, 'aks-1/storageAccount/stfiles').inputs)).toBe('detach-on-delete');
    expect(policyOf(find(account, 'aks-2/storageAccount/stfiles').inputs)).toBe('skip');
    expect(
      find('aks-workload-identity:dependency:AzureDependency', 'aks-2/storageAccount/stfiles').dependencies,
    ).toContain(`${account}::aks-1/storageAccount/stfiles`);
    // Each cluster's identity has access of its own.
    expect(
      find(assignment, 'aks-2/storageAccount/stfiles/storageBlobDataContributor').inputs.principalId,
    ).toBe(guidOf('principal-id-test-aks-2'));
  });

  it('writes the secrets for the vault once, and grants them to each reader afterwards', async () => {
    const { find, names } = await deploy(
      input([depending([{ ...files, connection: 'vault' }], { delivery: 'files' })], {
        clusters: [{ name: 'aks-1' }, { name: 'aks-2' }],
      }),
    );

    expect(names('azure-native:keyvault:Secret')).toEqual(['kv-test/orders-files']);
    for (const cluster of ['aks-1', 'aks-2']) {
      expect(find(assignment, `kv-test/${cluster}/orders-files`).dependencies).toContain(
        'azure-native:keyvault:Secret::kv-test/orders-files',
      );
      expect(
        find('kubernetes:secrets-store.csi.x-k8s.io/v1:SecretProviderClass', `${cluster}-orders-secrets`)
          .inputs,
      ).toMatchObject({
        spec: { parameters: { objects: expect.stringContaining('orders-files') as unknown } },
      });
    }
  });

  it('writes it as well where the vault has access policies, one for each reader', async () => {
    const { names } = await deploy(
      input([depending([{ ...files, connection: 'vault' }], { secrets: ['b'] })], {
        vault: { name: 'kv-test', access: 'accessPolicy' },
      }),
    );

    expect(names('azure-native:keyvault:AccessPolicy')).toEqual(['kv-test/aks-1']);
  });

  it('provisions as the application where it asks for that', async () => {
    const { find } = await deploy(input([depending([files], { provisioning: 'application' })]));

    expect(find('kubernetes:core/v1:Secret', 'aks-1-orders-aso-credential').inputs).toMatchObject({
      metadata: { name: 'aso-credential', namespace: 'orders' },
      // Nothing of it is secret, but the SDK marks whatever a Secret has.
      stringData: {
        value: {
          AZURE_CLIENT_ID: guidOf('client-id-test-aks-1-orders-aso'),
          AZURE_TENANT_ID: ids.tenant,
          AZURE_SUBSCRIPTION_ID: ids.subscription,
        },
      },
    });
    expect(
      find(
        'azure-native:managedidentity:FederatedIdentityCredential',
        'aks-1-orders-aso/azureserviceoperator-system_azureserviceoperator-default',
      ).inputs.resourceName,
    ).toBe('id-test-aks-1-orders-aso');
    expect(
      find(assignment, 'aks-1-orders-aso/rg-test-services-orders/storageAccountContributor').inputs,
    ).toMatchObject({ principalId: guidOf('principal-id-test-aks-1-orders-aso') });
    expect(
      find('aks-workload-identity:dependency:AzureDependency', 'aks-1/storageAccount/stfiles').dependencies,
    ).toContain('kubernetes:core/v1:Secret::aks-1-orders-aso-credential');
  });

  it('labels all objects that it creates in the cluster, and forces conflicts only in its own fields', async () => {
    const existing = application('shop', {
      ...{ secrets: ['b'], delivery: 'files', namespace: { name: 'shop', existing: true } },
      serviceAccount: { name: 'checkout', existing: true },
    });
    const { registrations } = await deploy(
      input([depending([files], { provisioning: 'application' }), existing]),
    );

    const annotated = registrations
      .filter(({ type }) => /^kubernetes:(?!helm)/.test(type))
      .map(({ type, inputs: { metadata } }) => {
        const { annotations = {} } = metadata as { annotations?: Record<string, string> };
        const owner = annotations['aks-workload-identity/owner'];
        return [type.split(':').at(-1), owner, annotations['pulumi.com/patchForce']].join(' ');
      });
    const created = [
      ...['ConfigMap', 'Deployment', 'Namespace', 'Secret', 'SecretProviderClass', 'ServiceAccount'],
      ...['StorageAccount', 'UserAssignedIdentity'],
    ];
    expect([...new Set(annotated)].sort()).toEqual(
      [...created.map((kind) => `${kind} test/aks-1 true`), 'ServiceAccountPatch  '].sort(),
    );
  });

  it('lets a chart provision services itself, with the role of each kind, and as its application', async () => {
    const provisions = ['cache.azure.com/Redis', 'web.azure.com/Site'];
    const chart = { name: 'orders', chart: { chart: './charts/x', provisions } };
    const rolesOf = async (more: object) => {
      const { names } = await deploy(input([{ ...chart, ...more }]));
      return names(assignment).filter((name) => name.includes('services'));
    };

    expect(await rolesOf({})).toEqual([
      'aks-1-aso/rg-test-services/contributor',
      'aks-1-aso/rg-test-services/redisCacheContributor',
    ]);
    expect(await rolesOf({ provisioning: 'application' })).toEqual([
      'aks-1-orders-aso/rg-test-services-orders/contributor',
      'aks-1-orders-aso/rg-test-services-orders/redisCacheContributor',
    ]);
    const { find } = await deploy(input([chart]));
    expect(find('kubernetes:helm.sh/v3:Release', 'aks-1-service-operator').inputs).toMatchObject({
      values: { crdPattern: expect.stringContaining('cache.azure.com/Redis;web.azure.com/Site') as unknown },
    });
    const component = find('aks-workload-identity:application:Workload', 'aks-1-orders');
    expect(component.dependencies).toEqual(
      expect.arrayContaining([
        `${assignment}::aks-1-aso/rg-test-services/contributor`,
        'kubernetes:helm.sh/v3:Release::aks-1-service-operator',
      ]),
    );
  });

  it('passes a chart the names of future objects', async () => {
    const chart = { name: 'orders', chart: { chart: './charts/x' }, dependencies: [files] };
    const { find } = await deploy(input([chart]));
    const release = find('kubernetes:helm.sh/v3:Release', 'aks-1-orders');

    expect(release.inputs.values).toMatchObject({
      dependencies: {
        files: {
          configMap: 'orders-files',
          env: [
            {
              name: 'FILES_BLOB_ENDPOINT',
              valueFrom: { configMapKeyRef: { name: 'orders-files', key: 'blobEndpoint' } },
            },
            expect.objectContaining({ name: 'FILES_ACCOUNT_NAME' }),
          ],
        },
      },
    });
  });
});
