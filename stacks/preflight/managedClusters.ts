import {
  getManagedCluster,
  type GetManagedClusterResult,
  listManagedClusterAdminCredentials,
  listManagedClusterUserCredentials,
} from '@pulumi/azure-native/containerservice';
import type * as pulumi from '@pulumi/pulumi';
import { decodeKubeconfig } from '../../components/cluster/kubeconfig';
import { messageOf } from '../../components/resource/errors';
import type { ClusterSettings, StackSettings } from '../settings/schema';
import type { Subscriptions } from './subscriptions';

/** What Azure says of a cluster. */
type Answer = GetManagedClusterResult | 'missing' | 'unreadable';

interface Target {
  readonly at: { readonly resourceGroupName: string; readonly resourceName: string };
  readonly opts: pulumi.InvokeOptions;
}

/** The clusters of a configuration as Azure has them; each is asked for once. */
export class ManagedClusters {
  private readonly answers = new Map<string, Promise<Answer>>();

  constructor(
    private readonly settings: StackSettings,
    private readonly subscriptions: Subscriptions,
  ) {}

  /** Whether Azure says that there is none. */
  async isMissing(cluster: ClusterSettings): Promise<boolean> {
    return (await this.read(cluster)) === 'missing';
  }

  /** Issuer of its service accounts' tokens, if it is there. */
  async issuer(cluster: ClusterSettings): Promise<string | undefined> {
    if (cluster.mode === 'external') return cluster.issuer;
    const answer = await this.read(cluster);
    return typeof answer === 'string' ? undefined : answer.oidcIssuerProfile?.issuerURL;
  }

  /** kubeconfig of an administrator, if it is there. */
  async kubeconfig(cluster: ClusterSettings): Promise<string | undefined> {
    if (cluster.mode === 'external') return this.settings.kubeconfigs[cluster.name];
    const answer = await this.read(cluster);
    const target = this.targetOf(cluster);
    if (typeof answer === 'string' || target === undefined) return undefined;
    const { kubeconfigs } =
      answer.disableLocalAccounts === true
        ? await listManagedClusterUserCredentials({ ...target.at, format: 'exec' }, target.opts)
        : await listManagedClusterAdminCredentials(target.at, target.opts);
    return decodeKubeconfig(kubeconfigs[0]?.value);
  }

  private read(cluster: ClusterSettings): Promise<Answer> {
    const known = this.answers.get(cluster.name);
    if (known !== undefined) return known;
    const target = this.targetOf(cluster);
    const answer: Promise<Answer> =
      target === undefined
        ? Promise.resolve('unreadable')
        : getManagedCluster(target.at, target.opts).catch((error: unknown) =>
            isNotFound(error) ? 'missing' : 'unreadable',
          );
    this.answers.set(cluster.name, answer);
    return answer;
  }

  private targetOf(cluster: ClusterSettings): Target | undefined {
    if (cluster.mode === 'external') return undefined;
    const { name, existing } = this.settings.resourceGroup;
    const { resourceGroupName, name: resourceName } =
      cluster.mode === 'existing' ? cluster.id : { resourceGroupName: name, name: cluster.name };
    const { subscriptionId } = (cluster.mode === 'existing' ? cluster.id : existing) ?? {};
    return {
      at: { resourceGroupName, resourceName },
      opts: subscriptionId === undefined ? {} : { provider: this.subscriptions.provider(subscriptionId) },
    };
  }
}

/** Whether an error of azure-native says that there is nothing of the name. */
export function isNotFound(error: unknown): boolean {
  const message = messageOf(error);
  // `az`, by which the provider may sign in, is a program that can be missing as well.
  if (/executable file not found/i.test(message)) return false;
  return /not ?found|could not be found|status=404|http 404|doesn't exist/i.test(message);
}
