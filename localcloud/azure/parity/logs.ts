import type { ParityRow } from './row';
import { row } from './row';

/** The audit log of vaults, and the service that queries it. */
export const LOGS: readonly ParityRow[] = [
  row(
    'Log Analytics',
    ['AZKVAuditLogs'],
    'A row for each request to the data plane of a vault with a `Dedicated` diagnostic setting: operation, status, address with port, identity, role assignment that allowed it',
    'At once, not after minutes; without the columns of keys, certificates and networks. Assumed: ResultType is Success; the assignment is its name; no row for the secrets that the resource manager writes, nor for an accepted token',
    'logQueries',
    'has each request with the columns of its table, and the assignment that allowed it',
  ),
  row(
    'Log Analytics',
    ['AzureDiagnostics'],
    'The same under the names of the shared table, without `Dedicated`',
    'Only the columns that vaults fill',
    'logQueries',
    'goes to AzureDiagnostics, with its own names, where the setting is not Dedicated',
  ),
  row(
    'Log Analytics',
    ['AADManagedIdentitySignInLogs', 'AADServicePrincipalSignInLogs', 'DiagnosticSettings_CreateOrUpdate'],
    'A row for each sign-in of a managed identity or an application, where a diagnostic setting of the directory sends its category to a workspace',
    'Only these two categories; no row for an unknown client. Assumed, as no source tells: FederatedCredentialId is the name of the credential',
    'logQueries',
    'has sign-ins only where the directory sends them, each in the table of its kind',
  ),
  row(
    'Log Analytics',
    ['Query_Execute'],
    'Access by role on the workspace and the table, timespans, retention; a table that nothing was sent to is an error',
    'No batches, no queries of resources or of several workspaces, no statistics. Azure may answer no row for some empty tables',
    'logQueries',
    'is queried by who has the role on the workspace, and nobody else',
  ),
  row(
    'Log Analytics',
    ['Query_Execute'],
    'KQL: where, summarize (count, min, max, arg_max), project, order by, take',
    'Everything else of KQL is refused by name (501)',
    'logQueries',
    'counts requests that are alike',
  ),
];
