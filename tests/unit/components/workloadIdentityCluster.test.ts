import * as pulumi from '@pulumi/pulumi';
import { WorkloadIdentityCluster } from '../../../components/workloadIdentityCluster';
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
      () => new WorkloadIdentityCluster('aks-1', { resourceGroupName: 'rg' }),
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
      retainOnDelete: false,
      provider: undefined,
    });
  });

  it('gives the issuer as the cluster answered it, and a provider that goes by it', async () => {
    const { result, find } = await record(
      () => new WorkloadIdentityCluster('aks-1', { resourceGroupName: 'rg' }),
    );

    expect(await valueOf(result.issuerUrl)).toBe('https://issuer.example/aks-1/');
    const provider = find('pulumi:providers:kubernetes', 'aks-1-provider');
    expect(provider.parent).toBe(`${component}::aks-1`);
    expect(provider.inputs.clusterIdentifier).toBe('https://issuer.example/aks-1/');
  });

  it('takes the local administrator’s kubeconfig, as a secret', async () => {
    const { result, calls } = await record(
      () => new WorkloadIdentityCluster('aks-1', { resourceGroupName: 'rg' }),
    );

    expect(calls).toEqual([{ token: admin, inputs: { resourceGroupName: 'rg', resourceName: 'aks-1' } }]);
    expect(await valueOf(result.kubeconfig)).toBe('admin kubeconfig');
    expect(await pulumi.isSecret(result.kubeconfig)).toBe(true);
    expect(await pulumi.isSecret(result.issuerUrl)).toBe(false);
  });

  it('with administrator groups, has no local accounts and takes the user’s kubeconfig', async () => {
    const groups = ['44444444-4444-4444-8444-444444444444'];

    const { find, calls, result } = await record(
      () => new WorkloadIdentityCluster('aks-1', { resourceGroupName: 'rg', administratorGroups: groups }),
    );

    expect(find(resource, 'aks-1').inputs).toMatchObject({
      disableLocalAccounts: true,
      aadProfile: { managed: true, enableAzureRBAC: false, adminGroupObjectIDs: groups },
    });
    expect(calls).toEqual([
      { token: user, inputs: { resourceGroupName: 'rg', resourceName: 'aks-1', format: 'exec' } },
    ]);
    expect(await valueOf(result.kubeconfig)).toBe('user kubeconfig');
  });

  it('hands on what is asked for', async () => {
    const { find } = await record(
      () =>
        new WorkloadIdentityCluster('dev', {
          resourceGroupName: 'rg',
          clusterName: 'aks_dev',
          location: 'westeurope',
          kubernetesVersion: '1.35',
          nodes: { count: 1, vmSize: 'Standard_B4ms' },
          tier: 'Free',
          tags: { environment: 'dev' },
          protect: true,
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
          resourceGroupName: 'rg',
          ...(kubernetesVersion !== undefined && { kubernetesVersion }),
        }),
    );

    expect(find(resource, 'aks-1').inputs.autoUpgradeProfile).toEqual({
      upgradeChannel,
      nodeOSUpgradeChannel: 'NodeImage',
    });
  });

  it.each(['', '-aks', 'aks-', 'a'.repeat(64), 'aks.1'])('refuses the name %p', async (clusterName) => {
    await expect(
      record(() => new WorkloadIdentityCluster('x', { resourceGroupName: 'rg', clusterName })),
    ).rejects.toThrow(/WorkloadIdentityCluster x: clusterName .* Allowed: 1 to 63/);
  });
});
