import * as z from 'zod';
import type { Clock } from '../clock';
import { isAllowed } from '../identity/access';
import type { Caller, Tokens } from '../identity/tokens';
import { TokenRefused } from '../identity/tokens';
import { matchPath } from '../arm/endpoint';
import { WORKSPACE_TYPE } from '../arm/resources/workspaces';
import type { CloudReply, CloudRequest, CloudService } from '../server/exchange';
import { commonHeaders } from '../server/exchange';
import type { ResourceDocument } from '../store/documents';
import type { Store } from '../store/store';
import { errorReply, QueryError, semanticError, syntaxError, notSupported } from './errors';
import type { Result } from './kql';
import { runQuery } from './kql';
import type { Query } from './kqlParser';
import { parseQuery } from './kqlParser';
import type { LogTables } from './tables';
import { TABLES } from './tables';
import { rangeOf } from './timespan';

/** Audiences of the service. Source: the vendor's client, and MicrosoftDocs/azure-monitor-docs `logs/api/access-api.md`. */
export const QUERY_RESOURCES = ['https://api.loganalytics.io', 'https://api.loganalytics.azure.com'];

const PATH = 'v1/workspaces/{workspaceId}/query';
const QUERY_ACTION = 'Microsoft.OperationalInsights/workspaces/query';
const DAY = 24 * 60 * 60 * 1000;

/** Body of a query. `workspaces` names further workspaces; only an empty list is accepted. */
const queryBody = z.strictObject({
  query: z.string(),
  timespan: z.string().optional(),
  workspaces: z.array(z.string()).max(0).optional(),
});

export interface QueryContext {
  store: Store;
  clock: Clock;
  tables: LogTables;
}

/** The query service of Log Analytics. */
export class LogQueryService implements CloudService {
  constructor(
    private readonly context: QueryContext,
    private readonly tokens: Tokens,
  ) {}

  fault(status: number, code: string, message: string): CloudReply {
    return errorReply(new QueryError(status, code, message));
  }

  headers(request: CloudRequest): Record<string, string> {
    return commonHeaders(request);
  }

  async handle(request: CloudRequest): Promise<CloudReply> {
    try {
      return await this.answer(request);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return errorReply(error);
    }
  }

  private async answer(request: CloudRequest): Promise<CloudReply> {
    const caller = await this.authenticate(request.headers['authorization']);
    const params = matchPath(PATH, request.segments)?.params;
    const workspace = this.workspaceOf(params?.['workspaceId'] ?? '');
    if (request.method !== 'POST' || workspace === undefined) {
      throw new QueryError(404, 'PathNotFoundError', 'The requested path does not exist');
    }
    this.authorise(caller, workspace, '/read');
    checkPreference(request.headers['prefer']);
    const { query: text, timespan } = readBody(request.body);
    const query = parseQuery(text);
    this.authorise(caller, workspace, `/${query.table}/read`);
    const { columns, rows } = runQuery(query, this.tableOf(workspace, query, timespan));
    const cell = (value: unknown): unknown =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
    const table = {
      name: 'PrimaryResult',
      columns,
      rows: rows.map((row) => columns.map(({ name }) => cell(row[name]))),
    };
    return { status: 200, body: { tables: [table] } };
  }

  private workspaceOf(customerId: string): ResourceDocument | undefined {
    return this.context.store
      .ofType(WORKSPACE_TYPE)
      .find(({ properties }) => properties['customerId'] === customerId.toLowerCase());
  }

  /** The rows in the time range, as far as the workspace still retains them. */
  private tableOf(
    { properties }: ResourceDocument,
    { table, steps }: Query,
    timespan: string | undefined,
  ): Result {
    const columns = TABLES[table];
    const rows = columns && this.context.tables.read(String(properties['customerId']), table);
    if (columns === undefined || rows === undefined) {
      const operator = steps[0]?.kind ?? 'search';
      throw semanticError(
        `'${operator}' operator: Failed to resolve table or column expression named '${table}'`,
      );
    }
    const now = this.context.clock.now();
    const kept = now - Number(properties['retentionInDays']) * DAY;
    const { from, to } = rangeOf(timespan, now);
    return {
      columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
      rows: rows.filter(({ TimeGenerated }) => {
        const time = Date.parse(String(TimeGenerated));
        return time >= Math.max(from, kept) && time <= to;
      }),
    };
  }

  private async authenticate(header: string | undefined): Promise<Caller> {
    if (header === undefined) {
      throw new QueryError(
        401,
        'AuthenticationFailed',
        "Authentication failed. The 'Authorization' header is missing.",
      );
    }
    const token = /^Bearer (.+)$/i.exec(header)?.[1] ?? '';
    try {
      return await this.tokens.verify(token, (audience) =>
        QUERY_RESOURCES.includes(audience.replace(/\/+$/, '')),
      );
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      if (error.reason === 'audience') {
        throw new QueryError(
          403,
          'InvalidAuthenticationTokenAudience',
          `The access token has been obtained from wrong audience or resource '${error.message}'. It should exactly match (including forward slash) with one of the allowed audiences '${QUERY_RESOURCES.join("','")}'.`,
        );
      }
      throw new QueryError(403, 'InvalidAuthenticationToken', 'The access token is invalid.');
    }
  }

  private authorise(caller: Caller, workspace: ResourceDocument, action: string): void {
    if (isAllowed(this.context.store, caller, `${QUERY_ACTION}${action}`, workspace.id)) return;
    throw new QueryError(
      403,
      'InsufficientAccessError',
      'The provided credentials have insufficient access to perform the requested operation',
    );
  }
}

/** Refuses preferences that would change the answer. A time limit (`wait`) has no effect here. */
function checkPreference(prefer: string | undefined): void {
  if (prefer === undefined || /^wait=\d+$/.test(prefer)) return;
  throw notSupported(`the preference '${prefer}'`, 'wait=<seconds>');
}

function readBody(text: string): z.infer<typeof queryBody> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw syntaxError('the body is not JSON.');
  }
  const parsed = queryBody.safeParse(json);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.'),
  );
  throw notSupported(`such a body: ${names.join(', ')}`, 'query and timespan');
}
