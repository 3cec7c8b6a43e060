import { JsonLines } from '../jsonLines';

/** One entry of the activity log: a request that changed, or tried to change, something. */
export interface Activity {
  /** Time in RFC 3339 format. */
  time: string;
  /** Action that a role must allow for the request. */
  action: string;
  resourceId: string;
  /** HTTP status of the response. */
  status: number;
  /** Error code, if the request was refused. */
  error?: string;
  /** Object id of the caller. */
  caller: string;
  clientId: string;
  /** The `uti` claim of the caller's token. The audit record of the token has the same id. */
  tokenId: string;
  correlationId: string;
  /** Id of this request alone. */
  operationId: string;
  /** Request body, if the endpoint's bodies are logged. */
  requestBody?: string;
}

/** The resource manager's activity log. */
export class ActivityLog extends JsonLines<Activity> {}
