import type { Clock } from '../clock';
import type { Caller } from '../identity/tokens';
import type { LogTables } from '../logs/tables';
import type { AccessCheck } from '../logs/vaultAudit';
import type { ResourceDocument } from '../store/documents';
import type { Store } from '../store/store';
import type { KeyStore } from '../store/keyStore';
import type { SecretStore } from '../store/secretStore';

/** An authenticated data plane request. */
export interface VaultCall {
  vault: ResourceDocument;
  caller: Caller;
  segments: readonly string[];
  query: URLSearchParams;
  body: unknown;
  /** Filled in by the access check. */
  access: AccessCheck;
}

export interface VaultContext {
  store: Store;
  clock: Clock;
  secrets: SecretStore;
  keys: KeyStore;
  tables: LogTables;
}
