import type { AccessWindow } from './calendar';

/** A grant that is open at times: one role assignment. */
export interface WindowedGrant {
  /** Resource id of the secret, or of what else the role is on. */
  readonly scope: string;
  /** GUID of the role: Key Vault Secrets User on a secret. */
  readonly role: string;
  /** Object id of the identity that gets it. */
  readonly principalId: string;
  /** For people: `<cluster>/<application>`. */
  readonly reader: string;
  /** When it is open. None: it is to be closed, unless it is open on demand. */
  readonly windows: readonly AccessWindow[];
  /** The longest time for which a person may open it, such as `4h`. Undefined: nobody may. */
  readonly onDemand?: string | undefined;
}

/** What the reconciler reads. */
export interface Schedule {
  /** Address of the resource manager. */
  readonly resourceManager: string;
  readonly grants: readonly WindowedGrant[];
}
