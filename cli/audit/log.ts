import {
  LogsQueryClient,
  LogsQueryResultStatus,
  type LogsQueryResult,
  type LogsTable,
} from '@azure/monitor-query-logs';
import { fieldsOf, isRecord } from '../../components/resource/fields';
import type { Cloud } from '../../components/azure/clouds';
import { addressOf, credential } from '../azureReader';
import { UserError } from '../userError';

/** The log workspace of an environment. */
export interface LogWorkspace {
  /** Resource id. */
  readonly id: string;
  /** GUID for queries. */
  readonly customerId: string;
  readonly retentionInDays: number;
}

/** A row by column name. */
export type LogRow = Readonly<Record<string, unknown>>;

/** Returns a string in a row; empty if the column has none. */
export function textIn(row: LogRow, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : '';
}

/** Returns a time in a row. */
export function timeIn(row: LogRow, column: string): Date {
  const value = row[column];
  return value instanceof Date ? value : new Date(String(value));
}

/** Runs a query over a time range; undefined if the workspace does not have the table. */
export type QueryLog = (query: string, from: Date, to: Date) => Promise<LogRow[] | undefined>;

/** Queries a workspace through the vendor's client as the signed-in account. */
export function openLog(workspace: LogWorkspace, cloud: Cloud, env: NodeJS.ProcessEnv): QueryLog {
  const address = addressOf(cloud, 'logs');
  const client = new LogsQueryClient(credential(env, cloud.operator?.authorityHost), {
    endpoint: `${address}/v1`,
    // The client's README documents `audience`, but the client ignores it.
    credentials: { scopes: [`${address}/.default`] },
  });
  return async (query, startTime, endTime) => {
    let result: LogsQueryResult;
    try {
      result = await client.queryWorkspace(workspace.customerId, query, { startTime, endTime });
    } catch (error) {
      if (lacksTable(error)) return undefined;
      throw visible(error, workspace);
    }
    if (result.status === LogsQueryResultStatus.Success) return result.tables.flatMap(rowsOf);
    throw new UserError(
      `The log workspace returned only part of the rows: ${result.partialError.message}`,
      'Narrow the query: use a shorter --since, --secret or --application.',
    );
  };
}

function rowsOf({ columnDescriptors, rows }: LogsTable): LogRow[] {
  return rows.map((row) =>
    Object.fromEntries(columnDescriptors.map(({ name }, index) => [name, row[index]])),
  );
}

/** Returns the messages of a service error, from the outermost to the innermost. */
function messagesOf(error: unknown): string[] {
  const messages: string[] = [];
  let inner: unknown = fieldsOf(fieldsOf(error).details).error;
  while (isRecord(inner)) {
    if (typeof inner.message === 'string') messages.push(inner.message);
    inner = inner.innererror;
  }
  return messages;
}

const lacksTable = (error: unknown): boolean =>
  messagesOf(error).some((message) => message.includes('Failed to resolve table or column expression'));

function visible(error: unknown, { id }: LogWorkspace): unknown {
  const { statusCode, code } = fieldsOf(error);
  if (typeof statusCode !== 'number') return error;
  const name = id.split('/').at(-1) ?? '';
  if (statusCode === 401 || statusCode === 403) {
    return new UserError(
      `Azure refused to query the log workspace ${name}: ${statusCode} ${String(code)}.`,
      `Sign in with an account that has the role Log Analytics Reader on ${id} (ARM_… or AZURE_… variables, or \`az login\`).`,
    );
  }
  return new UserError(
    `The query of the log workspace ${name} failed: ${statusCode} ${messagesOf(error).at(-1) ?? String(code)}`,
  );
}
