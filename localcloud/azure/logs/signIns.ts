import { DIRECTORY_SETTINGS_TYPE } from '../arm/resources/directorySettings';
import type { TokenIssuance } from '../audit';
import { CLIENT_ADDRESS } from '../network';
import type { Store } from '../store/store';
import type { LogTables } from './tables';

/** Client ids of the services whose tokens are issued, the same in every tenant. */
const SERVICES: Readonly<Record<string, { id: string; name: string }>> = {
  'vault.azure.net': { id: 'cfa8b339-82a2-471a-a3c9-0fc0be7a4093', name: 'Azure Key Vault' },
  'graph.microsoft.com': { id: '00000003-0000-0000-c000-000000000000', name: 'Microsoft Graph' },
  'api.loganalytics.io': { id: 'ca7f3f0b-7d91-482c-8e09-c5d840d0eac5', name: 'Log Analytics API' },
};
const MANAGEMENT = {
  id: '797f4846-ba00-4fd7-ba43-dac1f8f63013',
  name: 'Windows Azure Service Management API',
};

/** Category in the directory's diagnostic settings, and table, by kind of principal. */
const LOGS = {
  managedIdentity: { category: 'ManagedIdentitySignInLogs', table: 'AADManagedIdentitySignInLogs' },
  application: { category: 'ServicePrincipalSignInLogs', table: 'AADServicePrincipalSignInLogs' },
} as const;

/**
 * Writes a sign-in into the table of each workspace that the directory's diagnostic settings name. Sign-ins of unknown clients
 * are not logged. Source: MicrosoftDocs/azure-monitor-docs
 * `reference/tables/aad{managedidentity,serviceprincipal}signinlogs.md`.
 */
export function logSignIn(store: Store, tables: LogTables, entry: TokenIssuance): void {
  const principal = store.principals.get(entry.objectId ?? '');
  if (principal === undefined) return;
  const { category, table } = LOGS[principal.kind];
  const host = URL.canParse(entry.resource ?? '') ? new URL(entry.resource ?? '').hostname : '';
  const service = SERVICES[host] ?? MANAGEMENT;
  const federated = entry.grant === 'federated';
  const row = {
    TimeGenerated: entry.time,
    Category: category,
    OperationName: 'Sign-in activity',
    AppId: principal.clientId,
    ServicePrincipalId: principal.objectId,
    ServicePrincipalName: principal.displayName,
    ResourceIdentity: service.id,
    ResourceDisplayName: service.name,
    IPAddress: CLIENT_ADDRESS,
    ResultType: String(entry.outcome === 'issued' ? 0 : (entry.error ?? '')),
    CorrelationId: entry.correlationId,
    FederatedCredentialId: federated ? (entry.credential ?? '') : '',
    ServicePrincipalCredentialKeyId: federated ? '' : (entry.credential ?? ''),
    UniqueTokenIdentifier: entry.tokenId ?? '',
  };
  for (const { properties } of store.ofType(DIRECTORY_SETTINGS_TYPE)) {
    const logs = properties['logs'] as { category: string; enabled: boolean }[];
    const workspace = store.resources.get(String(properties['workspaceId']));
    if (workspace === undefined || !logs.some((log) => log.enabled && log.category === category)) continue;
    tables.append(String(workspace.properties['customerId']), table, row);
  }
}
