import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { KeyVault } from '../../components/vault/keyVault';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { AzureDependency } from '../../components/dependency/azureDependency';
import type { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import type { IdentityPlace, ReadyIdentity } from './identities';
import { trustedIdentity } from './identities';
import type { DependenciesPlace } from './dependencies';
import { deployDependencies } from './dependencies';
import type { Operator } from './platform';
import { deployPlatform, deployWebhook } from './platform';
import type { WorkloadPlace } from './workloads';
import { deployNamespaces, deployWorkload } from './workloads';
import { known } from './known';
import { deployCluster } from './managedCluster';
import { Provisioning } from './provisioning';
import type { EnvironmentLogs } from './logs';
import type { ClusterPlan, DependencyPlan, WorkloadPlan } from '../plan';
import type { EnvironmentGroup } from './resourceGroup';
import type { Cloud } from '../settings/clouds';
import type { ServicesGroup } from './servicesGroups';
import type { StackSettings } from '../settings/schema';
import type { Subscriptions } from '../preflight/subscriptions';
import type { Tags } from '../plan/tags';

export interface ClusterArgs {
  readonly settings: StackSettings;
  readonly plan: ClusterPlan;
  readonly group: EnvironmentGroup;
  readonly logs: EnvironmentLogs;
  readonly subscriptions: Subscriptions;
  readonly tags: Tags;
  readonly cloud: Cloud;
  readonly tenantId: pulumi.Output<string>;
  /** Subscription of the group. */
  readonly subscriptionId: pulumi.Output<string>;
  /** The environment's vaults, by name. */
  readonly vaults: ReadonlyMap<string, KeyVault>;
  /** Groups of what applications depend on, by name. */
  readonly servicesGroups: ReadonlyMap<string, ServicesGroup>;
  /** Dependencies on the clusters that manage them, by `<application>/<dependency>`: each cluster adds its own. */
  readonly managing: Map<string, AzureDependency>;
}

/**
 * One cluster of an environment and all that is on it. Clusters wait for each other only with what an application depends on
 * in common: the first that it runs on makes it.
 */
export class DeployedCluster extends pulumi.ComponentResource {
  readonly plan: ClusterPlan;
  readonly cluster: WorkloadIdentityCluster;
  /** The cluster's own identity. */
  readonly identity: ManagedIdentity;
  /** What applications depend on here, as it was planned and as it was made. */
  readonly dependencies: { readonly plan: DependencyPlan; readonly made: AzureDependency }[] = [];
  private readonly identities: ReadonlyMap<string, ReadyIdentity>;

  constructor(
    readonly name: string,
    private readonly args: ClusterArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super('aks-workload-identity:stacks:Cluster', name, {}, opts);
    const { plan } = args;
    this.plan = plan;
    this.cluster = deployCluster({ ...args, parent: this }, plan);
    const place = this.identityPlace();
    const own = trustedIdentity(place, plan.identities[0]);
    this.identity = own.identity;
    this.identities = new Map([
      [plan.identities[0].key, own],
      ...plan.identities
        .slice(1)
        .map((identity) => [identity.key, trustedIdentity(place, identity)] as const),
    ]);
    const platform = {
      ...args,
      clusterName: name,
      kubeconfig: this.cluster.kubeconfig,
      inCluster: this.inCluster(),
    };
    const webhook = deployWebhook(platform);
    const operator = deployPlatform(platform, place, webhook);
    const workloads = this.workloadPlace(webhook);
    const namespaces = deployNamespaces(workloads, plan.namespaces);
    this.deployWorkloads(workloads, this.dependenciesPlace(namespaces, operator));
    this.registerOutputs({ issuer: this.cluster.issuerUrl });
  }

  private deployWorkloads(workloads: WorkloadPlace, place: DependenciesPlace): void {
    const provisioning = new Provisioning(place);
    for (const workload of this.args.plan.workloads) {
      const deployed = deployDependencies(place, provisioning, workload, this.identityOf(workload));
      this.dependencies.push(
        ...deployed.dependencies.flatMap((made, index) => {
          const plan = workload.dependencies[index];
          return plan === undefined ? [] : [{ plan, made }];
        }),
      );
      deployWorkload(workloads, workload, place.namespaces, deployed);
    }
  }

  private dependenciesPlace(
    namespaces: DependenciesPlace['namespaces'],
    operator: Operator | undefined,
  ): DependenciesPlace {
    return {
      ...this.args,
      identities: this.identityPlace(),
      namespaces,
      operator,
      cluster: {
        name: this.name,
        issuer: this.cluster.issuerUrl,
        kubeconfig: this.cluster.kubeconfig,
      },
      storageSuffix: this.args.cloud.storageSuffix,
      vault: (name) => this.vault(name),
      inCluster: this.inCluster(),
    };
  }

  private identityPlace(): IdentityPlace {
    const { settings, group, subscriptions, tags } = this.args;
    return {
      settings,
      group,
      subscriptions,
      tags,
      issuer: this.cluster.issuerUrl,
      vault: (name) => this.vault(name),
      parent: this,
    };
  }

  /** Pods sign in only once there is something that gives them their token. */
  private workloadPlace(webhook: readonly pulumi.Resource[]): WorkloadPlace {
    return {
      clusterName: this.name,
      kubeconfig: this.cluster.kubeconfig,
      cloud: this.args.cloud,
      identity: (plan) => {
        const { identity, before } = known(this.identities, plan.identity);
        return { identity, before: [...before, ...webhook] };
      },
      vault: (name) => this.vault(name),
      inCluster: this.inCluster(),
    };
  }

  private inCluster(): pulumi.ComponentResourceOptions & { readonly provider: kubernetes.Provider } {
    const { provider, managedCluster } = this.cluster;
    // What is in a cluster that stays must be taken out of it: only with one that is deleted, it goes by itself.
    const goes = managedCluster !== undefined && !this.args.plan.retainOnDelete;
    return { parent: this, provider, ...(goes && { deletedWith: managedCluster }) };
  }

  /** The identity that an application runs as. */
  identityOf(plan: WorkloadPlan): ManagedIdentity {
    return known(this.identities, plan.identity).identity;
  }

  private vault(name: string): KeyVault {
    return known(this.args.vaults, name);
  }
}
