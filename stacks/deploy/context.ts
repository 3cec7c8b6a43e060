import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import type { LogDestination } from '../../components/logs/diagnosticLogs';
import type { ClusterPlan } from '../plan';
import type { Tags } from '../plan/tags';
import type { Subscriptions } from '../subscriptions';
import type { Cloud } from '../../components/azure/clouds';
import type { StackSettings } from '../settings/schema';
import type { Central } from './central';
import type { EnvironmentGroup, DeployedGroup } from './resourceGroups';

/** Values that all resources of an environment are deployed with. */
export interface EnvironmentContext {
  /** Name of the stack. */
  readonly stack: string;
  readonly settings: StackSettings;
  readonly cloud: Cloud;
  readonly subscriptions: Subscriptions;
  /** Tags of everything that the stack creates in Azure. */
  readonly tags: Tags;
  readonly group: EnvironmentGroup;
  readonly tenantId: pulumi.Output<string>;
  /** Subscription of the group. */
  readonly subscriptionId: pulumi.Output<string>;
  /** Destination of audit logs; undefined if there is none. */
  readonly logs: LogDestination | undefined;
  /** The environment's resources, in a cell; undefined in a stack that deploys them itself. */
  readonly central: Central | undefined;
  /** Resource groups of the applications' dependencies, by name. */
  readonly servicesGroups: ReadonlyMap<string, DeployedGroup>;
}

/**
 * Returns the options with the provider of a component: the provider of the environment's group, or of an existing resource's
 * subscription.
 */
export function providerOf(
  { group, subscriptions }: Pick<EnvironmentContext, 'group' | 'subscriptions'>,
  existing: { readonly subscriptionId: string } | undefined,
): pulumi.ComponentResourceOptions {
  return existing === undefined
    ? group.opts
    : { providers: [subscriptions.provider(existing.subscriptionId)] };
}

/** Returns the options of components both in the cluster and in Azure, where they belong to the cluster. */
export function inClusterAndAzure(context: ClusterContext): pulumi.ComponentResourceOptions {
  const { inCluster, plan } = context;
  const existing = plan.settings.mode === 'existing' ? plan.settings.id : undefined;
  return pulumi.mergeOptions(providerOf(context, existing), inCluster);
}

/** Returns the options of components both in the cluster and in the environment's group. */
export function inClusterAndGroup({ inCluster, group }: ClusterContext): pulumi.ComponentResourceOptions {
  const { provider } = group.opts;
  return { ...inCluster, providers: [...inCluster.providers, ...(provider === undefined ? [] : [provider])] };
}

/** Values that all resources on a cluster are deployed with. */
export interface ClusterContext extends EnvironmentContext {
  readonly plan: ClusterPlan;
  readonly cluster: WorkloadIdentityCluster;
  readonly parent: pulumi.Resource;
  /** Options of components in the cluster. */
  readonly inCluster: {
    readonly parent: pulumi.Resource;
    readonly providers: [kubernetes.Provider];
    readonly deletedWith?: pulumi.Resource;
  };
}
