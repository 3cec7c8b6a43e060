import { Cluster } from './client/cluster';
import { Connection } from './client/connection';
import { Unreachable } from './client/errors';
import { activeCluster, kubeconfigContents } from './client/kubeconfig';
import type { Settings } from './config/settings';
import { ObjectResources } from './objects/resources';
import type { Helm } from './releases/helm';
import { Releases } from './releases/releases';

/** The cluster of the provider's configuration, opened at its first use. */
export class ClusterAccess {
  /** Namespace of objects without one. */
  readonly defaultNamespace: string;
  readonly helm: Helm;
  private readonly contents: string | undefined;
  private opened: Promise<Cluster> | undefined;
  private probed: Promise<Cluster> | undefined;

  constructor(private readonly settings: Settings) {
    this.contents = settings.kubeconfig === undefined ? undefined : kubeconfigContents(settings.kubeconfig);
    const active = this.contents === undefined ? undefined : activeCluster(this.contents, settings);
    this.defaultNamespace = settings.namespace ?? active?.namespace ?? 'default';
    this.helm = { kubeconfig: this.contents, context: settings.context, variables: settings.helm };
  }

  async objects(): Promise<ObjectResources> {
    return new ObjectResources(await this.cluster(), {
      enablePatchForce: this.settings.enablePatchForce ?? false,
      upsertExistingObjects: this.settings.upsertExistingObjects ?? false,
    });
  }

  async releases(): Promise<Releases> {
    return new Releases(this.helm, await this.cluster(), this.settings.upsertExistingObjects ?? false);
  }

  /** Returns the cluster; undefined if it is not known yet or does not respond. */
  async reachable(): Promise<Cluster | undefined> {
    if (this.settings.pending) return undefined;
    try {
      return await this.probe();
    } catch (error) {
      if (error instanceof Unreachable) return undefined;
      throw error;
    }
  }

  async isUnreachable(): Promise<boolean> {
    return (await this.reachable()) === undefined;
  }

  private cluster(): Promise<Cluster> {
    this.opened ??= this.open();
    return this.opened;
  }

  /** Opens the cluster once, because the result is not expected to change during an update. */
  private probe(): Promise<Cluster> {
    this.probed ??= this.cluster().then(async (cluster) => {
      await cluster.find({ group: '', version: 'v1', kind: 'Namespace' });
      return cluster;
    });
    return this.probed;
  }

  private async open(): Promise<Cluster> {
    // The official plugin would use ~/.kube/config. This plugin must only use a cluster that its configuration names.
    if (this.contents === undefined) {
      throw new Unreachable('the provider has no kubeconfig: set `kubeconfig` to its contents or path');
    }
    const connection = await Connection.open(this.contents, this.settings, this.settings.requestSeconds);
    return new Cluster(connection);
  }
}
