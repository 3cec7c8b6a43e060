import type { JsonWebKey, KeyObject } from 'node:crypto';
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Clock } from '../clock';
import type { KeyDocument, KeyVersionDocument, ResourceDocument } from './documents';
import type { Store } from './store';

/** Settings of a new version of a key. */
export interface NewKey {
  /** Bits of the RSA key. */
  size: number;
  operations: string[];
  tags?: Record<string, string> | undefined;
  enabled: boolean;
}

/** The keys of all vaults. */
export class KeyStore {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  get(vault: ResourceDocument, name: string): KeyDocument | undefined {
    return this.store.keys.get(`${vault.name}/${name}`);
  }

  /** A version of the key. @param version @default the latest */
  version(key: KeyDocument, version?: string): KeyVersionDocument | undefined {
    if (version === undefined) return key.versions.at(-1);
    return key.versions.find((each) => each.version === version.toLowerCase());
  }

  /** Returns the private key, which is never in an answer. */
  privateKey(version: KeyVersionDocument): KeyObject {
    const key = JSON.parse(this.store.box.open(version.sealed)) as JsonWebKey;
    return createPrivateKey({ key, format: 'jwk' });
  }

  /** Creates a key, or a new version of it. */
  create(
    vault: ResourceDocument,
    name: string,
    { size, operations, tags, enabled }: NewKey,
  ): { key: KeyDocument; version: KeyVersionDocument } {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: size });
    const jwk = privateKey.export({ format: 'jwk' });
    const now = Math.floor(this.clock.now() / 1000);
    const version: KeyVersionDocument = {
      version: randomBytes(16).toString('hex'),
      sealed: this.store.box.seal(JSON.stringify(jwk)),
      ...{ n: jwk.n ?? '', e: jwk.e ?? '', operations, enabled, created: now, updated: now },
      ...(tags && { tags }),
    };
    const existing = this.get(vault, name);
    const key: KeyDocument = {
      vault: vault.name,
      name: existing?.name ?? name,
      versions: [...(existing?.versions ?? []), version],
    };
    this.store.keys.set(`${key.vault}/${key.name}`, key);
    return { key, version };
  }

  /** Deletes all keys of a purged vault. */
  purgeVault(vaultName: string): void {
    for (const { vault, name } of this.store.keys.values()) {
      if (vault.toLowerCase() === vaultName.toLowerCase()) this.store.keys.delete(`${vault}/${name}`);
    }
  }
}
