import type { AccessWindow } from './windows';

/** A grant that is open only in access windows: one role assignment. */
export interface WindowedGrant {
  /** Resource id of the secret or other resource on which the role is assigned. */
  readonly scope: string;
  /** GUID of the role: Key Vault Secrets User on a secret. */
  readonly role: string;
  /** Object id of the identity that gets the role. */
  readonly principalId: string;
  /** Name of the reader, for messages: `<cluster>/<application>`. */
  readonly reader: string;
  /** Windows in which it is open. If empty, it must be closed, unless it is open on demand. */
  readonly windows: readonly AccessWindow[];
  /** Maximum time for which a person may open it, such as `4h`. Undefined if this is not allowed. */
  readonly onDemand?: string | undefined;
}

/** Input of the reconciler. */
export interface Schedule {
  /** Address of the resource manager. */
  readonly resourceManager: string;
  readonly grants: readonly WindowedGrant[];
}
