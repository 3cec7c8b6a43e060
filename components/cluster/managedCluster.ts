import type { ManagedClusterArgs } from '@pulumi/azure-native/containerservice';
import type * as pulumi from '@pulumi/pulumi';
import { checked, read } from '../resource/given';
import type { LogDestination } from '../logs/diagnosticLogs';
import { assertName } from '../azure/naming';

/** Service tier of a cluster. */
export const ClusterTier = {
  /** No uptime agreement. */
  Free: 'Free',
  /** An uptime agreement for the API server. */
  Standard: 'Standard',
  /** That, and long-term support of Kubernetes versions. */
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

/** A cluster that the component makes. */
export interface NewCluster {
  /** Resource group that it is made in; AKS makes another for its nodes. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure. Default: the component's name. */
  readonly clusterName?: pulumi.Input<string>;
  /** Azure region. Default: the resource group's. */
  readonly location?: pulumi.Input<string>;
  /**
   * Kubernetes version. `1.35` gets its patches by itself, `1.35.4` stays what it is. Default: the version that AKS
   * takes for new clusters.
   */
  readonly kubernetesVersion?: string;
  /** The nodes of the system pool, which is the only one. Default: 3 nodes of `Standard_D4ds_v5`. */
  readonly nodes?: SystemNodePoolArgs;
  /** Service tier: `Standard` has an uptime agreement for the API server. Default: `Standard`. */
  readonly tier?: ClusterTier;
  /**
   * Object ids of the Entra groups whose members administer the cluster. With them, local accounts are switched off and
   * the credentials are the user's own: `kubelogin` must be on the PATH. Default: no Entra integration; the credentials
   * are those of the local administrator.
   */
  readonly administratorGroups?: pulumi.Input<string>[];
  /**
   * Public IPv4 addresses and ranges (CIDR) from which the API server is reached; where this is deployed from must be
   * one of them. Default: all.
   */
  readonly authorizedIpRanges?: string[];
  /**
   * Install the Secrets Store CSI driver with Azure's provider, by which pods mount secrets. Default: false: what the
   * cluster has stays as it is.
   */
  readonly secretsStore?: boolean;
  /** Where the record goes of who changed what through the API server. Default: nowhere. */
  readonly logs?: LogDestination;
  /** Tags of the cluster. Default: no tags. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** It stays in Azure when it leaves the program, or the stack is destroyed. Default: true. */
  readonly retainOnDelete?: boolean;
  /** Every deletion is refused, on purpose too. Default: false. */
  readonly protect?: boolean;
}

/** The cluster as Azure takes it: with issuer and workload identity, and no more open than it has to be. */
export function managedClusterArgs(name: string, args: NewCluster): ManagedClusterArgs {
  const clusterName = checked(args.clusterName ?? name, (given) =>
    assertName({
      component: `WorkloadIdentityCluster ${name}`,
      argument: 'clusterName',
      name: given,
      type: 'managedCluster',
      problem: 'cannot be the name of a cluster',
    }),
  );
  const groups = args.administratorGroups ?? [];
  return {
    resourceGroupName: args.resourceGroupName,
    resourceName: clusterName,
    ...(args.location !== undefined && { location: args.location }),
    dnsPrefix: read(clusterName, dnsPrefixOf),
    sku: { name: 'Base', tier: args.tier ?? 'Standard' },
    identity: { type: 'SystemAssigned' },
    ...(args.kubernetesVersion !== undefined && { kubernetesVersion: args.kubernetesVersion }),
    enableRBAC: true,
    disableLocalAccounts: groups.length > 0,
    ...(groups.length > 0 && {
      aadProfile: { managed: true, enableAzureRBAC: false, adminGroupObjectIDs: [...groups] },
    }),
    ...(args.authorizedIpRanges !== undefined && {
      apiServerAccessProfile: { authorizedIPRanges: args.authorizedIpRanges.map(asRange) },
    }),
    oidcIssuerProfile: { enabled: true },
    securityProfile: { workloadIdentity: { enabled: true } },
    ...(args.secretsStore === true && {
      addonProfiles: {
        // Without rotation, what is mounted stays what it was when its pod was made.
        azureKeyvaultSecretsProvider: { enabled: true, config: { enableSecretRotation: 'true' } },
      },
    }),
    autoUpgradeProfile: {
      // Of an exact version, AKS would write another one over, and the next update would ask for a downgrade.
      upgradeChannel: isExactVersion(args.kubernetesVersion) ? 'none' : 'patch',
      nodeOSUpgradeChannel: 'NodeImage',
    },
    networkProfile: {
      networkPlugin: 'azure',
      networkPluginMode: 'overlay',
      networkDataplane: 'cilium',
      networkPolicy: 'cilium',
    },
    agentPoolProfiles: [
      {
        name: 'system',
        mode: 'System',
        type: 'VirtualMachineScaleSets',
        osType: 'Linux',
        osSKU: 'AzureLinux',
        count: args.nodes?.count ?? 3,
        vmSize: args.nodes?.vmSize ?? 'Standard_D4ds_v5',
      },
    ],
    ...(args.tags !== undefined && { tags: args.tags }),
  };
}

function isExactVersion(version: string | undefined): boolean {
  return version?.split('.').length === 3;
}

/** Azure answers a single address as a range of one. */
function asRange(range: string): string {
  return range.includes('/') ? range : `${range}/32`;
}

/** DNS prefixes: letters, digits and hyphens, at most 54, no hyphen at either end (AKS). */
function dnsPrefixOf(clusterName: string): string {
  return clusterName.replaceAll('_', '-').slice(0, 54).replace(/-+$/, '');
}
