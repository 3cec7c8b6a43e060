import type { ParityRow } from './row';
import { ARM, row } from './row';

/** Resources that extend vaults and clusters: diagnostic settings, locks, private endpoints. */
export const EXTENSIONS: readonly ParityRow[] = [
  row(
    ARM,
    [
      'Workspaces_CreateOrUpdate',
      'Workspaces_Update',
      'Workspaces_Get',
      'Workspaces_Delete',
      'Workspaces_ListByResourceGroup',
      'Workspaces_List',
    ],
    'Name rule, pricing tiers, retention',
    'No soft delete',
    'logs',
    'creates, reads, changes, lists and deletes a workspace',
  ),
  row(
    ARM,
    [
      'DiagnosticSettings_CreateOrUpdate',
      'DiagnosticSettings_Get',
      'DiagnosticSettings_Delete',
      'DiagnosticSettings_List',
      'DiagnosticSettingsCategory_List',
    ],
    'For vaults and clusters: categories and groups of the type, an existing workspace, one setting per category and workspace',
    'Of the logs, only the audit log of vaults is sent; workspaces only; deleted with the resource',
    'logs',
    'creates, reads, lists and deletes settings of vaults and clusters',
    true,
  ),
  row(
    ARM,
    [
      'ManagementLocks_CreateOrUpdateByScope',
      'ManagementLocks_GetByScope',
      'ManagementLocks_DeleteByScope',
      'ManagementLocks_ListByScope',
    ],
    'At subscription, group or resource; needs a role with the action',
    '',
    'locks',
    'creates, reads, lists, changes and deletes a lock',
  ),
  row(
    ARM,
    ['ManagementLocks_CreateOrUpdateByScope'],
    'CanNotDelete prevents deletion of the locked resource, its children and its parents; ReadOnly also prevents writes',
    'A cluster’s node resource group is deleted with the cluster despite locks',
    'locks',
    'refuses to delete a locked resource, its children and its parents',
  ),
  row(
    ARM,
    [
      'PrivateEndpoints_CreateOrUpdate',
      'PrivateEndpoints_Get',
      'PrivateEndpoints_Delete',
      'PrivateEndpoints_List',
      'PrivateEndpoints_ListBySubscription',
      'PrivateDnsZoneGroups_CreateOrUpdate',
      'PrivateDnsZoneGroups_Get',
      'PrivateDnsZoneGroups_Delete',
      'PrivateDnsZoneGroups_List',
    ],
    'For vaults: approved if the caller may approve, pending if manual; listed in the vault',
    'Only the form of subnet and zone ids is checked; no address, no DNS record',
    'networks',
    'connects a private endpoint to a vault, which then admits callers despite disabled public access',
  ),
];
