import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { JsonLines } from '../jsonLines';

/** Types of columns, as the query service names them. */
export type ColumnType = 'string' | 'int' | 'real' | 'bool' | 'datetime' | 'dynamic';

/** A row; a column that it lacks is empty. */
export type Row = Readonly<Record<string, unknown>>;

/** Columns that every table has. Source: MicrosoftDocs/azure-monitor-docs `logs/log-standard-columns.md`. */
const standard = {
  TenantId: 'string',
  TimeGenerated: 'datetime',
  SourceSystem: 'string',
  Type: 'string',
  _ResourceId: 'string',
  _SubscriptionId: 'string',
} as const satisfies Record<string, ColumnType>;

/** Columns of AADManagedIdentitySignInLogs and AADServicePrincipalSignInLogs. */
const signIns = {
  ...standard,
  Category: 'string',
  OperationName: 'string',
  AppId: 'string',
  ServicePrincipalId: 'string',
  ServicePrincipalName: 'string',
  ServicePrincipalCredentialKeyId: 'string',
  ResourceIdentity: 'string',
  ResourceDisplayName: 'string',
  IPAddress: 'string',
  ResultType: 'string',
  CorrelationId: 'string',
  FederatedCredentialId: 'string',
  UniqueTokenIdentifier: 'string',
} as const satisfies Record<string, ColumnType>;

/**
 * The tables and their columns:
 * - AZKVAuditLogs, without the columns of certificates, keys and networks (MicrosoftDocs/azure-monitor-docs
 *   `reference/tables/azkvauditlogs.md`).
 * - AzureDiagnostics, with the columns that key vaults fill.
 * - The sign-in tables, with the columns that the local cloud can fill.
 */
export const TABLES: Readonly<Record<string, Readonly<Record<string, ColumnType>>>> = {
  AZKVAuditLogs: {
    ...standard,
    OperationName: 'string',
    ResultType: 'string',
    ResultSignature: 'string',
    ResultDescription: 'string',
    HttpStatusCode: 'int',
    DurationMs: 'int',
    CallerIpAddress: 'string',
    CorrelationId: 'string',
    Identity: 'dynamic',
    Id: 'string',
    RequestUri: 'string',
    ClientInfo: 'string',
    IsAddressAuthorized: 'bool',
    IsRbacAuthorized: 'bool',
    IsAccessPolicyMatch: 'bool',
    AppliedAssignmentId: 'string',
    Tlsversion: 'string',
    Properties: 'dynamic',
  },
  AzureDiagnostics: {
    ...standard,
    Category: 'string',
    OperationName: 'string',
    OperationVersion: 'string',
    ResultType: 'string',
    ResultSignature: 'string',
    ResultDescription: 'string',
    DurationMs: 'real',
    CallerIPAddress: 'string',
    CorrelationId: 'string',
    Resource: 'string',
    ResourceGroup: 'string',
    ResourceId: 'string',
    ResourceProvider: 'string',
    ResourceType: 'string',
    SubscriptionId: 'string',
    identity_claim_oid_g: 'string',
    identity_claim_appid_g: 'string',
    id_s: 'string',
    requestUri_s: 'string',
    clientInfo_s: 'string',
    httpStatusCode_d: 'real',
    isAddressAuthorized_b: 'bool',
    isRbacAuthorized_b: 'bool',
    isAccessPolicyMatch_b: 'bool',
    appliedAssignmentId_g: 'string',
    tlsVersion_s: 'string',
  },
  AADManagedIdentitySignInLogs: signIns,
  AADServicePrincipalSignInLogs: signIns,
};

/** The rows of all workspaces, in one file for each workspace and table. */
export class LogTables {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** @param workspace its customer id */
  append(workspace: string, table: string, row: Row): void {
    this.lines(workspace, table).append({ ...row, TenantId: workspace, Type: table, SourceSystem: 'Azure' });
  }

  /** All rows, oldest first; undefined if the workspace has no such table, because nothing was ever sent to it. */
  read(workspace: string, table: string): Row[] | undefined {
    const lines = this.lines(workspace, table);
    return existsSync(lines.file) ? lines.read() : undefined;
  }

  private lines(workspace: string, table: string): JsonLines<Row> {
    return new JsonLines(path.join(this.folder, `${workspace}.${table}.jsonl`));
  }
}
