import type { ManagedCluster } from '@azure/arm-containerservice';
import type { ClusterClient } from '../../../components/cluster/enableWorkloadIdentity';
import { enableWorkloadIdentity } from '../../../components/cluster/enableWorkloadIdentity';
import { previewOnlyProperties } from '../../../components/cluster/previewProperties';

// What this does not prove: that AKS takes back what it answered; the end-to-end test does, on the local cloud, through
// the vendor's client.

/** Nothing is there that only a preview version knows. */
const none = () => Promise.resolve([]);
const target = { subscriptionId: 'sub', resourceGroupName: 'rg', name: 'aks' };

const legacy: ManagedCluster = {
  location: 'westeurope',
  eTag: 'one',
  tags: { team: 'platform' },
  oidcIssuerProfile: { enabled: false },
  securityProfile: { imageCleaner: { enabled: true, intervalHours: 48 } },
  autoUpgradeProfile: { upgradeChannel: 'stable' },
};

interface Write {
  readonly cluster: ManagedCluster;
  readonly ifMatch: string | undefined;
}

/** A client on one cluster; `failures` are the answers of the first writes, and what others do before each. */
function clientOn(
  first: ManagedCluster,
  ...failures: { status: number; meanwhile?: Partial<ManagedCluster> }[]
) {
  let cluster = first;
  const writes: Write[] = [];
  const client = {
    get: () => Promise.resolve(structuredClone(cluster)),
    createOrUpdate: (
      _group: string,
      _name: string,
      written: ManagedCluster,
      options?: { ifMatch?: string },
    ) => {
      writes.push({ cluster: written, ifMatch: options?.ifMatch });
      const failure = failures.shift();
      if (failure !== undefined) {
        cluster = { ...cluster, ...failure.meanwhile };
        return Promise.reject(
          Object.assign(new Error(`HTTP ${failure.status}`), { statusCode: failure.status }),
        );
      }
      cluster = written;
      return Promise.resolve(written);
    },
  };
  return { client: client as unknown as ClusterClient, writes, now: () => cluster };
}

describe('switching workload identity on', () => {
  it('sets exactly the two properties, and only if nothing else wrote meanwhile', async () => {
    const { client, writes } = clientOn(legacy);

    expect(await enableWorkloadIdentity(client, target, none, 0)).toBe(true);
    expect(writes).toEqual([
      {
        ifMatch: 'one',
        cluster: {
          ...legacy,
          oidcIssuerProfile: { enabled: true },
          securityProfile: {
            imageCleaner: { enabled: true, intervalHours: 48 },
            workloadIdentity: { enabled: true },
          },
        },
      },
    ]);
  });

  it('leaves a cluster alone on which both are on', async () => {
    const { client, writes } = clientOn({
      ...legacy,
      oidcIssuerProfile: { enabled: true },
      securityProfile: { workloadIdentity: { enabled: true } },
    });

    expect(await enableWorkloadIdentity(client, target, none, 0)).toBe(false);
    expect(writes).toEqual([]);
  });

  it.each([409, 412])('reads again after %d, and keeps what was set meanwhile', async (status) => {
    const meanwhile = { eTag: 'two', tags: { team: 'platform', changed: 'meanwhile' } };
    const { client, writes, now } = clientOn(legacy, { status, meanwhile });

    expect(await enableWorkloadIdentity(client, target, none, 0)).toBe(true);
    expect(writes.map(({ ifMatch }) => ifMatch)).toEqual(['one', 'two']);
    expect(now().tags).toEqual({ team: 'platform', changed: 'meanwhile' });
    expect(now().oidcIssuerProfile?.enabled).toBe(true);
  });

  it.each([
    ['a second conflict', [{ status: 412 }, { status: 412 }], 2],
    ['any other answer', [{ status: 403 }], 1],
  ])('gives up on %s', async (_what, failures, attempts) => {
    const { client, writes } = clientOn(legacy, ...failures);

    await expect(enableWorkloadIdentity(client, target, none, 0)).rejects.toThrow(/^HTTP 4/);
    expect(writes).toHaveLength(attempts);
  });

  it('writes nothing without an eTag: it could undo a concurrent change', async () => {
    const { eTag: _tag, ...untagged } = legacy;
    const { client, writes } = clientOn(untagged);

    await expect(enableWorkloadIdentity(client, target, none, 0)).rejects.toThrow(
      /^The cluster aks of rg was read without an eTag.*`az aks update --name aks --resource-group rg --subscription sub --enable-oidc-issuer --enable-workload-identity`/,
    );
    expect(writes).toEqual([]);
  });

  it('writes nothing if the eTag is gone when it reads again', async () => {
    const { client, writes } = clientOn(legacy, { status: 412, meanwhile: { eTag: '' } });

    await expect(enableWorkloadIdentity(client, target, none, 0)).rejects.toThrow(/without an eTag/);
    expect(writes.map(({ ifMatch }) => ifMatch)).toEqual(['one']);
  });

  const answering = (properties: object) => ({
    get: (_group: string, _name: string, options: { onResponse: (raw: object) => void }) => {
      options.onResponse({ bodyAsText: JSON.stringify({ properties }) });
      return Promise.resolve(legacy);
    },
  });
  const [pool, work] = [{ name: 'system', count: 1 }, { name: 'work' }];
  const networkProfile = { networkPlugin: 'azure' };
  const previewOnly = (preview: object) =>
    previewOnlyProperties(
      [
        answering({ networkProfile, agentPoolProfiles: [pool, work], httpProxyConfig: {}, left: 'x' }),
        answering(preview),
      ] as unknown as Parameters<typeof previewOnlyProperties>[0],
      target,
    );

  it('writes nothing to a cluster with properties of preview versions, and prints the command', async () => {
    const { client, writes } = clientOn(legacy);
    const lost = previewOnly({
      networkProfile: { ...networkProfile, podLinkLocalAccess: 'None' },
      agentPoolProfiles: [{ ...pool, nodeInitializationTaints: ['a=b:NoSchedule'] }],
    });

    await expect(enableWorkloadIdentity(client, target, () => lost, 0)).rejects.toThrow(
      /may not survive the write: properties\.networkProfile\.podLinkLocalAccess, properties\.agentPoolProfiles\[0\]\.nodeInitializationTaints\[0\]\. Nothing was written\..*`az aks update --name aks .*--enable-workload-identity`\.$/,
    );
    expect(writes).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    [
      // What `az aks create` prints of a cluster of which nothing of the kind was asked (extension aks-preview).
      'nothing of what AKS answers where nobody has set it',
      {
        ...{ creationData: null, enableNamespaceResources: null, schedulerProfile: {} },
        enableFIPS: false,
        agentPoolProfiles: [
          { ...pool, upgradeStrategy: 'Rolling', upgradeSettingsBlueGreen: { drainBatchSize: null } },
        ],
        networkProfile: { ...networkProfile, podLinkLocalAccess: 'IMDS' },
      },
      [],
    ],
    ['nothing that only AKS can set', { httpProxyConfig: { effectiveNoProxy: ['169.254.169.254'] } }, []],
    [
      'a value that is the default of another property',
      {
        agentPoolProfiles: [{ ...pool, gpuProfile: { nvidia: { migStrategy: 'None' } } }],
        networkProfile: { ...networkProfile, podLinkLocalAccess: 'None' },
      },
      ['properties.networkProfile.podLinkLocalAccess'],
    ],
    [
      'what is off although it is on by default',
      { networkProfile: { ...networkProfile, kubeProxyConfig: { enabled: false } } },
      ['properties.networkProfile.kubeProxyConfig.enabled'],
    ],
    [
      'the pool whose strategy somebody has chosen',
      {
        agentPoolProfiles: [
          { ...pool, upgradeStrategy: 'Rolling' },
          { ...work, upgradeStrategy: 'BlueGreen' },
        ],
      },
      ['properties.agentPoolProfiles[1].upgradeStrategy'],
    ],
  ])('counts as set in preview versions: %s', async (_what, preview, paths) => {
    expect(await previewOnly(preview)).toEqual(paths);
  });
});
