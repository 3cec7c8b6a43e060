import type * as kubernetes from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import type { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import type { LogDestination } from '../../components/logs/diagnosticLogs';
import type { ClusterPlan } from '../plan';
import type { Tags } from '../plan/tags';
import type { Subscriptions } from '../subscriptions';
import type { Cloud } from '../../components/azure/clouds';
import type { StackSettings } from '../settings/schema';
import type { EnvironmentGroup, DeployedGroup } from './resourceGroups';

/** What everything in an environment is made with. */
export interface EnvironmentContext {
  /** Name of the stack. */
  readonly stack: string;
  readonly settings: StackSettings;
  readonly cloud: Cloud;
  readonly subscriptions: Subscriptions;
  /** Tags of everything that the stack makes in Azure. */
  readonly tags: Tags;
  readonly group: EnvironmentGroup;
  readonly tenantId: pulumi.Output<string>;
  /** Subscription of the group. */
  readonly subscriptionId: pulumi.Output<string>;
  /** Where audit logs go; undefined if they go nowhere. */
  readonly logs: LogDestination | undefined;
  /** Resource groups of the applications' dependencies, by name. */
  readonly servicesGroups: ReadonlyMap<string, DeployedGroup>;
}

/** The provider of a component: that of the environment's group, or of the subscription in which a resource exists. */
export function providerOf(
  { group, subscriptions }: Pick<EnvironmentContext, 'group' | 'subscriptions'>,
  existing: { readonly subscriptionId: string } | undefined,
): pulumi.ComponentResourceOptions {
  return existing === undefined
    ? group.opts
    : { providers: [subscriptions.provider(existing.subscriptionId)] };
}

/** What everything on a cluster is made with. */
export interface ClusterContext extends EnvironmentContext {
  readonly plan: ClusterPlan;
  readonly cluster: WorkloadIdentityCluster;
  readonly parent: pulumi.Resource;
  /** For components in the cluster. */
  readonly inCluster: {
    readonly parent: pulumi.Resource;
    readonly providers: [kubernetes.Provider];
    readonly deletedWith?: pulumi.Resource;
  };
}
