import {
  getManagedCluster,
  type GetManagedClusterResult,
  listManagedClusterAdminCredentials,
  listManagedClusterUserCredentials,
} from '@pulumi/azure-native/containerservice';
import { decodeKubeconfig } from '../../components/cluster/kubeconfig';
import type { Cluster } from '../../components/waiting/cluster';
import { clusters } from '../../components/waiting/cluster';
import type { Problem } from '../settings/problem';
import type { ClusterSettings, StackSettings } from '../settings/schema';
import { isMissing } from '../../components/azure/notFound';
import { memoize } from '../../components/resource/memoize';
import { withTimeout } from './timeout';
import type { Subscriptions } from '../subscriptions';

export type ManagedClusterSettings = Exclude<ClusterSettings, { mode: 'external' }>;

/** Reads the clusters of a configuration from Azure and connects to them, each once. */
export class ManagedClusters {
  private readonly answers = new Map<string, Promise<GetManagedClusterResult>>();
  private readonly connections = new Map<string, Promise<Cluster | undefined>>();

  constructor(
    private readonly settings: StackSettings,
    private readonly subscriptions: Subscriptions,
  ) {}

  /** Returns the cluster from Azure. Rejects with Azure's error if it does not exist or cannot be read. */
  read(cluster: ManagedClusterSettings): Promise<GetManagedClusterResult> {
    return memoize(this.answers, cluster.name, () => {
      const { target, opts } = this.targetOf(cluster);
      return getManagedCluster(target, opts);
    });
  }

  /** Returns the cluster from Azure; undefined if it does not exist or cannot be read. */
  find(cluster: ManagedClusterSettings): Promise<GetManagedClusterResult | undefined> {
    return this.read(cluster).catch(() => undefined);
  }

  /** Tells whether Azure answers that the cluster does not exist. */
  async isMissing(cluster: ClusterSettings): Promise<boolean> {
    return cluster.mode !== 'external' && (await isMissing(this.read(cluster)));
  }

  /** Returns the issuer of the tokens of service accounts; undefined if it cannot be read. */
  async issuer(cluster: ClusterSettings): Promise<string | undefined> {
    if (cluster.mode === 'external') return cluster.issuer;
    const found = await this.find(cluster);
    return found?.oidcIssuerProfile?.issuerURL;
  }

  /**
   * Asks the cluster about each of `all` as an administrator. A question that is not answered in time gives no result, and
   * neither does a cluster that cannot be reached.
   */
  async ask<T, Found = Problem>(
    settings: ClusterSettings,
    all: readonly T[],
    question: (cluster: Cluster, item: T) => Promise<Found[]>,
  ): Promise<Found[]> {
    if (all.length === 0) return [];
    const cluster = await memoize(this.connections, settings.name, () => withTimeout(this.connect(settings)));
    if (cluster === undefined) return [];
    const answers = await Promise.all(all.map((item) => withTimeout(question(cluster, item))));
    return answers.flatMap((found) => found ?? []);
  }

  private async connect(cluster: ClusterSettings): Promise<Cluster> {
    return clusters.connect(await this.kubeconfig(cluster));
  }

  private async kubeconfig(cluster: ClusterSettings): Promise<string> {
    if (cluster.mode === 'external') return this.settings.kubeconfigs[cluster.name] ?? '';
    const { disableLocalAccounts } = await this.read(cluster);
    const { target, opts } = this.targetOf(cluster);
    const { kubeconfigs } =
      disableLocalAccounts === true
        ? await listManagedClusterUserCredentials({ ...target, format: 'exec' }, opts)
        : await listManagedClusterAdminCredentials(target, opts);
    return decodeKubeconfig(cluster.name, kubeconfigs[0]?.value);
  }

  private targetOf(cluster: ManagedClusterSettings) {
    const { name, existing } = this.settings.resourceGroup;
    const { resourceGroupName, name: resourceName } =
      cluster.mode === 'existing' ? cluster.id : { resourceGroupName: name, name: cluster.name };
    const { subscriptionId } = (cluster.mode === 'existing' ? cluster.id : existing) ?? {};
    return { target: { resourceGroupName, resourceName }, opts: this.subscriptions.optsOf(subscriptionId) };
  }
}
