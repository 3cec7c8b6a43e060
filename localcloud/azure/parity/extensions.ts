import type { ParityRow } from './row';
import { ARM, row } from './row';

/** What is put on vaults and clusters: logs, locks, private endpoints. */
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
    'Nothing can be sent or asked; deleted for good at once',
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
    'Of vaults and clusters: categories and groups of the type, the workspace must exist, one setting a category and workspace',
    'No log is sent; workspaces only; gone with the resource',
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
    'At subscription, group or resource; for roles that may',
    '',
    'locks',
    'creates, reads, lists, changes and deletes a lock',
  ),
  row(
    ARM,
    ['ManagementLocks_CreateOrUpdateByScope'],
    'CanNotDelete keeps what is locked, what is in it and what it is in; ReadOnly also from writes',
    'The group of a cluster’s nodes goes with the cluster all the same',
    'locks',
    'keeps what is locked, what is in it and what it is in from being deleted',
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
    'Of vaults: approved for whoever may approve, pending if asked for by hand; seen in the vault',
    'No network: ids of subnets and zones are taken as given if well-formed, no address, no DNS record',
    'networks',
    'connects a private endpoint to a vault, which lets in whatever is closed to the public',
  ),
];
