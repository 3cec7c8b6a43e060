import * as pulumi from '@pulumi/pulumi';
import { clusterType, parseResourceId } from '../../components/azure/resourceId';
import { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import type { StackSettings } from '../settings/schema';
import type { EnvironmentLogs } from './logs';
import type { EnvironmentGroup } from './resourceGroup';
import type { Cloud } from '../settings/clouds';
import type { Subscriptions } from '../preflight/subscriptions';
import type { Tags } from '../plan/tags';
import type { ClusterPlan } from '../plan';
import { usesSecretsStore } from '../plan';

/** Where a cluster is made or found. */
export interface ClusterPlace {
  readonly settings: StackSettings;
  readonly group: EnvironmentGroup;
  readonly logs: EnvironmentLogs;
  readonly subscriptions: Subscriptions;
  readonly tags: Tags;
  readonly cloud: Cloud;
  readonly parent: pulumi.Resource;
}

/** The cluster in the mode that it has. */
export function deployCluster(place: ClusterPlace, plan: ClusterPlan): WorkloadIdentityCluster {
  const { name, mode } = plan.settings;
  const { parent } = place;
  if (mode === 'create') return createdCluster(place, plan);
  if (mode === 'existing') {
    const { id = '', enable } = plan.settings;
    const { subscriptionId } = parseResourceId(id, clusterType);
    return new WorkloadIdentityCluster(
      name,
      {
        existing: {
          id,
          ...(enable !== undefined && { enable }),
          ...(enable === true &&
            place.cloud.resourceManager !== undefined && { resourceManager: place.cloud.resourceManager }),
        },
      },
      { parent, providers: [place.subscriptions.provider(subscriptionId)] },
    );
  }
  const { issuer } = plan.settings;
  const kubeconfig = place.settings.kubeconfigs[name];
  if (issuer === undefined || kubeconfig === undefined)
    throw new Error(`${name} has no issuer or no kubeconfig; the checks let none through.`);
  return new WorkloadIdentityCluster(
    name,
    { external: { issuer, kubeconfig: pulumi.secret(kubeconfig) } },
    { parent },
  );
}

function createdCluster(
  { settings, group, logs, tags: environmentTags, parent }: ClusterPlace,
  plan: ClusterPlan,
): WorkloadIdentityCluster {
  const { name, kubernetesVersion, nodes, tier, administratorGroups, authorizedIpRanges, tags } =
    plan.settings;
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
