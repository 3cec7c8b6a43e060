import * as pulumi from '@pulumi/pulumi';
import { FederatedCredentials } from '../../../components/identity/federatedCredentials';
import { serviceOperatorAccount } from '../../../components/identity/subjects';
import { CertManager } from '../../../components/platform/certManager';
import type { ServiceOperatorArgs } from '../../../components/platform/serviceOperator';
import { ServiceOperator } from '../../../components/platform/serviceOperator';
import { connectingTo, readyCluster } from './support/cluster';
import { record } from './support/recorder';
import { guidOf } from './support/azure';

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

const identity = () => ({
  id: pulumi.output(
    '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-dev-aks-1-aso',
  ),
  identityName: pulumi.output('id-dev-aks-1-aso'),
  resourceGroupName: pulumi.output('rg'),
  clientId: pulumi.output(guidOf('client')),
  tenantId: pulumi.output(guidOf('tenant')),
});

/** The first of what a component is made of, which is no output of it. */
function releaseOf(component: pulumi.ComponentResource): pulumi.Resource {
  const { __childResources: children } = component as unknown as { __childResources: Set<pulumi.Resource> };
  const [first] = children;
  if (first === undefined) throw new Error('It has no children.');
  return first;
}

/** An operator after its trust and cert-manager. */
function operatorWith(args: Partial<ServiceOperatorArgs>, certManager?: CertManager): ServiceOperator {
  const own = identity();
  const trust = new FederatedCredentials('aks-1-aso', {
    identity: own,
    issuer: 'https://issuer.example/',
    subjects: [serviceOperatorAccount],
  });
  return new ServiceOperator(
    'aks-1-service-operator',
    { identity: own, subscriptionId: guidOf('subscription'), kubeconfig: 'kubeconfig', ...args },
    { dependsOn: [trust, ...(certManager === undefined ? [] : [certManager])] },
  );
}

describe('ServiceOperator', () => {
  const make = (args: Partial<ServiceOperatorArgs> = {}) =>
    record(() => operatorWith(args, new CertManager('aks-1-cert-manager')));

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
          azureTenantID: guidOf('tenant'),
          azureSubscriptionID: guidOf('subscription'),
          azureClientID: guidOf('client'),
          crdPattern: 'resources.azure.com/*;managedidentity.azure.com/*',
          replicaCount: 2,
        },
        timeout: 1200,
        compat: 'true',
      },
      parent: `${operator}::aks-1-service-operator`,
      dependencies: [],
      protect: false,
      retainOnDelete: false,
      provider: undefined,
    });
    expect(find(operator, 'aks-1-service-operator').dependencies).toEqual([
      'azure-native:managedidentity:FederatedIdentityCredential::aks-1-aso/azureserviceoperator-system_azureserviceoperator-default',
      `${release}::aks-1-cert-manager`,
    ]);
  });

  it.each([
    [{ certificate: 'pem' }, 'azureClientCertificate', 'azureClientSecret', 'pem'],
    [{ password: 'text' }, 'azureClientSecret', 'azureClientCertificate', 'text'],
  ])(
    'signs in by what is stored, %j, in pods that are made anew with another',
    async (one, key, other, value) => {
      const { find } = await make({ credential: { ...one, name: '2026-11-03-90d', keyId: guidOf('key') } });
      // As the engine keeps a secret.
      const { value: values } = find(release, 'aks-1-service-operator').inputs.values as {
        value: Record<string, unknown>;
      };

      expect(values).toMatchObject({
        useWorkloadIdentityAuth: false,
        podAnnotations: { 'aks-workload-identity/credential': guidOf('key') },
        azureClientID: guidOf('client'),
      });
      expect(values[key]).toBe(value);
      expect(values).not.toHaveProperty(other);
    },
  );

  it('takes patterns and replicas', async () => {
    const { find } = await make({
      crdPattern: 'keyvault.azure.com/*;resources.azure.com/*',
      furtherPatterns: ['storage.azure.com/*', 'keyvault.azure.com/*'],
      replicaCount: 1,
    });

    expect(find(release, 'aks-1-service-operator').inputs.values).toMatchObject({
      crdPattern:
        'resources.azure.com/*;managedidentity.azure.com/*;keyvault.azure.com/*;storage.azure.com/*',
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

describe('what was installed', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const kubeconfig = pulumi.secret('of the test');
  const customResource =
    'kubernetes:managedidentity.azure.com/v1api20230131:UserAssignedIdentity::aks-1-service-operator-signed-in';

  /** A cluster in which everything answers, and what it was asked, among what else happened. */
  function observed() {
    const events: string[] = [];
    const asked = connectingTo({
      ...readyCluster,
      // Not at once, so that whoever does not wait for it comes before it.
      dryRun: async ({ kind }) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        events.push(`asked for ${kind}`);
        return undefined;
      },
      get: (reference) => {
        events.push(`asked of ${reference.kind}`);
        return readyCluster.get(reference);
      },
    });
    const note = (what: string, resource: pulumi.Resource) =>
      void resource.urn.apply(() => void events.push(`made ${what}`));
    return { events, asked, note };
  }

  /** All that can be asked, of cert-manager and of the operator. */
  function whole({ note }: ReturnType<typeof observed>): ServiceOperator {
    const certManager = new CertManager('aks-1-cert-manager');
    note('cert-manager', releaseOf(certManager));
    const operator = operatorWith(
      { kubeconfig, selfReading: { identity: identity(), location: 'westeurope', right: '/the/right' } },
      certManager,
    );
    note('operator', releaseOf(operator));
    operator.ready.apply(() => {
      note('dependent', operator);
    });
    return operator;
  }

  it('is asked, one after the other, before anything that needs it is made', async () => {
    const seen = observed();
    const { find } = await record(() => whole(seen));

    expect(seen.events).toEqual([
      'made cert-manager',
      'asked for Issuer',
      'made operator',
      'asked for UserAssignedIdentity',
      'asked of UserAssignedIdentity',
      'made dependent',
    ]);
    expect([...new Set(seen.asked)]).toEqual(['of the test']);
    expect(find(operator, 'aks-1-service-operator').dependencies).toContain(`${release}::aks-1-cert-manager`);
    const [type = '', name = ''] = customResource.split('::');
    const { inputs, dependencies } = find(type, name);
    expect(inputs).toEqual({
      apiVersion: 'managedidentity.azure.com/v1api20230131',
      kind: 'UserAssignedIdentity',
      metadata: {
        name: 'aks-workload-identity-operator',
        namespace: 'azureserviceoperator-system',
        annotations: {
          'serviceoperator.azure.com/reconcile-policy': 'skip',
          'pulumi.com/skipAwait': 'true',
          'pulumi.com/patchForce': 'true',
        },
      },
      spec: {
        azureName: 'id-dev-aks-1-aso',
        location: 'westeurope',
        owner: { armId: '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg' },
      },
    });
    expect(dependencies).toContain(`${release}::aks-1-service-operator`);
  });

  it('is not asked in a preview, in which all the same is registered', async () => {
    const seen = observed();
    const { registrations } = await record(() => whole(seen), { preview: true });
    const update = await record(() => whole(observed()));

    expect(seen.asked).toEqual([]);
    expect(registrations.map(({ name }) => name).sort()).toEqual(
      update.registrations.map(({ name }) => name).sort(),
    );
  });

  it('by others is asked as well: the operator waits for a cert-manager that is not of the stack', async () => {
    const seen = observed();
    await record(() => {
      const operator = operatorWith({ kubeconfig });
      seen.note('operator', releaseOf(operator));
      return operator;
    });

    expect(seen.events.slice(0, 3)).toEqual([
      'asked for Issuer',
      'made operator',
      'asked for UserAssignedIdentity',
    ]);
  });
});
