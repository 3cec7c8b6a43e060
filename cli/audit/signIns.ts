import { textIn, timeIn, type LogRow, type QueryLog } from './log';
import type { SecretRequests } from './requests';

/** A sign-in that got a token for Key Vault. */
export interface SignIn {
  readonly time: Date;
  /** Object id of the caller. */
  readonly objectId: string;
  readonly address: string;
  /** The federated credential in Entra's log; empty if none was used. */
  readonly federatedCredential: string;
  readonly correlationId: string;
}

/** Tables of sign-ins, of managed identities and of applications. */
const tables = ['AADManagedIdentitySignInLogs', 'AADServicePrincipalSignInLogs'];
/** Client id of Azure Key Vault in every tenant. */
const keyVault = 'cfa8b339-82a2-471a-a3c9-0fc0be7a4093';
/** The longest lifetime of a token in milliseconds: a managed identity's. */
const tokenLife = 24 * 60 * 60 * 1000;
const most = 5000;

const signInQuery = (table: string, objectIds: readonly string[]): string =>
  [
    table,
    `where ResourceIdentity == "${keyVault}" and ResultType in~ ("0", "success")`,
    `where ServicePrincipalId in~ (${objectIds.map((id) => JSON.stringify(id)).join(', ')})`,
    'project TimeGenerated, ServicePrincipalId, IPAddress, FederatedCredentialId, CorrelationId',
    'order by TimeGenerated desc',
    `take ${most}`,
  ].join(' | ');

/**
 * Reads the sign-ins of the requests' callers, the latest first.
 * @param note receives messages about missing tables and omitted sign-ins
 */
export async function findSignIns(
  query: QueryLog,
  requests: readonly SecretRequests[],
  { since, now }: { since: Date; now: Date },
  note: (text: string) => void,
): Promise<SignIn[]> {
  const objectIds = [...new Set(requests.map(({ objectId }) => objectId))].filter(Boolean);
  if (objectIds.length === 0) return [];
  const from = new Date(since.getTime() - tokenLife);
  const results = await Promise.all(tables.map((table) => query(signInQuery(table, objectIds), from, now)));
  for (const [index, table] of tables.entries()) {
    const rows = results[index];
    if (rows === undefined) {
      note(
        `The workspace has no table ${table}: the diagnostic settings of the Entra tenant do not send these sign-ins to it.`,
      );
    } else if (rows.length === most) note(`Only the latest ${most} sign-ins in ${table} are considered.`);
  }
  return results
    .flatMap((rows) => rows ?? [])
    .map(signInOf)
    .sort((a, b) => b.time.getTime() - a.time.getTime());
}

function signInOf(row: LogRow): SignIn {
  const text = (column: string): string => textIn(row, column);
  return {
    time: timeIn(row, 'TimeGenerated'),
    objectId: text('ServicePrincipalId').toLowerCase(),
    address: text('IPAddress'),
    federatedCredential: text('FederatedCredentialId'),
    correlationId: text('CorrelationId'),
  };
}

/**
 * Returns the sign-ins that may have issued the token of the last request: those of the same identity within a token's lifetime.
 * Key Vault does not log the token's id, so there may be several.
 */
export function candidates({ objectId, last }: SecretRequests, signIns: readonly SignIn[]): SignIn[] {
  const end = last.getTime();
  return signIns.filter(
    (signIn) =>
      signIn.objectId === objectId &&
      signIn.time.getTime() <= end &&
      end - signIn.time.getTime() <= tokenLife,
  );
}
