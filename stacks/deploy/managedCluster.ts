import * as pulumi from '@pulumi/pulumi';
import { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import type { ClusterSettings, StackSettings } from '../settings/schema';
import { known } from './known';
import type { EnvironmentLogs } from './logs';
import type { EnvironmentGroup } from './resourceGroup';
import type { Cloud } from '../settings/clouds';
import type { Subscriptions } from '../preflight/subscriptions';
import type { Tags } from '../plan/tags';
import type { ClusterPlan } from '../plan';
import { usesSecretsStore } from '../plan';

/** Where a cluster is made or found. */
export interface ClusterContext {
  readonly settings: StackSettings;
  readonly group: EnvironmentGroup;
  readonly logs: EnvironmentLogs;
  readonly subscriptions: Subscriptions;
  readonly tags: Tags;
  readonly cloud: Cloud;
  readonly parent: pulumi.Resource;
}

/** The cluster in the mode that it has. */
export function deployCluster(context: ClusterContext, plan: ClusterPlan): WorkloadIdentityCluster {
  const { settings } = plan;
  const { name, mode } = settings;
  const { parent } = context;
  if (mode === 'create') return createdCluster(context, plan, settings);
  if (mode === 'existing') {
    const { id, enable } = settings;
    return new WorkloadIdentityCluster(
      name,
      {
        existing: {
          id: id.id,
          ...(enable !== undefined && { enable }),
          ...(enable === true &&
            context.cloud.resourceManager !== undefined && {
              resourceManager: context.cloud.resourceManager,
            }),
        },
      },
      { parent, providers: [context.subscriptions.provider(id.subscriptionId)] },
    );
  }
  const { issuer } = settings;
  const kubeconfig = known(new Map(Object.entries(context.settings.kubeconfigs)), name);
  return new WorkloadIdentityCluster(
    name,
    { external: { issuer, kubeconfig: pulumi.secret(kubeconfig) } },
    { parent },
  );
}

function createdCluster(
  { settings, group, logs, tags: environmentTags, parent }: ClusterContext,
  plan: ClusterPlan,
  cluster: Extract<ClusterSettings, { mode: 'create' }>,
): WorkloadIdentityCluster {
  const { name, kubernetesVersion, nodes, tier, administratorGroups, authorizedIpRanges, tags } = cluster;
  return new WorkloadIdentityCluster(
    name,
    {
      create: {
        resourceGroupName: group.name,
        location: settings.location,
        tags: { ...environmentTags, ...tags },
        ...(kubernetesVersion !== undefined && { kubernetesVersion }),
        ...(nodes !== undefined && {
          nodes: {
            ...(nodes.count !== undefined && { count: nodes.count }),
            ...(nodes.vmSize !== undefined && { vmSize: nodes.vmSize }),
          },
        }),
        ...(tier !== undefined && { tier }),
        ...(administratorGroups !== undefined && { administratorGroups }),
        ...(authorizedIpRanges !== undefined && { authorizedIpRanges }),
        ...(usesSecretsStore(plan) && { secretsStore: true }),
        ...logs,
        retainOnDelete: plan.retainOnDelete,
      },
    },
    { parent, ...group.opts },
  );
}
