import * as pulumi from '@pulumi/pulumi';
import { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import type { ClusterPlan } from '../plan';
import { needsSecretsStore } from '../plan';
import type { EnvironmentContext } from './context';
import { providerOf } from './context';
import { known } from './known';

/** Deploys the cluster in its mode: created, existing or external. */
export function deployCluster(
  context: EnvironmentContext,
  plan: ClusterPlan,
  parent: pulumi.Resource,
): WorkloadIdentityCluster {
  const { settings, cloud, group, logs, tags } = context;
  const { settings: cluster, retainOnDelete } = plan;
  const { name } = cluster;
  switch (cluster.mode) {
    case 'create':
      return new WorkloadIdentityCluster(
        name,
        {
          create: {
            resourceGroupName: group.name,
            location: settings.location,
            tags: { ...tags, ...cluster.tags },
            kubernetesVersion: cluster.kubernetesVersion,
            nodes: cluster.nodes,
            tier: cluster.tier,
            administratorGroups: cluster.administratorGroups,
            authorizedIpRanges: cluster.authorizedIpRanges,
            // Pods mount secrets with this driver.
            secretsStore: needsSecretsStore(plan),
            podIdentity: cluster.podIdentity !== undefined,
            logs,
            retainOnDelete,
          },
        },
        { parent, ...group.opts },
      );
    case 'existing': {
      const { id } = cluster;
      return new WorkloadIdentityCluster(
        name,
        { existing: { id: id.id, enable: plan.enable, resourceManager: cloud.resourceManager } },
        { parent, ...providerOf(context, id) },
      );
    }
    case 'external': {
      const kubeconfig = pulumi.secret(known(new Map(Object.entries(settings.kubeconfigs)), name));
      return new WorkloadIdentityCluster(
        name,
        { external: { issuer: cluster.issuer, kubeconfig } },
        { parent },
      );
    }
  }
}
