import type { KeyedKind } from './keys';
import type { DependencyKey } from './service';

/** A connection string that the connection writer keeps current in a secret of a vault. */
export interface WrittenConnection {
  /** Name for messages: `<application>/<dependency>`. */
  readonly name: string;
  readonly kind: KeyedKind;
  /** Resource id of the holder of the keys. */
  readonly keyHolder: string;
  /** The key that the application uses. */
  readonly key: DependencyKey;
  /** The connection string, without its key. */
  readonly template: string;
  /** Resource id of the secret. */
  readonly secret: string;
  /** Tags of the secret, in addition to that with the digest of its value. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Input of the connection writer. */
export interface ConnectionDocument {
  /** Address of the resource manager. */
  readonly resourceManager: string;
  readonly connections: readonly WrittenConnection[];
}
