import type { BuiltInRole } from '../azure/roles';
import type { ServiceAccountReference } from '../identity/subjects';

/** Components of a hosted cluster that sign in to Azure, as named in the HostedCluster. */
export const HostedClusterComponent = {
  /** Azure's cloud controller manager: load balancers and routes. */
  CloudProvider: 'cloudProvider',
  /** The control plane operator. */
  ControlPlaneOperator: 'controlPlaneOperator',
  /** The Azure provider of Cluster API: the machines of the node pools. */
  NodePoolManagement: 'nodePoolManagement',
  /** The ingress operator: DNS records. */
  Ingress: 'ingress',
  /** The network operator's cloud network configuration. */
  Network: 'network',
  /** The CSI driver of Azure Disk. */
  Disk: 'disk',
  /** The CSI driver of Azure Files. */
  File: 'file',
  /** The image registry's operator. */
  ImageRegistry: 'imageRegistry',
  /** The KMS plugin of the API server, which encrypts etcd. */
  Kms: 'kms',
} as const;
export type HostedClusterComponent = (typeof HostedClusterComponent)[keyof typeof HostedClusterComponent];

/** Scopes of roles. */
export type HostedClusterScope =
  'resourceGroup' | 'virtualNetwork' | 'subnet' | 'networkSecurityGroup' | 'dnsZone' | 'key';

/** The needs of one component. */
export interface ComponentRule {
  /** Short name in the names of its identity and of its secret. */
  readonly shortName: string;
  /** Name of the SecretProviderClass for the credentials of its pods. */
  readonly secretProviderClass: string;
  /** Azure's built-in role for it. */
  readonly role: BuiltInRole;
  readonly scopes: readonly HostedClusterScope[];
  /** Its service accounts, which are trusted if it signs in with federation. */
  readonly serviceAccounts: readonly ServiceAccountReference[];
}

const account = (namespace: string, serviceAccount: string): ServiceAccountReference => ({
  namespace,
  serviceAccount,
});
const drivers = 'openshift-cluster-csi-drivers';
const registry = 'openshift-image-registry';

/**
 * The components. The short names come from openshift/hypershift contrib/managed-azure/setup_MIv3_kv.sh, the classes from
 * its support/config/constants.go, and the service accounts from its cmd/infra/azure/identities.go. The roles are the
 * built-in ones that Azure/ARO-HCP assigns (demo/bicep/cluster.bicep). The network scopes are those of ARO-HCP, too. The
 * scope on the resource group of the hosted cluster's own resources is that of openshift/hypershift
 * (support/azureutil/azureutil.go, GetServicePrincipalScopes), which assigns Contributor to the control plane operator and
 * the node pools for lack of narrower roles.
 */
export const hostedClusterComponents: Readonly<Record<HostedClusterComponent, ComponentRule>> = {
  cloudProvider: {
    shortName: 'cloud-provider',
    secretProviderClass: 'managed-azure-cloud-provider',
    role: 'openShiftCloudControllerManager',
    scopes: ['resourceGroup', 'networkSecurityGroup', 'subnet'],
    serviceAccounts: [account('kube-system', 'azure-cloud-provider')],
  },
  controlPlaneOperator: {
    shortName: 'cpo',
    secretProviderClass: 'managed-azure-cpo',
    role: 'openShiftControlPlaneOperator',
    scopes: ['resourceGroup', 'networkSecurityGroup', 'virtualNetwork'],
    serviceAccounts: [account('kube-system', 'control-plane-operator')],
  },
  nodePoolManagement: {
    shortName: 'nodepool-mgmt',
    secretProviderClass: 'managed-azure-nodepool-management',
    role: 'openShiftClusterApiProvider',
    scopes: ['resourceGroup', 'subnet'],
    serviceAccounts: [account('kube-system', 'capi-provider')],
  },
  ingress: {
    shortName: 'ingress',
    secretProviderClass: 'managed-azure-ingress',
    role: 'openShiftIngressOperator',
    scopes: ['resourceGroup', 'subnet', 'dnsZone'],
    serviceAccounts: [account('openshift-ingress-operator', 'ingress-operator')],
  },
  network: {
    shortName: 'cncc',
    secretProviderClass: 'managed-azure-network',
    role: 'openShiftNetworkOperator',
    scopes: ['resourceGroup', 'virtualNetwork', 'subnet'],
    serviceAccounts: [
      account('openshift-cloud-network-config-controller', 'cloud-network-config-controller'),
    ],
  },
  disk: {
    shortName: 'azure-disk',
    secretProviderClass: 'managed-azure-disk-csi',
    role: 'openShiftDiskStorageOperator',
    scopes: ['resourceGroup'],
    serviceAccounts: [
      account(drivers, 'azure-disk-csi-driver-node-sa'),
      account(drivers, 'azure-disk-csi-driver-operator'),
      account(drivers, 'azure-disk-csi-driver-controller-sa'),
    ],
  },
  file: {
    shortName: 'azure-file',
    secretProviderClass: 'managed-azure-file-csi',
    role: 'openShiftFileStorageOperator',
    scopes: ['resourceGroup', 'networkSecurityGroup', 'subnet'],
    serviceAccounts: [
      account(drivers, 'azure-file-csi-driver-node-sa'),
      account(drivers, 'azure-file-csi-driver-operator'),
      account(drivers, 'azure-file-csi-driver-controller-sa'),
    ],
  },
  imageRegistry: {
    shortName: 'ciro',
    secretProviderClass: 'managed-azure-image-registry',
    role: 'openShiftImageRegistryOperator',
    scopes: ['resourceGroup'],
    serviceAccounts: [account(registry, 'registry'), account(registry, 'cluster-image-registry-operator')],
  },
  kms: {
    shortName: 'kms',
    secretProviderClass: 'managed-azure-kms',
    role: 'keyVaultCryptoUser',
    scopes: ['key'],
    serviceAccounts: [account('kube-system', 'kms-provider')],
  },
};

/**
 * Components that sign in from the nodes of the hosted cluster if its control plane signs in with a certificate. They sign
 * in with federation, as the first of their service accounts (openshift/hypershift
 * contrib/managed-azure/setup_dataplane_identities.sh).
 */
export const dataPlaneComponents = ['disk', 'file', 'imageRegistry'] as const;
export type DataPlaneComponent = (typeof dataPlaneComponents)[number];

/** The kind of a hosted cluster on its management cluster. */
export const hostedClusterKind = { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedCluster' };

/** Audience of the tokens of a hosted cluster (openshift/hypershift cmd/infra/azure/identities.go). */
export const hostedClusterAudience = 'openshift';

/** Returns the name of the vault secret with the credentials of a component. */
export function credentialsSecretName(hostedCluster: string, component: HostedClusterComponent): string {
  return `${hostedClusterComponents[component].shortName}-${hostedCluster}-json`;
}

/** Returns the short name of a component on the nodes, for the name of its identity. */
export function nodeName(component: DataPlaneComponent): string {
  return `${hostedClusterComponents[component].shortName}-node`;
}

/**
 * Returns the names in Azure of the managed identities that a hosted cluster gets: those of its nodes if its control plane
 * signs in with a certificate, otherwise those of its components.
 */
export function managedIdentityNames(
  identityPrefix: string,
  components: readonly { readonly component: HostedClusterComponent }[],
  certificates: object | undefined,
): string[] {
  const names =
    certificates === undefined
      ? components.map(({ component }) => hostedClusterComponents[component].shortName)
      : dataPlaneComponents.map(nodeName);
  return names.map((name) => `${identityPrefix}-${name}`);
}

/** Returns the id of a subnet's network. */
export function networkOf(subnet: string): string {
  return subnet.replace(/\/subnets\/[^/]+$/i, '');
}
