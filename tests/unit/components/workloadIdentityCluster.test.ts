import * as pulumi from '@pulumi/pulumi';
import { parseResourceId } from '../../../components/azure/resourceId';
import { assertEnabled } from '../../../components/cluster/existingCluster';
import { WorkloadIdentityCluster } from '../../../components/cluster/workloadIdentityCluster';
import { group, ids } from './support/azure';
import { record, valueOf } from './support/recorder';

// What mocks do not prove: that AKS accepts the combination of options and answers an issuer, that the
// kubeconfig works, and that the Kubernetes provider takes `clusterIdentifier` for what it compares.

const component = 'aks-workload-identity:cluster:WorkloadIdentityCluster';
const resource = 'azure-native:containerservice:ManagedCluster';
const admin = 'azure-native:containerservice:listManagedClusterAdminCredentials';
const user = 'azure-native:containerservice:listManagedClusterUserCredentials';

describe('WorkloadIdentityCluster', () => {
  it('makes a cluster with issuer and workload identity on', async () => {
    const { find, names } = await record(
      () => new WorkloadIdentityCluster('aks-1', { create: { resourceGroupName: 'rg' } }),
    );

    expect(names(resource)).toEqual(['aks-1']);
    expect(find(resource, 'aks-1')).toEqual({
      type: resource,
      name: 'aks-1',
      inputs: {
        resourceGroupName: 'rg',
        resourceName: 'aks-1',
        dnsPrefix: 'aks-1',
        sku: { name: 'Base', tier: 'Standard' },
        identity: { type: 'SystemAssigned' },
        enableRBAC: true,
        disableLocalAccounts: false,
        oidcIssuerProfile: { enabled: true },
        securityProfile: { workloadIdentity: { enabled: true } },
        autoUpgradeProfile: { upgradeChannel: 'patch', nodeOSUpgradeChannel: 'NodeImage' },
        networkProfile: {
          networkPlugin: 'azure',
          networkPluginMode: 'overlay',
          networkDataplane: 'cilium',
          networkPolicy: 'cilium',
          // What the package's SDK adds by itself.
          dnsServiceIP: '10.0.0.10',
          outboundType: 'loadBalancer',
          podCidr: '10.244.0.0/16',
          serviceCidr: '10.0.0.0/16',
        },
        agentPoolProfiles: [
          {
            name: 'system',
            mode: 'System',
            type: 'VirtualMachineScaleSets',
            osType: 'Linux',
            osSKU: 'AzureLinux',
            count: 3,
            vmSize: 'Standard_D4ds_v5',
          },
        ],
      },
      parent: `${component}::aks-1`,
      dependencies: [],
      protect: false,
      retainOnDelete: true,
      ignoreChanges: ['networkProfile.networkDataplane', 'networkProfile.networkPolicy'],
      provider: undefined,
    });
  });

  it('has a network of iptables where aad-pod-identity needs one', async () => {
    const { find } = await record(
      () => new WorkloadIdentityCluster('aks-1', { create: { resourceGroupName: 'rg', podIdentity: true } }),
    );

    expect(find(resource, 'aks-1').inputs).toMatchObject({
      networkProfile: { networkPlugin: 'azure', networkDataplane: 'azure', networkPolicy: 'azure' },
    });
  });

  it('gives the issuer as the cluster answered it, and a provider that goes by it', async () => {
    const { result, find } = await record(
      () => new WorkloadIdentityCluster('aks-1', { create: { resourceGroupName: 'rg' } }),
    );

    expect(await valueOf(result.issuerUrl)).toBe('https://issuer.example/aks-1/');
    const provider = find('pulumi:providers:kubernetes', 'aks-1-provider');
    expect(provider.parent).toBe(`${component}::aks-1`);
    expect(provider.inputs.clusterIdentifier).toBe('https://issuer.example/aks-1/');
  });

  it('takes the local administrator’s kubeconfig, as a secret', async () => {
    const { result, calls } = await record(
      () => new WorkloadIdentityCluster('aks-1', { create: { resourceGroupName: 'rg' } }),
    );

    expect(calls).toEqual([{ token: admin, inputs: { resourceGroupName: 'rg', resourceName: 'aks-1' } }]);
    expect(await valueOf(result.kubeconfig)).toBe('admin kubeconfig of aks-1');
    expect(await pulumi.isSecret(result.kubeconfig)).toBe(true);
    expect(await pulumi.isSecret(result.issuerUrl)).toBe(false);
  });

  it('with administrator groups, has no local accounts and takes the user’s kubeconfig', async () => {
    const groups = ['55555555-5555-4555-8555-555555555555'];

    const { find, calls, result } = await record(
      () =>
        new WorkloadIdentityCluster('aks-1', {
          create: { resourceGroupName: 'rg', administratorGroups: groups },
        }),
    );

    expect(find(resource, 'aks-1').inputs).toMatchObject({
      disableLocalAccounts: true,
      aadProfile: { managed: true, enableAzureRBAC: false, adminGroupObjectIDs: groups },
    });
    expect(calls).toEqual([
      { token: user, inputs: { resourceGroupName: 'rg', resourceName: 'aks-1', format: 'exec' } },
    ]);
    expect(await valueOf(result.kubeconfig)).toBe('user kubeconfig of aks-1');
  });

  it('hands on what is asked for', async () => {
    const { find } = await record(
      () =>
        new WorkloadIdentityCluster('dev', {
          create: {
            resourceGroupName: 'rg',
            clusterName: 'aks_dev',
            location: 'westeurope',
            kubernetesVersion: '1.35',
            nodes: { count: 1, vmSize: 'Standard_B4ms' },
            tier: 'Free',
            tags: { environment: 'dev' },
            authorizedIpRanges: ['203.0.113.7', '198.51.100.0/24'],
            secretsStore: true,
            protect: true,
          },
        }),
    );

    const cluster = find(resource, 'dev');
    expect(cluster.protect).toBe(true);
    expect(cluster.inputs).toMatchObject({
      resourceName: 'aks_dev',
      dnsPrefix: 'aks-dev',
      location: 'westeurope',
      kubernetesVersion: '1.35',
      sku: { name: 'Base', tier: 'Free' },
      agentPoolProfiles: [{ count: 1, vmSize: 'Standard_B4ms' }],
      tags: { environment: 'dev' },
      // Azure answers a single address as a range.
      apiServerAccessProfile: { authorizedIPRanges: ['203.0.113.7/32', '198.51.100.0/24'] },
      addonProfiles: {
        azureKeyvaultSecretsProvider: { enabled: true, config: { enableSecretRotation: 'true' } },
      },
    });
  });

  it('sends who changed what to the workspace', async () => {
    const { find } = await record(
      () =>
        new WorkloadIdentityCluster('aks-1', {
          create: {
            resourceGroupName: 'rg',
            logs: { workspaceId: `${group}/providers/Microsoft.OperationalInsights/workspaces/log` },
          },
        }),
    );

    expect(find('azure-native:monitor:DiagnosticSetting', 'aks-1-logs').inputs).toEqual({
      name: 'aks-workload-identity',
      resourceUri: `${group}/providers/Microsoft.ContainerService/managedClusters/aks-1`,
      workspaceId: `${group}/providers/Microsoft.OperationalInsights/workspaces/log`,
      logs: [
        { category: 'kube-audit-admin', enabled: true },
        { category: 'guard', enabled: true },
      ],
    });
  });

  it.each([
    [undefined, 'patch'],
    ['1.35', 'patch'],
    ['1.35.4', 'none'],
  ])('of version %p, takes the upgrade channel %s', async (kubernetesVersion, upgradeChannel) => {
    const { find } = await record(
      () =>
        new WorkloadIdentityCluster('aks-1', {
          create: {
            resourceGroupName: 'rg',
            ...(kubernetesVersion !== undefined && { kubernetesVersion }),
          },
        }),
    );

    expect(find(resource, 'aks-1').inputs.autoUpgradeProfile).toEqual({
      upgradeChannel,
      nodeOSUpgradeChannel: 'NodeImage',
    });
  });

  it.each(['', '-aks', 'aks-', 'a'.repeat(64), 'aks.1'])('refuses the name %p', async (clusterName) => {
    await expect(
      record(() => new WorkloadIdentityCluster('x', { create: { resourceGroupName: 'rg', clusterName } })),
    ).rejects.toThrow(/WorkloadIdentityCluster x: create\.clusterName .* Allowed: 1 to 63/);
  });
});

/** The SDK tells it, and its types do not. */
const isKnown = (output: pulumi.Output<unknown>) =>
  (output as unknown as { isKnown: Promise<boolean> }).isKnown;

const existing = `${group}/providers/Microsoft.ContainerService/managedClusters/legacy`;
const read = 'azure-native:containerservice:getManagedCluster';

describe('WorkloadIdentityCluster that exists', () => {
  it('is read and not registered', async () => {
    const { result, names, find } = await record(
      () => new WorkloadIdentityCluster('aks-1', { existing: { id: existing } }),
    );

    expect(names(resource)).toEqual([]);
    expect(result.managedCluster).toBeUndefined();
    expect(await valueOf(result.issuerUrl)).toBe('https://issuer.example/legacy/');
    expect(await valueOf(result.kubeconfig)).toBe('admin kubeconfig of legacy');
    expect(await pulumi.isSecret(result.kubeconfig)).toBe(true);
    expect(await pulumi.isSecret(result.issuerUrl)).toBe(false);
    expect(find('pulumi:providers:kubernetes', 'aks-1-provider').inputs.clusterIdentifier).toBe(
      'https://issuer.example/legacy/',
    );
  });

  it('without local accounts gives the user’s kubeconfig', async () => {
    const { calls, result } = await record(
      () => new WorkloadIdentityCluster('aks-1', { existing: { id: existing } }),
      {
        answers: { [read]: { disableLocalAccounts: true } },
      },
    );

    expect(await valueOf(result.kubeconfig)).toBe('user kubeconfig of legacy');
    expect(calls.map(({ token }) => token)).toContain(user);
    expect(calls.map(({ token }) => token)).not.toContain(admin);
  });

  it('in a preview is not switched on: its issuer is unknown then', async () => {
    const token = 'azure-native:authorization:getClientToken';
    const { result, calls } = await record(
      () => new WorkloadIdentityCluster('aks-1', { existing: { id: existing, enable: true } }),
      { preview: true, answers: { [read]: { oidcIssuerProfile: { enabled: false } } } },
    );

    expect(await isKnown(result.issuerUrl)).toBe(false);
    expect(await isKnown(result.kubeconfig)).toBe(true);
    expect(calls.map((call) => call.token)).not.toContain(token);
  });

  it('in a preview keeps the issuer that it has: only workload identity would be switched on', async () => {
    const { result } = await record(
      () => new WorkloadIdentityCluster('aks-1', { existing: { id: existing, enable: true } }),
      {
        preview: true,
        answers: { [read]: { securityProfile: {} } },
      },
    );

    // Unknown, it would show the provider, and all that is installed with it, as replaced.
    expect(await isKnown(result.issuerUrl)).toBe(true);
    expect(await valueOf(result.issuerUrl)).toBe('https://issuer.example/legacy/');
  });

  it.each([
    [{}, 'the OIDC issuer and workload identity are off'],
    [{ oidcIssuerProfile: { enabled: true } }, 'workload identity is off'],
    [{ securityProfile: { workloadIdentity: { enabled: true } } }, 'the OIDC issuer is off'],
  ])('says of a cluster with %j what is off, and how to switch it on', (found, off) => {
    expect(() => assertEnabled('WorkloadIdentityCluster aks-1', parseResourceId(existing), found)).toThrow(
      `WorkloadIdentityCluster aks-1: of the cluster legacy, ${off}, so nothing can trust its service accounts. Switch it on: \`az aks update --name legacy --resource-group rg --subscription ${ids.subscription} --enable-oidc-issuer --enable-workload-identity\`, or set \`enable: true\`.`,
    );
  });

  it('refuses what is no id of a cluster', async () => {
    await expect(
      record(
        () =>
          new WorkloadIdentityCluster('x', {
            existing: { id: `${group}/providers/Microsoft.KeyVault/vaults/kv` },
          }),
      ),
    ).rejects.toThrow(
      /WorkloadIdentityCluster x: existing\.id .* is not the id of a resource of type Microsoft\.ContainerService\/managedClusters.*az resource list/,
    );
  });
});

describe('WorkloadIdentityCluster of somebody else', () => {
  it('is its issuer and its kubeconfig, and nothing in Azure', async () => {
    const { result, registrations, calls } = await record(
      () =>
        new WorkloadIdentityCluster('edge', {
          external: { issuer: 'https://issuer.example/edge', kubeconfig: 'the kubeconfig' },
        }),
    );

    expect(registrations.map(({ type: token }) => token)).toEqual([component, 'pulumi:providers:kubernetes']);
    expect(calls).toEqual([]);
    // To the letter: a trailing slash that is not there would make it another issuer.
    expect(await valueOf(result.issuerUrl)).toBe('https://issuer.example/edge');
    expect(await valueOf(result.kubeconfig)).toBe('the kubeconfig');
    expect(await pulumi.isSecret(result.kubeconfig)).toBe(true);
    expect(result.id).toBeUndefined();
    // Whoever corrects the issuer replaces nothing in the cluster.
    expect(registrations.at(-1)?.ignoreChanges).toEqual(['clusterIdentifier']);
  });
});
