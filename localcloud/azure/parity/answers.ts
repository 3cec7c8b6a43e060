import type { ParityRow } from './row';
import { ARM, row } from './row';

/** What is common to all answers and lists, and the refusals of the token endpoint. */
export const ANSWERS: readonly ParityRow[] = [
  row(
    ARM,
    ['Answers'],
    'Error envelope, x-ms-request-id, x-ms-correlation-request-id and Date on every answer; codes and texts of 405, 413, 415 and of unknown namespaces, types and api-versions',
    'No source tells Azure’s answer to a path without a namespace, a known type in another place, an encoded slash, an api-version that is no date, a group name that is too long or ends with a full stop, and to what is not HTTP',
    'answers',
    'of the resource manager has its headers and envelope: %s',
    true,
  ),
  row(
    ARM,
    [
      ...['Vaults_CreateOrUpdate', 'StorageAccounts_Create', 'Servers_CreateOrUpdate'],
      ...['ManagedClusters_CreateOrUpdate', 'RoleAssignments_Create', 'RoleDefinitions_Get'],
      'DiagnosticSettings_CreateOrUpdate',
    ],
    'Every published api-version, with its own names, values, defaults and rules of what is served (localcloud/azure/arm/versionChanges.ts); nothing changed for types without an entry',
    'Newer members show in older versions’ answers, and have effect in their requests: no source tells whether Azure ignores or refuses them. Sources disagree on public access and cross-tenant replication of storage before 2023-01-01; off here',
    'versions',
    'take and show a resource in their own form: %s %s',
    true,
  ),
  row(
    ARM,
    ['ResourceGroups_List', 'Vaults_ListByResourceGroup', 'FederatedIdentityCredentials_List'],
    'Pages of $top with a nextLink, for every list that has $top',
    'One page without $top; no source tells Azure’s answer to a wrong $top or $skiptoken',
    'lists',
    'are followed to the end by the vendor’s clients',
  ),
  row(
    ARM,
    ['Resources_List'],
    'Filters as the Azure CLI sends them: type, name, location and group, joined by ‘and’; or tags',
    'No ‘or’ and no brackets; that lists other than those of groups and resources refuse a filter with the same code is assumed',
    'lists',
    'of resources are filtered by %s',
  ),
  row(
    ARM,
    ['ActivityLogs_List'],
    'Filters with and without quotes; $select',
    'Only conditions joined by ‘and’',
    'lists',
    'of the activity log take the filter of the Azure CLI, whose time has no quotes',
    true,
  ),
  row(
    'Entra',
    ['Token_Refusals'],
    'Repeated parameters, other content types, unknown tenants and types of assertion, more than one audience, keys that the issuer does not publish; each with a line in the audit record',
    'Assumed, as no source tells: that a body of any other content type counts as empty, as JSON does; the answers to an assertion without a type or a key id; that the limit of one audience holds for federated assertions, as for those of certificates; code and status for a large body, a wrong method and an unknown path',
    'tokens',
    'refuses %s and records it',
    true,
  ),
];
