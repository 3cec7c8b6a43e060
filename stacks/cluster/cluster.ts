import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { KeyVault } from '../../components/vault/keyVault';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import { subjectOf } from '../../components/identity/subjects';
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
import type { EnvironmentLogs } from '../environment/logs';
import type { DependencyOutput, WorkloadOutput } from '../outputs/outputs';
import type { ClusterPlan, DependencyPlan, WorkloadPlan } from '../plan';
import { digestOf } from '../releases/digest';
import type { EnvironmentGroup } from '../environment/resourceGroup';
import { storageSuffix } from '../environment/currentCloud';
import type { ServicesGroup } from '../environment/servicesGroups';
import type { ClusterSettings, StackSettings } from '../configuration/schema';
import type { Subscriptions } from '../environment/subscriptions';
import type { Tags } from '../environment/tags';

export interface ClusterArgs {
  readonly settings: StackSettings;
  readonly plan: ClusterPlan;
  readonly group: EnvironmentGroup;
  readonly logs: EnvironmentLogs;
  readonly subscriptions: Subscriptions;
  readonly tags: Tags;
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
export class Cluster extends pulumi.ComponentResource {
  readonly mode: ClusterSettings['mode'];
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
    this.mode = plan.settings.mode;
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
      storageSuffix: storageSuffix(process.env),
      vault: (name) => this.vault(name),
      inCluster: this.inCluster(),
    };
  }

  /** What the stack tells of the applications on this cluster. */
  workloadOutputs(): pulumi.Input<WorkloadOutput>[] {
    return this.args.plan.workloads.map((plan) => {
      const { identity } = this.identityOf(plan);
      return pulumi.output({
        cluster: this.name,
        application: plan.application.name,
        ...this.releaseOf(plan),
        namespace: plan.namespace,
        serviceAccount: plan.serviceAccount,
        serviceAccounts: [...plan.serviceAccounts],
        identity: {
          name: identity.identityName,
          id: identity.id,
          clientId: identity.clientId,
          principalId: identity.principalId,
        },
        issuer: this.cluster.issuerUrl,
        subject: subjectOf(plan),
        audience: plan.audience,
        grants: plan.secrets.map((secret) => ({ vault: plan.vault, secret })),
      });
    });
  }

  /** What the stack tells of what applications depend on, and this cluster manages. */
  dependencyOutputs(): pulumi.Output<DependencyOutput>[] {
    return this.dependencies
      .filter(({ plan }) => plan.manages)
      .map(({ plan: { application, name, service, managedBy, connection }, made }) =>
        pulumi.output({
          application,
          name,
          kind: service.kind,
          azureName: made.azureName,
          resourceId: made.resourceId,
          managedBy,
          connection,
        }),
      );
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
    const { plan, settings } = this.args;
    return {
      clusterName: this.name,
      kubeconfig: this.cluster.kubeconfig,
      identity: (plan) => {
        const { identity, before } = this.identityOf(plan);
        return { identity, before: [...before, ...webhook] };
      },
      vault: (name) => this.vault(name),
      inCluster: this.inCluster(),
      keeps: (name) =>
        plan.workloads.some(
          ({ namespace, application }) =>
            namespace === name && (application.retainOnDelete ?? settings.retainOnDelete),
        ),
    };
  }

  private inCluster(): pulumi.ComponentResourceOptions & { readonly provider: kubernetes.Provider } {
    const { provider, managedCluster } = this.cluster;
    // What is in a cluster that stays must be taken out of it: only with one that is deleted, it goes by itself.
    const goes = managedCluster !== undefined && !this.args.plan.retainOnDelete;
    return { parent: this, provider, ...(goes && { deletedWith: managedCluster }) };
  }

  private releaseOf({ version, application }: WorkloadPlan): Pick<WorkloadOutput, 'version' | 'digest'> {
    const digest = digestOf(this.args.settings, application.name);
    return version === undefined ? {} : { version, ...(digest !== undefined && { digest }) };
  }

  private identityOf(plan: WorkloadPlan): ReadyIdentity {
    return known(this.identities, plan.identity);
  }

  private vault(name: string): KeyVault {
    return known(this.args.vaults, name);
  }
}
