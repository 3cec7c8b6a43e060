import { textIn, timeIn, type LogRow } from './log';

/** Requests for a secret that are alike, as the vaults' audit log has them. */
export interface SecretRequests {
  /** Such as `SecretGet`. */
  readonly operation: string;
  /** Name of the vault in its address. */
  readonly vault: string;
  /** Undefined of a request for the list of them. */
  readonly secret: string | undefined;
  /** HTTP status. */
  readonly status: number;
  /** Object id of who asked. */
  readonly objectId: string;
  /** Client id of the application or identity that asked. */
  readonly clientId: string;
  /** Name of a user; empty of an application. */
  readonly user: string;
  /** Resource id of a managed identity; empty of anybody else. */
  readonly identity: string;
  /** Name (a GUID) of the role assignment that allowed or denied it; empty if none did. */
  readonly assignment: string;
  /** An access policy of the vault allowed it. */
  readonly byPolicy: boolean;
  /** The verification asked, as the application. */
  readonly byVerification: boolean;
  readonly times: number;
  readonly first: Date;
  readonly last: Date;
  /** Address that the last request came from. */
  readonly address: string;
}

/** What is asked of the log. */
export interface Wanted {
  /** Resource ids of vaults. */
  readonly vaults: readonly string[];
  readonly secret?: string | undefined;
  /** Object ids of who asked. */
  readonly readers?: readonly string[] | undefined;
}

/** A list of KQL's literals. */
const literals = (values: readonly string[]): string => values.map((one) => JSON.stringify(one)).join(', ');

/**
 * The query for requests of secrets. It counts those that are alike: pods that read again every few minutes would fill an
 * answer. Columns: azure-monitor-docs reference/tables/azkvauditlogs.md.
 */
export function requestsQuery({ vaults, secret, readers }: Wanted): string {
  return [
    'AZKVAuditLogs',
    `where _ResourceId in~ (${literals(vaults)})`,
    'where OperationName startswith "Secret"',
    // Narrowed down further when it is read: a name may begin with another.
    ...(secret === undefined ? [] : [`where RequestUri contains ${literals([`secrets/${secret}`])}`]),
    ...(readers === undefined ? [] : [`where tostring(Identity.claim.oid) in~ (${literals(readers)})`]),
    'summarize Times = count(), First = min(TimeGenerated), arg_max(TimeGenerated, CallerIpAddress) by OperationName, RequestUri, HttpStatusCode, AppliedAssignmentId, IsAccessPolicyMatch, ClientInfo, ObjectId = tostring(Identity.claim.oid), ClientId = tostring(Identity.claim.appid), User = tostring(Identity.claim.upn), IdentityId = tostring(Identity.claim.xms_mirid)',
  ].join(' | ');
}

/**
 * The requests in the rows of the query. Those that differ only in version, query or client are one.
 * @param verifier how the user agent of the verification begins
 */
export function requestsIn(rows: readonly LogRow[], verifier: string): SecretRequests[] {
  const found = new Map<string, SecretRequests>();
  for (const row of rows) {
    const one = requestOf(row, verifier);
    const key = JSON.stringify({ ...one, times: 0, first: 0, last: 0, address: '' });
    const other = found.get(key);
    found.set(key, other === undefined ? one : joined(one, other));
  }
  return [...found.values()];
}

function joined(one: SecretRequests, other: SecretRequests): SecretRequests {
  const [later, earlier] = one.last > other.last ? [one, other] : [other, one];
  return {
    ...later,
    times: one.times + other.times,
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
    // Only its name is compared: whether the whole id is logged is not documented.
    assignment: (text('AppliedAssignmentId').split('/').at(-1) ?? '').toLowerCase(),
    byPolicy: row.IsAccessPolicyMatch === true,
    byVerification: text('ClientInfo').startsWith(verifier),
    times: Number(row.Times),
    first: timeIn(row, 'First'),
    last: timeIn(row, 'TimeGenerated'),
    address: text('CallerIpAddress'),
  };
}
