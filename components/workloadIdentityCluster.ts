import {
  getManagedClusterOutput,
  listManagedClusterAdminCredentialsOutput,
  listManagedClusterUserCredentialsOutput,
  ManagedCluster,
} from '@pulumi/azure-native/containerservice';
import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { InvalidArgumentError, VisibleError } from './errors';
import { isValidName, nameRule } from './naming';
import { parseResourceId } from './resourceId';
import { stableOutputs } from './stableOutputs';

const clusterType = 'Microsoft.ContainerService/managedClusters';

/** The nodes that every cluster has. */
export interface SystemNodePoolArgs {
  /**
   * Number of nodes.
   * @default 3
   */
  readonly count?: number;
  /**
   * Size of the virtual machines.
   * @default `Standard_D4ds_v5`
   */
  readonly vmSize?: string;
}

export interface WorkloadIdentityClusterArgs {
  readonly resourceGroupName: pulumi.Input<string>;
  /**
   * Its name in Azure.
   * @default the component's name
   */
  readonly clusterName?: string;
  /**
   * Azure region.
   * @default the resource group's
   */
  readonly location?: pulumi.Input<string>;
  /**
   * Kubernetes version. `1.35` gets its patches by itself, `1.35.4` stays what it is.
   * @default the version that AKS takes for new clusters
   */
  readonly kubernetesVersion?: string;
  /** @default 3 nodes of `Standard_D4ds_v5` */
  readonly nodes?: SystemNodePoolArgs;
  /**
   * Service tier: `Standard` has an uptime agreement for the API server.
   * @default `Standard`
   */
  readonly tier?: 'Free' | 'Standard' | 'Premium';
  /**
   * Object ids of the Entra groups whose members administer the cluster. With them, local accounts are
   * switched off and the credentials are the user's own: `kubelogin` must be on the PATH.
   * @default no Entra integration; the credentials are those of the local administrator
   */
  readonly administratorGroups?: readonly string[];
  /** @default no tags */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Refuse to delete it.
   * @default false
   */
  readonly protect?: boolean;
}

/** An AKS cluster whose service accounts can be trusted by Entra. */
export class WorkloadIdentityCluster extends pulumi.ComponentResource {
  /** The cluster itself. What is installed in it is `deletedWith` it. */
  readonly managedCluster: ManagedCluster;
  /** Resource id. */
  readonly id: pulumi.Output<string>;
  /** Issuer of the service accounts' tokens, with its trailing slash. */
  readonly issuerUrl: pulumi.Output<string>;
  /** kubeconfig of an administrator, a secret. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Kubernetes provider for what is installed in the cluster. */
  readonly provider: kubernetes.Provider;

  constructor(name: string, args: WorkloadIdentityClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:cluster:WorkloadIdentityCluster', name, {}, opts);
    const cluster = this.cluster(name, args);
    this.managedCluster = cluster;
    this.id = cluster.id;
    this.issuerUrl = stableOutputs(cluster.id, cluster.oidcIssuerProfile, (id) =>
      getManagedClusterOutput(targetOf(id), { parent: this }).apply((found) => found.oidcIssuerProfile),
    ).apply((profile) => issuerOf(name, profile?.issuerURL));
    this.kubeconfig = this.credentials(cluster, args);
    this.provider = new kubernetes.Provider(
      `${name}-provider`,
      {
        kubeconfig: this.kubeconfig,
        // What makes it another cluster is another issuer (it has a new id each time that a cluster is made), not
        // a new address or certificate in the kubeconfig: those would replace all that is installed.
        clusterIdentifier: this.issuerUrl,
      },
      { parent: this },
    );
    this.registerOutputs({ id: this.id, issuerUrl: this.issuerUrl, kubeconfig: this.kubeconfig });
  }

  private cluster(name: string, args: WorkloadIdentityClusterArgs): ManagedCluster {
    const clusterName = args.clusterName ?? name;
    if (!isValidName('managedCluster', clusterName)) {
      throw new InvalidArgumentError({
        component: `WorkloadIdentityCluster ${name}`,
        argument: 'clusterName',
        value: clusterName,
        problem: 'cannot be the name of a cluster',
        allowed: nameRule('managedCluster').allowed,
      });
    }
    const groups = args.administratorGroups ?? [];
    return new ManagedCluster(
      name,
      {
        resourceGroupName: args.resourceGroupName,
        resourceName: clusterName,
        ...(args.location !== undefined && { location: args.location }),
        dnsPrefix: dnsPrefixOf(clusterName),
        sku: { name: 'Base', tier: args.tier ?? 'Standard' },
        identity: { type: 'SystemAssigned' },
        ...(args.kubernetesVersion !== undefined && { kubernetesVersion: args.kubernetesVersion }),
        enableRBAC: true,
        disableLocalAccounts: groups.length > 0,
        ...(groups.length > 0 && {
          aadProfile: { managed: true, enableAzureRBAC: false, adminGroupObjectIDs: [...groups] },
        }),
        oidcIssuerProfile: { enabled: true },
        securityProfile: { workloadIdentity: { enabled: true } },
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
      },
      { parent: this, protect: args.protect ?? false },
    );
  }

  private credentials(cluster: ManagedCluster, args: WorkloadIdentityClusterArgs): pulumi.Output<string> {
    const target = targetOf(cluster.id);
    const kubeconfigs =
      (args.administratorGroups ?? []).length > 0
        ? listManagedClusterUserCredentialsOutput({ ...target, format: 'exec' }, { parent: this }).kubeconfigs
        : listManagedClusterAdminCredentialsOutput(target, { parent: this }).kubeconfigs;
    return pulumi.secret(kubeconfigs.apply((all) => decodeKubeconfig(all[0]?.value)));
  }
}

/** Where a cluster is, from its id: unknown until it exists, while its name is known in every preview. */
function targetOf(id: pulumi.Output<string>) {
  const found = id.apply((text) => parseResourceId(text, clusterType));
  return { resourceGroupName: found.resourceGroupName, resourceName: found.name };
}

function isExactVersion(version: string | undefined): boolean {
  return version?.split('.').length === 3;
}

/** DNS prefixes: letters, digits and hyphens, at most 54, no hyphen at either end (AKS). */
function dnsPrefixOf(clusterName: string): string {
  return clusterName.replaceAll('_', '-').slice(0, 54).replace(/-+$/, '');
}

function issuerOf(name: string, issuer: string | undefined): string {
  if (issuer !== undefined && issuer !== '') return issuer;
  throw new VisibleError(
    `WorkloadIdentityCluster ${name}: the cluster has no issuer URL, so nothing can trust its service accounts. Switch it on: az aks update --enable-oidc-issuer --enable-workload-identity.`,
  );
}

function decodeKubeconfig(value: string | undefined): string {
  if (value === undefined) throw new Error("The cluster's credentials operation answered no kubeconfig.");
  return Buffer.from(value, 'base64').toString('utf8');
}
