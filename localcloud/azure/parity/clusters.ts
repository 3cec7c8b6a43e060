import type { ParityRow } from './row';
import { ARM, row } from './row';

/** Managed clusters. */
export const CLUSTERS: readonly ParityRow[] = [
  row(
    ARM,
    ['ManagedClusters_CreateOrUpdate', 'ManagedClusters_Get', 'ManagedClusters_OperationStatus'],
    'Long-running; a real control plane is started; issuer, identities, group of the nodes',
    'Properties of nodes and networks are kept without effect',
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
    'Issuer and workload identity switched on in a cluster made without; every other property survives',
    'Entra sign-in, authorized ranges and disabled local accounts are kept; a user’s kubeconfig still has a certificate',
    'clusters',
    'switches issuer and workload identity on in a cluster made without, and leaves all else as it is',
  ),
  row(
    ARM,
    ['ManagedClusters_CreateOrUpdate'],
    'Add-on azureKeyvaultSecretsProvider with its settings and its identity',
    'Other add-ons are kept without effect',
    'clusters',
    'runs the secrets store where the add-on is on, with an identity of its own',
  ),
  row(
    ARM,
    ['ManagedClusters_UpdateTags', 'ManagedClusters_List', 'ManagedClusters_ListByResourceGroup'],
    'Workload identity can be switched on later',
    '',
    'clusters',
    'tags, lists and switches workload identity on',
  ),
  row(
    ARM,
    ['ManagedClusters_ListClusterAdminCredentials', 'ManagedClusters_ListClusterUserCredentials'],
    'Kubeconfigs that kubectl can use; local accounts can be disabled',
    '',
    'clusters',
    'gives kubeconfigs of users and administrators',
  ),
  row(
    ARM,
    ['ManagedClusters_Delete'],
    'Stops the control plane, removes the group of the nodes',
    '',
    'clusters',
    'deletes a cluster with its control plane and its nodes’ group',
  ),
];
