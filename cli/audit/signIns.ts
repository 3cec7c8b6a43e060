import { textIn, timeIn, type LogRow, type QueryLog } from './log';
import type { SecretRequests } from './requests';

/** A sign-in that got a token for Key Vault. */
export interface SignIn {
  readonly time: Date;
  /** Object id of who signed in. */
  readonly objectId: string;
  readonly address: string;
  /** The federated credential that was used, as Entra logs it; empty if none was. */
  readonly federatedCredential: string;
  readonly correlationId: string;
}

/** Tables of sign-ins: managed identities are in the first only, applications in the second only. */
const tables = ['AADManagedIdentitySignInLogs', 'AADServicePrincipalSignInLogs'];
/** Client id of Azure Key Vault in every tenant. */
const keyVault = 'cfa8b339-82a2-471a-a3c9-0fc0be7a4093';
/** The longest life of a token: that of a managed identity. */
const tokenLife = 24 * 60 * 60 * 1000;
const most = 5000;

const signInQuery = (table: string, objectIds: readonly string[]): string =>
  [
    table,
    `where ResourceIdentity == "${keyVault}" and ResultType in~ ("0", "success")`,
    `where ServicePrincipalId in~ (${objectIds.map((one) => JSON.stringify(one)).join(', ')})`,
    'project TimeGenerated, ServicePrincipalId, IPAddress, FederatedCredentialId, CorrelationId',
    'order by TimeGenerated desc',
    `take ${most}`,
  ].join(' | ');

/**
 * The sign-ins of who made these requests, the latest first.
 * @param note says what the workspace does not have
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
  const found = await Promise.all(tables.map((table) => query(signInQuery(table, objectIds), from, now)));
  for (const [index, table] of tables.entries()) {
    const rows = found[index];
    if (rows === undefined) {
      note(
        `The workspace has no table ${table}: the diagnostic settings of the Entra tenant do not send these sign-ins to it.`,
      );
    } else if (rows.length === most) note(`Only the latest ${most} sign-ins of ${table} are looked at.`);
  }
  return found
    .flatMap((rows) => rows ?? [])
    .map(signInOf)
    .sort((one, other) => other.time.getTime() - one.time.getTime());
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
 * The sign-ins whose token the last of these requests may have had: those of the same identity in the life of a token before
 * it. Key Vault does not log the id of the token, so that it cannot be told which of them it was.
 */
export function candidates({ objectId, last }: SecretRequests, signIns: readonly SignIn[]): SignIn[] {
  const end = last.getTime();
  return signIns.filter(
    (one) => one.objectId === objectId && one.time.getTime() <= end && end - one.time.getTime() <= tokenLife,
  );
}
