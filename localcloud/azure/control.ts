import { X509Certificate } from 'node:crypto';
import type { AuditLog, TokenIssuance } from './audit';
import type { ControllableClock } from './clock';
import type { Faults } from './faults';
import {
  certificateDocument,
  clientSecret,
  newApplication,
  newServicePrincipal,
} from './identity/application';
import type { Store } from './store/store';

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

  /** Adds an application with a secret or with certificates (PEM), and its service principal. */
  addServicePrincipal(options: {
    displayName: string;
    secret?: string;
    /** Milliseconds since the epoch. @default never */
    secretExpiresAt?: number;
    certificates?: string[];
  }): { clientId: string; objectId: string } {
    const { displayName, secret, secretExpiresAt: expiresAt, certificates = [] } = options;
    const now = this.clock.now();
    const application = newApplication(displayName, now);
    const principal = newServicePrincipal(application, now);
    this.store.applications.set(application.objectId, {
      ...application,
      secrets: secret === undefined ? [] : [clientSecret(secret, { startsAt: now, expiresAt })],
      certificates: certificates.map((pem) => certificateDocument(new X509Certificate(pem))),
    });
    this.store.principals.set(principal.objectId, principal);
    return { clientId: principal.clientId, objectId: principal.objectId };
  }
}
