import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { SecretGrant } from '../../components/vault/arguments';
import type { KeyVault } from '../../components/vault/keyVault';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { AzureDependency } from '../../components/dependency/azureDependency';
import type { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import type { IdentityContext, ReadyIdentity } from './identities';
import { trustedIdentity } from './identities';
import type { DependenciesContext, DeployedDependency } from './dependencies';
import { deployDependencies } from './dependencies';
import type { Operator } from './platform';
import { deployPlatform, deployWebhook } from './platform';
import { deployNamespaces, deployWorkload } from './workloads';
import { known } from './known';
import { deployCluster } from './managedCluster';
import { Provisioning } from './provisioning';
import type { EnvironmentLogs } from './logs';
import type { ClusterPlan, WorkloadPlan } from '../plan';
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
  private readonly webhook: readonly pulumi.Resource[];
  private readonly namespaces: DependenciesContext['namespaces'];
  /** The applications here, and what they depend on. */
  private readonly workloads: readonly {
    readonly plan: WorkloadPlan;
    readonly dependencies: readonly DeployedDependency[];
  }[];
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
    const context = this.identityContext();
    const own = trustedIdentity(context, plan.identities[0]);
    this.identity = own.identity;
    this.identities = new Map([
      [plan.identities[0].key, own],
      ...plan.identities
        .slice(1)
        .map((identity) => [identity.key, trustedIdentity(context, identity)] as const),
    ]);
    const platform = {
      ...args,
      clusterName: name,
      kubeconfig: this.cluster.kubeconfig,
      inCluster: this.inCluster(),
    };
    this.webhook = deployWebhook(platform);
    const operator = deployPlatform(platform, context, this.webhook);
    this.namespaces = deployNamespaces(platform, plan.namespaces);
    const dependencies = this.dependenciesContext(operator);
    const provisioning = new Provisioning(dependencies);
    this.workloads = plan.workloads.map((workload) => ({
      plan: workload,
      dependencies: deployDependencies(dependencies, provisioning, workload, this.identityOf(workload)),
    }));
    this.registerOutputs({ issuer: this.cluster.issuerUrl });
  }

  /** What applications depend on here. */
  get dependencies(): readonly DeployedDependency[] {
    return this.workloads.flatMap(({ dependencies }) => dependencies);
  }

  /** What the identities here may read in a vault. */
  grantsOn(vault: string): SecretGrant[] {
    return this.plan.identities.flatMap(({ key, grants }) =>
      grants
        .filter((grant) => grant.vault === vault)
        .map(({ secrets }) => ({
          grantee: key,
          principalId: known(this.identities, key).identity.principalId,
          secrets: [...secrets],
        })),
    );
  }

  /** The secrets of a vault that dependencies here bring: connections, by the cluster that manages the service. */
  secretsFor(vault: string): Record<string, pulumi.Output<string>> {
    return Object.fromEntries(
      this.workloads
        .filter(({ plan }) => plan.vault === vault)
        .flatMap(({ dependencies }) =>
          dependencies.flatMap(({ plan: { objectName }, made: { connectionString } }) =>
            connectionString === undefined ? [] : [[objectName, connectionString] as const],
          ),
        ),
    );
  }

  /** The applications, each once it can read its secrets. */
  deployWorkloads(vaults: ReadonlyMap<string, KeyVault>): void {
    const context = {
      kubeconfig: this.cluster.kubeconfig,
      cloud: this.args.cloud,
      inCluster: this.inCluster(),
      namespaces: this.namespaces,
    };
    for (const { plan, dependencies } of this.workloads) {
      const { identity, before } = known(this.identities, plan.identity);
      const vault = known(vaults, plan.vault);
      deployWorkload(context, plan, {
        identity,
        vault,
        dependencies: dependencies.map(({ made }) => made),
        // Pods sign in only once there is something that gives them their token.
        before: [...before, ...this.webhook, ...vault.readableBy(plan.identity, plan.secrets)],
      });
    }
  }

  private dependenciesContext(operator: Operator | undefined): DependenciesContext {
    return {
      ...this.args,
      identities: this.identityContext(),
      namespaces: this.namespaces,
      operator,
      cluster: {
        name: this.name,
        issuer: this.cluster.issuerUrl,
        kubeconfig: this.cluster.kubeconfig,
      },
      storageSuffix: this.args.cloud.storageSuffix,
      inCluster: this.inCluster(),
    };
  }

  private identityContext(): IdentityContext {
    const { settings, group, subscriptions, tags } = this.args;
    return {
      settings,
      group,
      subscriptions,
      tags,
      issuer: this.cluster.issuerUrl,
      parent: this,
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
}
