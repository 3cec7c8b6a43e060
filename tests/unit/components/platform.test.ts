import * as pulumi from '@pulumi/pulumi';
import { FederatedCredentials } from '../../../components/identity/federatedCredentials';
import { serviceOperatorAccount } from '../../../components/identity/subjects';
import { CertManager } from '../../../components/platform/certManager';
import type { ServiceOperatorArgs } from '../../../components/platform/serviceOperator';
import { ServiceOperator } from '../../../components/platform/serviceOperator';
import { record } from './support/recorder';

// What mocks do not prove: that the charts render with these values, that helm waits, that cert-manager's API
// answers when its release is done, and that the operator signs in.

const release = 'kubernetes:helm.sh/v3:Release';
const certManager = 'aks-workload-identity:platform:CertManager';
const operator = 'aks-workload-identity:platform:ServiceOperator';

describe('CertManager', () => {
  it('is the vendor’s chart with its own resource definitions and its own check', async () => {
    const { find, registrations } = await record(() => new CertManager('aks-1-cert-manager'));

    expect(registrations).toHaveLength(2);
    expect(find(release, 'aks-1-cert-manager')).toEqual({
      type: release,
      name: 'aks-1-cert-manager',
      inputs: {
        chart: 'cert-manager',
        repositoryOpts: { repo: 'https://charts.jetstack.io' },
        version: 'v1.21.2',
        name: 'cert-manager',
        namespace: 'cert-manager',
        createNamespace: true,
        values: {
          crds: { enabled: true },
          replicaCount: 1,
          webhook: { replicaCount: 1 },
          cainjector: { replicaCount: 1 },
          startupapicheck: { enabled: true, timeout: '5m' },
        },
        waitForJobs: true,
        timeout: 600,
        compat: 'true',
      },
      parent: `${certManager}::aks-1-cert-manager`,
      dependencies: [],
      protect: false,
      retainOnDelete: false,
      provider: undefined,
    });
  });

  it('takes a chart from a file, without a repository or a version', async () => {
    const { find } = await record(
      () => new CertManager('cm', { source: { chart: './charts/cert-manager.tgz' }, replicaCount: 2 }),
    );

    const { inputs } = find(release, 'cm');
    expect(inputs.chart).toBe('./charts/cert-manager.tgz');
    expect(inputs).not.toHaveProperty('repositoryOpts');
    expect(inputs).not.toHaveProperty('version');
    expect(inputs.values).toMatchObject({ replicaCount: 2, webhook: { replicaCount: 2 } });
  });
});

describe('ServiceOperator', () => {
  const make = (args: Partial<ServiceOperatorArgs> = {}) =>
    record(() => {
      const identity = {
        identityName: pulumi.output('id-dev-aks-1-aso'),
        resourceGroupName: pulumi.output('rg'),
        clientId: pulumi.output('client'),
        tenantId: pulumi.output('tenant'),
      };
      return new ServiceOperator('aks-1-service-operator', {
        certManager: new CertManager('aks-1-cert-manager'),
        identity,
        trust: new FederatedCredentials('aks-1-aso', {
          identity,
          issuer: 'https://issuer.example/',
          subjects: [serviceOperatorAccount],
        }),
        subscriptionId: 'subscription',
        ...args,
      });
    });

  it('signs in by workload identity, after cert-manager and its trust', async () => {
    const { find } = await make();

    expect(find(release, 'aks-1-service-operator')).toEqual({
      type: release,
      name: 'aks-1-service-operator',
      inputs: {
        chart: 'azure-service-operator',
        repositoryOpts: {
          repo: 'https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts',
        },
        version: '2.19.0',
        name: 'azure-service-operator',
        namespace: 'azureserviceoperator-system',
        createNamespace: true,
        values: {
          useWorkloadIdentityAuth: true,
          azureTenantID: 'tenant',
          azureSubscriptionID: 'subscription',
          azureClientID: 'client',
          crdPattern: 'resources.azure.com/*',
          replicaCount: 2,
        },
        timeout: 600,
        compat: 'true',
      },
      parent: `${operator}::aks-1-service-operator`,
      dependencies: [
        'azure-native:managedidentity:FederatedIdentityCredential::aks-1-aso/azureserviceoperator-system_azureserviceoperator-default',
        `${release}::aks-1-cert-manager`,
      ],
      protect: false,
      retainOnDelete: false,
      provider: undefined,
    });
  });

  it('takes patterns and replicas', async () => {
    const { find } = await make({
      crdPattern: 'keyvault.azure.com/*;resources.azure.com/*',
      replicaCount: 1,
    });

    expect(find(release, 'aks-1-service-operator').inputs.values).toMatchObject({
      crdPattern: 'keyvault.azure.com/*;resources.azure.com/*',
      replicaCount: 1,
    });
  });

  it.each(['', 'resources.azure.com', 'a/b;', '*'])(
    'refuses the pattern %p: the operator would exit',
    async (crdPattern) => {
      await expect(make({ crdPattern })).rejects.toThrow(
        /ServiceOperator .*: crdPattern .* names no custom resources/,
      );
    },
  );
});
