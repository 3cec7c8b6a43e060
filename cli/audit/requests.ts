import { textIn, timeIn, type LogRow } from './log';

/** Similar requests for a secret in the vaults' audit log. */
export interface SecretRequests {
  /** Such as `SecretGet`. */
  readonly operation: string;
  /** Name of the vault in its address. */
  readonly vault: string;
  /** Undefined for a list request. */
  readonly secret: string | undefined;
  /** HTTP status. */
  readonly status: number;
  /** Object id of the caller. */
  readonly objectId: string;
  /** Client id of the calling application or identity. */
  readonly clientId: string;
  /** Name of a user; empty for an application. */
  readonly user: string;
  /** Resource id of a managed identity; empty for other callers. */
  readonly identity: string;
  /** Name (a GUID) of the role assignment that allowed or denied it; empty if none did. */
  readonly assignment: string;
  /** An access policy of the vault allowed it. */
  readonly byPolicy: boolean;
  /** The request has the verification's user agent. */
  readonly byVerification: boolean;
  readonly times: number;
  readonly first: Date;
  readonly last: Date;
  /** Client address of the last request. */
  readonly address: string;
}

/** Filter of the log query. */
export interface RequestFilter {
  /** Resource ids of vaults. */
  readonly vaults: readonly string[];
  readonly secret?: string | undefined;
  /** Object ids of callers. */
  readonly readers?: readonly string[] | undefined;
}

/** Formats a list of KQL literals. */
const literals = (values: readonly string[]): string =>
  values.map((value) => JSON.stringify(value)).join(', ');

/**
 * Builds the query for requests of secrets. It counts similar requests, because pods that read every few minutes would
 * exceed the limit of an answer. Columns: azure-monitor-docs reference/tables/azkvauditlogs.md.
 */
export function requestsQuery({ vaults, secret, readers }: RequestFilter): string {
  return [
    'AZKVAuditLogs',
    `where _ResourceId in~ (${literals(vaults)})`,
    'where OperationName startswith "Secret"',
    // Filtered again when the rows are read: one name may be the prefix of another.
    ...(secret === undefined ? [] : [`where RequestUri contains ${literals([`secrets/${secret}`])}`]),
    ...(readers === undefined ? [] : [`where tostring(Identity.claim.oid) in~ (${literals(readers)})`]),
    'summarize Times = count(), First = min(TimeGenerated), arg_max(TimeGenerated, CallerIpAddress) by OperationName, RequestUri, HttpStatusCode, AppliedAssignmentId, IsAccessPolicyMatch, ClientInfo, ObjectId = tostring(Identity.claim.oid), ClientId = tostring(Identity.claim.appid), User = tostring(Identity.claim.upn), IdentityId = tostring(Identity.claim.xms_mirid)',
  ].join(' | ');
}

/**
 * Parses the rows of the query. Requests that differ only in version, query or client are merged.
 * @param verifier prefix of the verification's user agent
 */
export function requestsIn(rows: readonly LogRow[], verifier: string): SecretRequests[] {
  const byKey = new Map<string, SecretRequests>();
  for (const row of rows) {
    const requests = requestOf(row, verifier);
    const key = JSON.stringify({ ...requests, times: 0, first: 0, last: 0, address: '' });
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? requests : joined(requests, known));
  }
  return [...byKey.values()];
}

function joined(a: SecretRequests, b: SecretRequests): SecretRequests {
  const [later, earlier] = a.last > b.last ? [a, b] : [b, a];
  return {
    ...later,
    times: a.times + b.times,
    first: later.first < earlier.first ? later.first : earlier.first,
  };
}

function requestOf(row: LogRow, verifier: string): SecretRequests {
  const text = (column: string): string => textIn(row, column);
  // The address has the port of the service, `https://<vault>.vault.azure.net:8443/secrets/<name>/<version>`.
  const { hostname, pathname } = new URL(text('RequestUri'));
  const [, secret] = pathname.split('/').filter(Boolean);
  return {
    operation: text('OperationName'),
    vault: hostname.split('.')[0] ?? '',
    secret,
    status: Number(row.HttpStatusCode),
    objectId: text('ObjectId').toLowerCase(),
    clientId: text('ClientId').toLowerCase(),
    user: text('User'),
    identity: text('IdentityId'),
    // Compared by name: it is not documented whether the whole id is logged.
    assignment: (text('AppliedAssignmentId').split('/').at(-1) ?? '').toLowerCase(),
    byPolicy: row.IsAccessPolicyMatch === true,
    byVerification: text('ClientInfo').startsWith(verifier),
    times: Number(row.Times),
    first: timeIn(row, 'First'),
    last: timeIn(row, 'TimeGenerated'),
    address: text('CallerIpAddress'),
  };
}
