import { randomUUID } from 'node:crypto';
import type { AuditLog, TokenIssuance } from './audit';
import type { ControllableClock } from './clock';
import { hashSecret } from './credentials';
import type { Faults } from './faults';
import type { PrincipalDocument } from './store/documents';
import type { Store } from './store/store';

const NEVER = 8.64e15;

/** Controls the local Azure from tests in the same process. */
export class Control {
  constructor(
    readonly clock: ControllableClock,
    readonly faults: Faults,
    private readonly store: Store,
    private readonly auditLog: AuditLog,
  ) {}

  /** The audit record of token requests, oldest first. */
  audit(): TokenIssuance[] {
    return this.auditLog.read();
  }

  /** Adds a service principal with a secret or with certificates (PEM). */
  addServicePrincipal(options: {
    displayName: string;
    secret?: string;
    /** Milliseconds since the epoch. @default never */
    secretExpiresAt?: number;
    certificates?: string[];
  }): { clientId: string; objectId: string } {
    const principal: PrincipalDocument = {
      objectId: randomUUID(),
      clientId: randomUUID(),
      displayName: options.displayName,
      kind: 'application',
      secrets:
        options.secret === undefined
          ? []
          : [{ ...hashSecret(options.secret), expiresAt: options.secretExpiresAt ?? NEVER }],
      certificates: options.certificates ?? [],
    };
    this.store.principals.set(principal.objectId, principal);
    return { clientId: principal.clientId, objectId: principal.objectId };
  }
}
