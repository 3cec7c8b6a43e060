import { JsonLines } from '../jsonLines';

/** One request that changes something, or tries to: what Azure's activity log has of it. */
export interface Activity {
  /** RFC 3339. */
  time: string;
  /** What a role has to allow. */
  action: string;
  resourceId: string;
  /** HTTP status of the answer. */
  status: number;
  /** Code of the error that it was refused with. */
  error?: string;
  /** Object id of the caller. */
  caller: string;
  clientId: string;
  /** The `uti` claim of the caller's token, as the record of token issuance has it. */
  tokenId: string;
  correlationId: string;
}

/** The record of the resource manager's changes. */
export class ActivityLog extends JsonLines<Activity> {}
