import type { ManagedCluster } from '@azure/arm-containerservice';
import type { TestCloud } from '../../support/azure';
import { refusal, withCloud } from '../../support/azure';

const cluster = (change: Partial<ManagedCluster> = {}): ManagedCluster => ({
  location: 'westeurope',
  dnsPrefix: 'dns',
  identity: { type: 'SystemAssigned' },
  agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
  ...change,
});

describe('changes of managed clusters, through @azure/arm-containerservice', () => {
  const cloud = withCloud({ fresh: true });
  let clusters: ReturnType<TestCloud['clusters']>['managedClusters'];
  beforeEach(() => {
    clusters = cloud.clusters().managedClusters;
  });

  const pool = { name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' };
  const cilium = {
    ...{ networkPlugin: 'azure', networkPluginMode: 'overlay' },
    ...{ networkDataplane: 'cilium', networkPolicy: 'cilium' },
  };

  it.each([
    [{ dnsPrefix: 'other' }, "Changing property 'properties.dnsPrefix' is not allowed."],
    [{ nodeResourceGroup: 'rg-2' }, "Changing property 'properties.nodeResourceGroup' is not allowed."],
    [{ enableRbac: false }, "Changing property 'properties.enableRBAC' is not allowed."],
    [{ aadProfile: { managed: false } }, "Changing property 'aadProfile.managed' is not allowed."],
    [
      { networkProfile: { ...cilium, networkDataplane: 'azure' } },
      "Changing property 'networkProfile.networkDataplane' is not allowed.",
    ],
    [
      { networkProfile: { ...cilium, networkPlugin: 'kubenet' } },
      "Changing property 'networkProfile.networkPlugin' is not allowed.",
    ],
    [
      { agentPoolProfiles: [{ ...pool, osType: 'Windows' }] },
      "Changing property 'agentPoolProfile.osType' is not allowed.",
    ],
  ] as [Partial<ManagedCluster>, string][])('refuses to change %j', async (change, message) => {
    const created = cluster({ aadProfile: { managed: true }, networkProfile: cilium });
    await clusters.createOrUpdate('rg', 'aks', created);
    await clusters.createOrUpdate('rg', 'aks', { ...created, dnsPrefix: 'DNS' });
    const refused = await refusal(
      Promise.resolve(clusters.createOrUpdate('rg', 'aks', { ...created, ...change })),
    );
    expect(refused).toMatchObject({ status: 400, code: 'PropertyChangeNotAllowed' });
    expect(refused.message).toBe(message);
  });

  it.each([
    [
      '2025-10-01',
      'Changing property "agentPoolProfile.vmSize" is not allowed in an api-version before "2026-01-02-preview".',
    ],
    ['2026-01-02-preview', "Changing property 'agentPoolProfile.vmSize' is not allowed."],
  ])('refuses to change the size of nodes, in the words of %s', async (apiVersion, message) => {
    await clusters.createOrUpdate('rg', 'aks', cluster());
    const { managedClusters } = cloud.clusters(undefined, undefined, { apiVersion });
    const larger = cluster({ agentPoolProfiles: [{ ...pool, vmSize: 'Standard_D4s_v5' }] });
    const refused = await refusal(Promise.resolve(managedClusters.createOrUpdate('rg', 'aks', larger)));
    expect(refused).toMatchObject({ status: 400, code: 'PropertyChangeNotAllowed', message });
  });

  it('changes what AKS changes in one direction, and neither adds nor deletes pools', async () => {
    const networkProfile = { ...cilium, networkDataplane: 'azure', networkPolicy: 'azure' };
    await clusters.createOrUpdate('rg', 'aks', cluster({ networkProfile }));
    const changed = await clusters.createOrUpdate(
      ...(['rg', 'aks'] as const),
      cluster({ networkProfile: cilium, aadProfile: { managed: true } }),
    );
    expect(changed.networkProfile).toMatchObject(cilium);

    const both = [pool, { ...pool, name: 'work', mode: 'User' }];
    const more = cluster({ agentPoolProfiles: both });
    const refused = await refusal(Promise.resolve(clusters.createOrUpdate('rg', 'aks', more)));
    expect(refused).toMatchObject({ status: 400, code: 'BadRequest' });
    expect(refused.message).toContain('A new agent pool was introduced.');

    await clusters.createOrUpdate('rg', 'aks-2', more);
    const { agentPoolProfiles } = await clusters.createOrUpdate('rg', 'aks-2', cluster());
    expect(agentPoolProfiles?.map(({ name }) => name)).toEqual(['system', 'work']);
  });

  it('records an upgrade to the next patch or minor version, and refuses every other', async () => {
    const versions = async (kubernetesVersion?: string) => {
      const { kubernetesVersion: requested, currentKubernetesVersion: current } =
        await clusters.createOrUpdate(...(['rg', 'aks'] as const), cluster({ kubernetesVersion }));
      return [requested, current];
    };
    expect(await versions()).toEqual(['1.36', '1.36.3']);
    expect(await versions('1.36.4')).toEqual(['1.36.4', '1.36.4']);
    expect(await versions('1.36')).toEqual(['1.36', '1.36.4']);
    for (const [requested, message] of [
      [
        '1.36.3',
        'Downgrading Kubernetes version 1.36.4 to 1.36.3 is not allowed. Available upgrades: [1.37.0].',
      ],
      ['1.38', 'Upgrading Kubernetes version 1.36.4 to 1.38 is not allowed. Available upgrades: [1.37.0].'],
    ] as const) {
      const refused = await refusal(versions(requested));
      expect(refused).toMatchObject({ status: 400, code: 'OperationNotAllowed' });
      expect(refused.message).toContain(message);
    }
    expect(await versions('1.37')).toEqual(['1.37', '1.37.0']);
  });

  it('stops and starts a cluster, which meanwhile can only be started or deleted', async () => {
    const { id } = await clusters.createOrUpdate('rg', 'aks', cluster());
    await clusters.stop('rg', 'aks');

    const stopped = await clusters.get('rg', 'aks');
    expect(stopped).toMatchObject({ powerState: { code: 'Stopped' }, provisioningState: 'Succeeded' });
    expect(stopped.agentPoolProfiles?.[0]?.powerState).toEqual({ code: 'Stopped' });
    expect((await clusters.listClusterAdminCredentials('rg', 'aks')).kubeconfigs).toHaveLength(1);
    const isStopped =
      /^managed cluster is in .* Power State\(Stopped\), (updating|stopping|rotating certificates) cannot be performed/;
    for (const change of [
      () => clusters.createOrUpdate('rg', 'aks', cluster()),
      () => clusters.updateTags('rg', 'aks', { tags: {} }),
      () => clusters.stop('rg', 'aks'),
      () => clusters.rotateClusterCertificates('rg', 'aks'),
    ]) {
      const refused = await refusal(Promise.resolve(change()));
      expect(refused).toMatchObject({ status: 409, code: 'OperationNotAllowed' });
      expect(refused.message).toMatch(isStopped);
    }
    await cloud.restart();
    expect(cloud.runtime.ensured).toHaveLength(1);

    const again = cloud.clusters().managedClusters;
    await again.start('rg', 'aks');
    expect(await again.get('rg', 'aks')).toMatchObject({
      ...{ id, powerState: { code: 'Running' }, provisioningState: 'Succeeded' },
      agentPoolProfiles: [{ powerState: { code: 'Running' } }],
    });
    expect(cloud.runtime.stopped).toEqual([cloud.runtime.ensured[1]?.id]);
    await again.stop('rg', 'aks');
    await again.delete('rg', 'aks');
  });

  it('takes one operation at a time, and ends a stop after a restart', async () => {
    await clusters.createOrUpdate('rg', 'aks', cluster());
    let close = (): void => undefined;
    cloud.runtime.gate = new Promise((resolve) => (close = resolve));
    const poller = clusters.stop('rg', 'aks');
    await poller.submitted();
    const refused = await refusal(Promise.resolve(clusters.rotateClusterCertificates('rg', 'aks')));
    expect(refused.message).toMatch(
      /^Operation is not allowed: Another operation \(Stopping\) is in progress/,
    );
    await cloud.restart();
    close();
    await poller;

    expect((await cloud.clusters().managedClusters.get('rg', 'aks')).powerState).toEqual({ code: 'Stopped' });
    expect(cloud.runtime.stopped).toHaveLength(2);
  });

  it('rotates the certificates of a cluster', async () => {
    await clusters.createOrUpdate('rg', 'aks', cluster());
    await clusters.rotateClusterCertificates('rg', 'aks');

    expect((await clusters.get('rg', 'aks')).provisioningState).toBe('Succeeded');
    expect(cloud.runtime.rotated).toEqual([cloud.runtime.ensured[0]?.id]);
    expect(cloud.runtime.ensured).toHaveLength(2);
  });
});
