import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { KeyVault } from '../../components/vault/keyVault';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import { subjectOf } from '../../components/identity/subjects';
import type { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import type { IdentityPlace, ReadyIdentity } from './identities';
import { trustedIdentity } from './identities';
import { deployPlatform, deployWebhook } from './platform';
import type { WorkloadPlace } from './workloads';
import { deployNamespaces, deployWorkload } from './workloads';
import { clusterToken } from '../keeping/kinds';
import { known } from './known';
import { deployCluster } from './managedCluster';
import type { EnvironmentLogs } from '../environment/logs';
import type { WorkloadOutput } from '../outputs/outputs';
import type { ClusterPlan, WorkloadPlan } from '../plan';
import { digestOf } from '../releases/digest';
import type { EnvironmentGroup } from '../environment/resourceGroup';
import type { ClusterSettings, StackSettings } from '../configuration/schema';
import type { Subscriptions } from '../environment/subscriptions';

export interface ClusterArgs {
  readonly settings: StackSettings;
  readonly plan: ClusterPlan;
  readonly group: EnvironmentGroup;
  readonly logs: EnvironmentLogs;
  readonly subscriptions: Subscriptions;
  readonly tenantId: pulumi.Output<string>;
  /** Subscription of the group. */
  readonly subscriptionId: pulumi.Output<string>;
  /** The environment's vaults, by name. */
  readonly vaults: ReadonlyMap<string, KeyVault>;
}

/** One cluster of an environment and all that is on it. Clusters do not wait for each other. */
export class Cluster extends pulumi.ComponentResource {
  readonly mode: ClusterSettings['mode'];
  readonly cluster: WorkloadIdentityCluster;
  /** The cluster's own identity. */
  readonly identity: ManagedIdentity;
  private readonly identities: ReadonlyMap<string, ReadyIdentity>;

  constructor(
    readonly name: string,
    private readonly args: ClusterArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super(clusterToken, name, {}, opts);
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
    const platform = { ...args, clusterName: name, inCluster: this.inCluster() };
    const webhook = deployWebhook(platform);
    deployPlatform(platform, place, webhook);
    const workloads = this.workloadPlace(webhook);
    const namespaces = deployNamespaces(workloads, plan.namespaces);
    for (const workload of plan.workloads) deployWorkload(workloads, workload, namespaces);
    this.registerOutputs({ issuer: this.cluster.issuerUrl });
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
        grants: plan.application.secrets.map((secret) => ({ vault: plan.vault, secret })),
      });
    });
  }

  private identityPlace(): IdentityPlace {
    const { settings, group, subscriptions } = this.args;
    return {
      settings,
      group,
      subscriptions,
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
      identity: (plan) => {
        const { identity, before } = this.identityOf(plan);
        return { identity, before: [...before, ...webhook] };
      },
      vault: (name) => this.vault(name),
      inCluster: this.inCluster(),
      keeps: (name) =>
        plan.workloads.some(
          ({ namespace, application }) =>
            namespace === name && (application.deletion ?? settings.deletion) === 'kept',
        ),
    };
  }

  private inCluster(): pulumi.ComponentResourceOptions & { readonly provider: kubernetes.Provider } {
    const { provider, managedCluster } = this.cluster;
    // What is in a cluster that stays must be taken out of it: only with one that is deleted, it goes by itself.
    const goes = managedCluster !== undefined && this.args.plan.deletion === 'allowed';
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
