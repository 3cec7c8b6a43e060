import * as pulumi from '@pulumi/pulumi';
import type { Deployment } from './deployed';
import { deploy } from './deployed';
import type { StackOutputs } from '../../../stacks/outputs/outputs';
import { guidOf, ids } from '../components/support/azure';
import type { Recording } from '../components/support/recorder';
import { valueOf } from '../components/support/recorder';
import { application, validInput } from './settings';

// What mocks do not prove: that the order holds in Azure and that the whole comes up; the end-to-end test does.

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const release = 'kubernetes:helm.sh/v3:Release';
const deployment = 'kubernetes:apps/v1:Deployment';
const assignment = 'azure-native:authorization:RoleAssignment';
const credential = 'azure-native:managedidentity:FederatedIdentityCredential';
const policy = 'azure-native:keyvault:AccessPolicy';

/** The environment of `validInput()`, registered once: the tests only look at it. */
let whole: Deployment;
beforeAll(async () => {
  whole = await deploy(validInput());
});

/** Everything that a resource waits for, directly or not; by `type::name`. */
function waitsFor({ registrations }: Recording<unknown>, start: string): Set<string> {
  const direct = new Map(
    registrations.map((registration) => [
      `${registration.type}::${registration.name}`,
      [...registration.dependencies, ...(registration.parent === undefined ? [] : [registration.parent])],
    ]),
  );
  const found = new Set<string>();
  const visit = (key: string) => {
    for (const next of direct.get(key) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(start);
  return found;
}

const custom = ({ registrations }: Recording<unknown>) =>
  registrations
    .filter(({ type }) => !type.startsWith('aks-workload-identity:'))
    .map(({ type, name }) => `${type.replace(/^.*[:/]/, '')} ${name}`)
    .sort();

describe('an environment', () => {
  it('is exactly these resources', () => {
    expect(custom(whole)).toEqual(
      [
        'ResourceGroup rg-test',
        'Vault kv-test',
        'Secret kv-test/orders-db',
        'Vault kv-test-reports',
        'Secret kv-test-reports/reports-db',
        ...['aks-1', 'aks-2'].flatMap((cluster) => [
          `ManagedCluster ${cluster}`,
          `kubernetes ${cluster}-provider`,
          `UserAssignedIdentity ${cluster}`,
          `UserAssignedIdentity ${cluster}-aso`,
          `UserAssignedIdentity ${cluster}-billing`,
          `FederatedIdentityCredential ${cluster}/orders_orders`,
          `FederatedIdentityCredential ${cluster}-billing/billing_billing`,
          `FederatedIdentityCredential ${cluster}-aso/azureserviceoperator-system_azureserviceoperator-default`,
          `RoleAssignment kv-test/${cluster}/orders-db`,
          `RoleAssignment kv-test/${cluster}/shared-api-key`,
          `RoleAssignment kv-test/${cluster}-billing/billing-db`,
          `RoleAssignment kv-test/${cluster}-billing/shared-api-key`,
          `Release ${cluster}-cert-manager`,
          `Release ${cluster}-service-operator`,
          `RoleAssignment ${cluster}-aso/itself`,
          `UserAssignedIdentity ${cluster}-service-operator-signed-in`,
          `Namespace ${cluster}/orders`,
          `Namespace ${cluster}/billing`,
          `ServiceAccount ${cluster}-orders-account`,
          `ServiceAccount ${cluster}-billing-account`,
          `Deployment ${cluster}-orders`,
          `Deployment ${cluster}-billing`,
        ]),
        'UserAssignedIdentity aks-2-reports',
        'FederatedIdentityCredential aks-2-reports/reports_reports',
        'AccessPolicy kv-test-reports/aks-2-reports',
        'Namespace aks-2/reports',
        'ServiceAccount aks-2-reports-account',
        'Release aks-2-reports',
      ].sort(),
    );
  });

  it('starts workloads after their trust and their grants, and after nothing of others', () => {
    const before = waitsFor(whole, `${deployment}::aks-1-orders`);

    expect([...before]).toEqual(
      expect.arrayContaining([
        `${credential}::aks-1/orders_orders`,
        `${assignment}::kv-test/aks-1/orders-db`,
        `${assignment}::kv-test/aks-1/shared-api-key`,
        'azure-native:keyvault:Secret::kv-test/orders-db',
        'kubernetes:core/v1:Namespace::aks-1/orders',
      ]),
    );
    const reports = waitsFor(whole, `${release}::aks-2-reports`);
    expect([...reports]).toEqual(
      expect.arrayContaining([
        `${credential}::aks-2-reports/reports_reports`,
        `${policy}::kv-test-reports/aks-2-reports`,
        'azure-native:keyvault:Secret::kv-test-reports/reports-db',
      ]),
    );
    for (const key of [...before]) {
      expect(key).not.toMatch(/aks-2|billing|Release|-aso/);
    }
  });

  it('installs the operator after cert-manager and its own trust, and cert-manager after the cluster only', () => {
    expect([...waitsFor(whole, `${release}::aks-1-service-operator`)]).toEqual(
      expect.arrayContaining([
        `${release}::aks-1-cert-manager`,
        `${credential}::aks-1-aso/azureserviceoperator-system_azureserviceoperator-default`,
      ]),
    );
    expect([...waitsFor(whole, `${release}::aks-1-cert-manager`)].join()).not.toMatch(
      /Identity::|Vault|Secret|Federated|RoleAssignment/,
    );
  });

  it('lets no cluster wait for another', () => {
    for (const { type, name } of whole.registrations.filter((registration) =>
      registration.name.startsWith('aks-1'),
    )) {
      expect([...waitsFor(whole, `${type}::${name}`)].filter((key) => key.includes('aks-2'))).toEqual([]);
    }
  });

  it('puts what is in a cluster into that cluster', () => {
    const { registrations } = whole;

    const inClusters = registrations.filter(({ type }) => type.startsWith('kubernetes:'));
    expect(inClusters.length).toBeGreaterThan(10);
    for (const { name, provider } of inClusters) {
      expect(provider).toBe(`pulumi:providers:kubernetes::${name.slice(0, 'aks-1'.length)}-provider`);
    }
  });

  it('writes the credentials of an identity one after the other, across applications', async () => {
    const recording = await deploy(
      validInput({
        clusters: [{ name: 'aks-1' }],
        applications: ['c', 'a', 'b'].map((name) => application(name)),
        secretValues: {},
      }),
    );

    const chain = recording.registrations.filter(
      ({ type, name }) => type === credential && /_[abc]$/.test(name),
    );
    expect(chain.map(({ name }) => name).sort()).toEqual(['aks-1/a_a', 'aks-1/b_b', 'aks-1/c_c']);
    expect(waitsFor(recording, `${credential}::aks-1/c_c`)).toContain(`${credential}::aks-1/b_b`);
    expect(waitsFor(recording, `${credential}::aks-1/b_b`)).toContain(`${credential}::aks-1/a_a`);
  });

  it('keeps names distinct that hyphens would make equal', async () => {
    const { names } = await deploy(
      validInput({
        clusters: [{ name: 'a' }, { name: 'a-b' }],
        applications: [
          application('p', { clusters: ['a'], namespace: 'b-c' }),
          application('q', { clusters: ['a-b'], namespace: 'c' }),
        ],
        secretValues: {},
      }),
    );

    expect(names('kubernetes:core/v1:Namespace').sort()).toEqual(['a-b/c', 'a/b-c']);
  });

  it('gets nothing but the resources of an application when one is added', async () => {
    const input = validInput();
    const before = custom(whole);
    const after = custom(
      await deploy({
        ...input,
        applications: [
          application('added', { secrets: ['shared-api-key'], identity: 'application', clusters: ['aks-1'] }),
          ...(input.applications as unknown[]),
        ],
      }),
    );

    expect(before.filter((resource) => !after.includes(resource))).toEqual([]);
    expect(after.filter((resource) => !before.includes(resource))).toEqual([
      'Deployment aks-1-added',
      'FederatedIdentityCredential aks-1-added/added_added',
      'Namespace aks-1/added',
      'RoleAssignment kv-test/aks-1-added/shared-api-key',
      'ServiceAccount aks-1-added-account',
      'UserAssignedIdentity aks-1-added',
    ]);
  });

  it('installs neither cert-manager nor the operator where others do', async () => {
    const none = custom(
      await deploy(validInput({ certManager: { install: false }, serviceOperator: { install: false } })),
    );

    expect(custom(whole).filter((resource) => !none.includes(resource))).toEqual(
      ['aks-1', 'aks-2']
        .flatMap((cluster) => [
          `FederatedIdentityCredential ${cluster}-aso/azureserviceoperator-system_azureserviceoperator-default`,
          `Release ${cluster}-cert-manager`,
          `Release ${cluster}-service-operator`,
          `UserAssignedIdentity ${cluster}-aso`,
          `RoleAssignment ${cluster}-aso/itself`,
          `UserAssignedIdentity ${cluster}-service-operator-signed-in`,
        ])
        .sort(),
    );
    expect(none.filter((resource) => !custom(whole).includes(resource))).toEqual([]);
  });

  it('installs the operator beside a cert-manager that is there already', async () => {
    const recording = await deploy(validInput({ certManager: { install: false } }));

    expect(recording.names(release)).not.toContain('aks-1-cert-manager');
    expect([...waitsFor(recording, `${release}::aks-1-service-operator`)]).toContain(
      `${credential}::aks-1-aso/azureserviceoperator-system_azureserviceoperator-default`,
    );
  });

  it('takes charts, tags and sizes from the configuration', async () => {
    const { find } = await deploy(
      validInput({
        clusters: [{ name: 'aks-2', tier: 'Free', nodes: { count: 1 }, kubernetesVersion: '1.35' }],
        certManager: { chart: './cm.tgz' },
        serviceOperator: { version: '2.20.0', crdPattern: 'keyvault.azure.com/*', replicas: 1 },
        tags: { environment: 'test' },
      }),
    );

    expect(find(release, 'aks-2-cert-manager').inputs.chart).toBe('./cm.tgz');
    expect(find(release, 'aks-2-service-operator').inputs).toMatchObject({
      chart: 'azure-service-operator',
      version: '2.20.0',
      values: {
        crdPattern: 'resources.azure.com/*;managedidentity.azure.com/*;keyvault.azure.com/*',
        replicaCount: 1,
        azureSubscriptionID: ids.subscription,
      },
    });
    expect(find('azure-native:containerservice:ManagedCluster', 'aks-2').inputs).toMatchObject({
      kubernetesVersion: '1.35',
      sku: { tier: 'Free' },
      tags: { environment: 'test' },
      agentPoolProfiles: [{ count: 1 }],
    });
    expect(find('azure-native:keyvault:Vault', 'kv-test').inputs.tags).toEqual({
      environment: 'test',
      'pulumi-stack': 'aks-workload-identity/test',
    });
  });
});

describe('the outputs of an environment', () => {
  it('have what the verification needs', async () => {
    const { result } = whole;
    const outputs = Object.fromEntries(
      await Promise.all(
        Object.entries(result).map(async ([key, output]) => [
          key,
          await valueOf(output as pulumi.Output<unknown>),
        ]),
      ),
    ) as StackOutputs;

    expect(outputs).toMatchObject({
      environment: 'test',
      tenantId: ids.tenant,
      subscriptionId: ids.subscription,
      resourceGroup: 'rg-test',
      kubeconfigs: { 'aks-1': 'admin kubeconfig of aks-1', 'aks-2': 'admin kubeconfig of aks-2' },
    });
    expect(outputs.vaults['kv-test']).toEqual({
      id: matching(/vaults\/kv-test$/),
      uri: 'https://kv-test.vault.azure.net/',
      access: 'rbac',
      secrets: ['billing-db', 'orders-db', 'shared-api-key'],
    });
    expect(outputs.clusters['aks-1']).toEqual({
      mode: 'create',
      id: matching(/managedClusters\/aks-1$/),
      issuer: 'https://issuer.example/aks-1/',
      identity: {
        id: matching(/userAssignedIdentities\/id-test-aks-1$/),
        clientId: guidOf('client-id-test-aks-1'),
        principalId: guidOf('principal-id-test-aks-1'),
      },
    });
    expect(outputs.workloads).toHaveLength(5);
    expect(
      outputs.workloads.find(({ cluster, application: name }) => cluster === 'aks-2' && name === 'reports'),
    ).toEqual({
      cluster: 'aks-2',
      application: 'reports',
      namespace: 'reports',
      serviceAccount: 'reports',
      serviceAccounts: ['reports'],
      identity: {
        name: 'id-test-aks-2-reports',
        id: matching(/userAssignedIdentities\/id-test-aks-2-reports$/),
        clientId: guidOf('client-id-test-aks-2-reports'),
        principalId: guidOf('principal-id-test-aks-2-reports'),
      },
      identitiesBeside: [],
      issuer: 'https://issuer.example/aks-2/',
      subject: 'system:serviceaccount:reports:reports',
      audience: 'api://AzureADTokenExchange',
      // Of a chart it is not known.
      hasPods: false,
      windows: [],
      grants: [{ vault: 'kv-test-reports', secret: 'reports-db' }],
    });
    expect(outputs.workloads.find(({ application: name }) => name === 'orders')?.hasPods).toBe(true);
  });

  it('are secret where they are kubeconfigs, and nowhere else', async () => {
    const { result } = whole;

    const secret = await Promise.all(
      Object.entries(result).map(async ([key, output]) => [
        key,
        await pulumi.isSecret(output as pulumi.Output<unknown>),
      ]),
    );

    expect(secret.filter(([, isSecret]) => isSecret).map(([key]) => key)).toEqual(['kubeconfigs']);
  });
});
