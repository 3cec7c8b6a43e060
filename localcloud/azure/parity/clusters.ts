import type { ParityRow } from './row';
import { ARM, row } from './row';

export const CLUSTERS: readonly ParityRow[] = [
  row(
    ARM,
    ['ManagedClusters_CreateOrUpdate', 'ManagedClusters_Get', 'ManagedClusters_OperationStatus'],
    'Long-running; starts a real control plane; issuer, identities, node resource group',
    'Properties of nodes and networks are stored without effect',
    'clusters',
    'creates a cluster: the operation ends when the control plane serves',
  ),
  row(
    ARM,
    ['ManagedClusters_CreateOrUpdate', 'ManagedClusters_UpdateTags', 'ManagedClusters_Delete'],
    'eTag of the cluster and of its agent pools; If-Match, If-None-Match, 412',
    '',
    'clusters',
    'honours If-Match and If-None-Match',
  ),
  row(
    ARM,
    ['ManagedClusters_CreateOrUpdate'],
    'Issuer and workload identity can be enabled later; all other properties stay',
    'Entra sign-in, authorized ranges and disabled local accounts are stored; a user’s kubeconfig still has a certificate',
    'clusters',
    'enables issuer and workload identity on a cluster created without them, and changes nothing else',
  ),
  row(
    ARM,
    ['ManagedClusters_CreateOrUpdate'],
    'Add-on azureKeyvaultSecretsProvider with its settings and its identity',
    'Other add-ons are stored without effect',
    'clusters',
    'runs the Secrets Store driver if the add-on is enabled, with its own identity',
  ),
  row(
    ARM,
    ['ManagedClusters_CreateOrUpdate'],
    'A user’s own kubelet identity, which the cluster’s user-assigned identity must be allowed to assign',
    'Node scale sets do not exist, so no further identity can be put on nodes',
    'metadata',
    'puts a user’s own identity on the nodes as the kubelet’s, if the cluster may assign it',
  ),
  row(
    ARM,
    ['ManagedClusters_UpdateTags', 'ManagedClusters_List', 'ManagedClusters_ListByResourceGroup'],
    'Workload identity can be enabled later',
    '',
    'clusters',
    'tags and lists clusters, and enables workload identity',
  ),
  row(
    ARM,
    ['ManagedClusters_ListClusterAdminCredentials', 'ManagedClusters_ListClusterUserCredentials'],
    'Kubeconfigs that kubectl can use; local accounts can be disabled',
    '',
    'clusters',
    'returns kubeconfigs of users and administrators',
  ),
  row(
    ARM,
    ['ManagedClusters_Delete'],
    'Stops the control plane, deletes the node resource group',
    '',
    'clusters',
    'deletes a cluster with its control plane and its node resource group',
  ),
];
