import type { ManagedCluster } from '@azure/arm-containerservice';
import { enableWorkloadIdentity } from '../../../components/cluster/enableWorkloadIdentity';
import { newestPreview, previewOnlyProperties } from '../../../components/cluster/previewProperties';
import type { TestCloud } from '../../../localcloud/tests/support/azure';
import { withCloud } from '../../../localcloud/tests/support/azure';

// This does not prove that AKS accepts the cluster as the vendor's client returned it. The local Azure refuses
// unknown members.

/** Nothing is there that only a preview version knows. */
const none = () => Promise.resolve([]);
const target = { subscriptionId: 'sub', resourceGroupName: 'rg', name: 'aks' };

const legacy: ManagedCluster = {
  location: 'westeurope',
  dnsPrefix: 'aks',
  tags: { team: 'platform' },
  identity: { type: 'SystemAssigned' },
  autoUpgradeProfile: { upgradeChannel: 'stable' },
  securityProfile: { imageCleaner: { enabled: true, intervalHours: 48 } },
  addonProfiles: { azurepolicy: { enabled: true } },
  agentPoolProfiles: [
    { name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5', nodeLabels: { kind: 'system' } },
    { name: 'work', mode: 'User', count: 2, vmSize: 'Standard_D4s_v5', nodeTaints: ['a=b:NoSchedule'] },
  ],
};

/**
 * Everything that a write must not change: all members except those that it sets, and the service's counters.
 */
function untouched(cluster: ManagedCluster) {
  const {
    eTag: _tag,
    oidcIssuerProfile: _issuer,
    systemData: _data,
    securityProfile,
    agentPoolProfiles,
    ...rest
  } = cluster;
  const { workloadIdentity: _identity, ...security } = securityProfile ?? {};
  return {
    ...rest,
    security,
    pools: agentPoolProfiles?.map(({ eTag: _poolTag, ...pool }) => pool),
  };
}

describe('enabling workload identity, through @azure/arm-containerservice', () => {
  const cloud = withCloud({ fresh: true });
  let clusters: ReturnType<TestCloud['clusters']>['managedClusters'];
  beforeEach(() => {
    clusters = cloud.clusters().managedClusters;
  });

  it('changes nothing else of the cluster', async () => {
    const before = await clusters.createOrUpdate('rg', 'aks', legacy);

    expect(await enableWorkloadIdentity(clusters, target, none, 0)).toBe(true);

    const after = await clusters.get('rg', 'aks');
    expect(after.oidcIssuerProfile).toEqual({
      enabled: true,
      issuerURL: expect.stringMatching(/^https:\/\/.*\/$/) as unknown,
    });
    expect(after.securityProfile?.workloadIdentity).toEqual({ enabled: true });
    expect(untouched(after)).toEqual(untouched(before));
  });

  it('keeps concurrent changes', async () => {
    await clusters.createOrUpdate('rg', 'aks', legacy);
    let reads = 0;
    const racing: Parameters<typeof enableWorkloadIdentity>[0] = {
      get: async (...args) => {
        const found = await clusters.get(...args);
        reads += 1;
        if (reads === 1) {
          const tags = { team: 'platform', changed: 'meanwhile' };
          await clusters.createOrUpdate('rg', 'aks', { ...found, tags });
        }
        return found;
      },
      createOrUpdate: (...args) => clusters.createOrUpdate(...args),
    };

    expect(await enableWorkloadIdentity(racing, target, none, 0)).toBe(true);

    const after = await clusters.get('rg', 'aks');
    expect(reads).toBe(2);
    expect(after.tags).toEqual({ team: 'platform', changed: 'meanwhile' });
    expect(after.oidcIssuerProfile?.enabled).toBe(true);
  });

  it('writes nothing if both are enabled', async () => {
    await clusters.createOrUpdate('rg', 'aks', {
      ...legacy,
      oidcIssuerProfile: { enabled: true },
      securityProfile: { workloadIdentity: { enabled: true } },
    });
    const { eTag } = await clusters.get('rg', 'aks');

    expect(await enableWorkloadIdentity(clusters, target, none, 0)).toBe(false);
    expect((await clusters.get('rg', 'aks')).eTag).toBe(eTag);
  });

  it('finds nothing that only preview versions have, and does not write before it has looked', async () => {
    await clusters.createOrUpdate('rg', 'aks', legacy);
    const inPreview = cloud.clusters(undefined, undefined, { apiVersion: newestPreview }).managedClusters;

    expect(await previewOnlyProperties([clusters, inPreview], target)).toEqual([]);
    const refusing = () => previewOnlyProperties([clusters, inPreview], { ...target, name: 'none' });
    await expect(enableWorkloadIdentity(clusters, target, refusing, 0)).rejects.toThrow(/not found/i);
    expect((await clusters.get('rg', 'aks')).oidcIssuerProfile).toEqual({ enabled: false });
  });

  it('reports a missing cluster', async () => {
    await expect(enableWorkloadIdentity(clusters, target, none, 0)).rejects.toThrow(/not found/i);
  });
});
