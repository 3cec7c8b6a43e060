import { STATUS_CODES } from 'node:http';
import type { ResourceDocument } from '../store/documents';
import type { Store } from '../store/store';
import { WORKSPACE_TYPE } from '../arm/resources/workspaces';
import type { LogTables, Row } from './tables';

/** A request to a vault's data plane, without secret values. */
export interface VaultRequest {
  /** Time in RFC 3339 format. */
  time: string;
  vault: ResourceDocument;
  /** Such as `SecretGet`. */
  operation: string;
  apiVersion: string;
  status: number;
  /** Error code of a refusal. */
  error?: string | undefined;
  /** Path segments and query. */
  segments: readonly string[];
  query: URLSearchParams;
  /** Claims of the caller's token; undefined without a valid token. */
  claims?: Readonly<Record<string, string>> | undefined;
  /** Id of the secret version in the answer. */
  id?: string | undefined;
  clientInfo: string;
  clientAddress: string;
  correlationId: string;
  /** Results of the access check; empty for a request that ended before it. */
  access: AccessCheck;
}

/** Results of the checks of a request; undefined if a check was not made. */
export interface AccessCheck {
  isAddressAuthorized?: boolean;
  isRbacAuthorized?: boolean;
  isAccessPolicyMatch?: boolean;
  /** Name of the role assignment that allowed it. */
  appliedAssignmentId?: string;
}

interface Log {
  category?: string | null;
  categoryGroup?: string | null;
  enabled: boolean;
}

/** The port of the data plane in Azure's RequestUri. The client's own URL does not have it. */
const PORT = 8443;

/** Writes the row of a request into the table of each workspace that a diagnostic setting of the vault names. */
export function logVaultRequest(store: Store, tables: LogTables, request: VaultRequest): void {
  const settings = store
    .below(request.vault.id)
    .filter(({ type }) => type === 'Microsoft.Insights/diagnosticSettings');
  for (const { properties } of settings) {
    const logs = properties['logs'] as Log[];
    const sendsAudit = logs.some(
      ({ category, categoryGroup, enabled }) =>
        enabled && (category === 'AuditEvent' || ['audit', 'allLogs'].includes(categoryGroup ?? '')),
    );
    const workspace = store.resources.get(String(properties['workspaceId']));
    if (!sendsAudit || workspace?.type !== WORKSPACE_TYPE) continue;
    const customerId = String(workspace.properties['customerId']);
    if (properties['logAnalyticsDestinationType'] === 'Dedicated') {
      tables.append(customerId, 'AZKVAuditLogs', dedicatedRow(request));
    } else {
      tables.append(customerId, 'AzureDiagnostics', sharedRow(request));
    }
  }
}

const uriOf = ({ vault, segments, query }: VaultRequest): string =>
  `https://${vault.name}.vault.azure.net:${PORT}/${segments.join('/')}${query.size === 0 ? '' : `?${query.toString()}`}`;

/** Columns that both tables have. ResultType is assumed: no source gives that of a refusal. */
const commonRow = (request: VaultRequest): Row => ({
  TimeGenerated: request.time,
  _ResourceId: request.vault.id.toLowerCase(),
  _SubscriptionId: request.vault.id.split('/')[2] ?? '',
  OperationName: request.operation,
  ResultType: 'Success',
  ResultSignature: request.status === 200 ? 'OK' : (STATUS_CODES[request.status] ?? ''),
  ResultDescription: request.error ?? '',
  DurationMs: 0,
  CorrelationId: request.correlationId,
});

function dedicatedRow(request: VaultRequest): Row {
  const { access } = request;
  return {
    ...commonRow(request),
    HttpStatusCode: request.status,
    CallerIpAddress: request.clientAddress,
    Identity: { claim: request.claims ?? {} },
    Id: request.id ?? '',
    RequestUri: uriOf(request),
    ClientInfo: request.clientInfo,
    IsAddressAuthorized: access.isAddressAuthorized,
    IsRbacAuthorized: access.isRbacAuthorized,
    IsAccessPolicyMatch: access.isAccessPolicyMatch,
    AppliedAssignmentId: access.appliedAssignmentId ?? '',
    Tlsversion: 'TLS1_3',
    Properties: {},
  };
}

function sharedRow(request: VaultRequest): Row {
  const { access, vault } = request;
  const [, , subscription = '', , group = ''] = vault.id.split('/');
  return {
    ...commonRow(request),
    Category: 'AuditEvent',
    OperationVersion: request.apiVersion,
    CallerIPAddress: request.clientAddress,
    Resource: vault.name.toUpperCase(),
    ResourceGroup: group.toUpperCase(),
    ResourceId: vault.id.toUpperCase(),
    ResourceProvider: 'MICROSOFT.KEYVAULT',
    ResourceType: 'VAULTS',
    SubscriptionId: subscription,
    identity_claim_oid_g: request.claims?.['oid'] ?? '',
    identity_claim_appid_g: request.claims?.['appid'] ?? '',
    id_s: request.id ?? '',
    requestUri_s: uriOf(request),
    clientInfo_s: request.clientInfo,
    httpStatusCode_d: request.status,
    isAddressAuthorized_b: access.isAddressAuthorized,
    isRbacAuthorized_b: access.isRbacAuthorized,
    isAccessPolicyMatch_b: access.isAccessPolicyMatch,
    appliedAssignmentId_g: access.appliedAssignmentId ?? '',
    tlsVersion_s: 'TLS1_3',
  };
}
