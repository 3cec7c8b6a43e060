import type { ManagedClusterArgs } from '@pulumi/azure-native/containerservice';
import * as pulumi from '@pulumi/pulumi';
import { asRange } from '../azure/addressRange';
import type { LogDestination } from '../logs/diagnosticLogs';
import type { NewResource } from '../resource/newResource';
import { defaultNodes } from './defaultNodes';

/** Service tier of a cluster. */
export const ClusterTier = {
  /** No uptime agreement. */
  Free: 'Free',
  /** An uptime agreement for the API server. */
  Standard: 'Standard',
  /** An uptime agreement, and long-term support of Kubernetes versions. */
  Premium: 'Premium',
} as const;
export type ClusterTier = (typeof ClusterTier)[keyof typeof ClusterTier];

/** The nodes that every cluster has. */
export interface SystemNodePoolArgs {
  /** Number of nodes. Default: 3. */
  readonly count?: number;
  /** Size of the virtual machines. Default: `Standard_D4ds_v5`. */
  readonly vmSize?: string;
}

/** A cluster that the component creates. */
export interface NewCluster extends NewResource {
  /** Resource group to create it in. AKS creates another one for its nodes. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure. Default: the component's name. */
  readonly clusterName?: pulumi.Input<string>;
  /**
   * Kubernetes version. AKS patches `1.35` automatically and never upgrades `1.35.4`. Default: AKS' default for new
   * clusters.
   */
  readonly kubernetesVersion?: string;
  /** The nodes of the system pool, the only pool. Default: 3 nodes of `Standard_D4ds_v5`. */
  readonly nodes?: SystemNodePoolArgs;
  /** Service tier: `Standard` has an uptime agreement for the API server. Default: `Standard`. */
  readonly tier?: ClusterTier;
  /**
   * Object ids of the Entra groups that administer the cluster. With them, local accounts are disabled and the kubeconfig
   * uses the user's own credentials: `kubelogin` must be on the PATH. Default: no Entra integration; the credentials are
   * those of the local administrator.
   */
  readonly administratorGroups?: pulumi.Input<string>[];
  /**
   * Public IPv4 addresses and ranges (CIDR) that can reach the API server. They must include the address of the deploying
   * machine. Default: all.
   */
  readonly authorizedIpRanges?: pulumi.Input<string>[];
  /**
   * Install the Secrets Store CSI driver with Azure's provider, for pods that mount secrets. Default: false; an installed
   * driver is kept.
   */
  readonly secretsStore?: boolean;
  /**
   * Use a network that aad-pod-identity supports: it needs iptables, which Cilium bypasses. It applies only when the cluster
   * is created: an update leaves the network as it is. Default: false, Cilium.
   */
  readonly podIdentity?: boolean;
  /** Destination of the audit logs, which show who changed what through the API server. Default: no audit logs. */
  readonly logs?: LogDestination;
}

/** Name of the pool that the component creates. */
export const systemPool = 'system';

/**
 * Properties that AKS changes only by replacing the cluster. They keep their values from the creation, because
 * `podIdentity` may be set and removed later.
 */
export const networkAtCreation = ['networkProfile.networkDataplane', 'networkProfile.networkPolicy'];

/** Returns the cluster's arguments for Azure: with the issuer and workload identity, and no more open than necessary. */
export function managedClusterArgs(name: string, args: NewCluster): ManagedClusterArgs {
  const { resourceGroupName, location, tags, kubernetesVersion, authorizedIpRanges, nodes } = args;
  const clusterName = pulumi.output(args.clusterName ?? name);
  const groups = args.administratorGroups ?? [];
  const dataplane = args.podIdentity === true ? 'azure' : 'cilium';
  return {
    resourceGroupName,
    resourceName: clusterName,
    location,
    dnsPrefix: clusterName.apply(dnsPrefixOf),
    sku: { name: 'Base', tier: args.tier ?? 'Standard' },
    identity: { type: 'SystemAssigned' },
    kubernetesVersion,
    enableRBAC: true,
    disableLocalAccounts: groups.length > 0,
    ...(groups.length > 0 && {
      aadProfile: { managed: true, enableAzureRBAC: false, adminGroupObjectIDs: groups },
    }),
    ...(authorizedIpRanges && {
      apiServerAccessProfile: {
        authorizedIPRanges: authorizedIpRanges.map((range) => pulumi.output(range).apply(asRange)),
      },
    }),
    oidcIssuerProfile: { enabled: true },
    securityProfile: { workloadIdentity: { enabled: true } },
    ...(args.secretsStore === true && {
      addonProfiles: {
        // Without rotation, a pod keeps the values that were mounted when it started.
        azureKeyvaultSecretsProvider: { enabled: true, config: { enableSecretRotation: 'true' } },
      },
    }),
    autoUpgradeProfile: {
      // AKS would upgrade an exact version, and the next update would request a downgrade.
      upgradeChannel: kubernetesVersion?.split('.').length === 3 ? 'none' : 'patch',
      nodeOSUpgradeChannel: 'NodeImage',
    },
    networkProfile: {
      networkPlugin: 'azure',
      networkPluginMode: 'overlay',
      networkDataplane: dataplane,
      networkPolicy: dataplane,
    },
    agentPoolProfiles: [
      {
        name: systemPool,
        mode: 'System',
        type: 'VirtualMachineScaleSets',
        osType: 'Linux',
        osSKU: 'AzureLinux',
        count: nodes?.count ?? defaultNodes.count,
        vmSize: nodes?.vmSize ?? defaultNodes.vmSize,
      },
    ],
    tags,
  };
}

/** Returns the DNS prefix of a cluster: letters, digits and hyphens, at most 54, no hyphen at either end (AKS). */
export function dnsPrefixOf(clusterName: string): string {
  return clusterName.replaceAll('_', '-').slice(0, 54).replace(/-+$/, '');
}
