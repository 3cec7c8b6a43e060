import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../clock';
import type { ResourceDocument, SecretDocument, SecretVersionDocument } from './documents';
import type { Store } from './store';

/** Attributes of a secret version that callers can set. Times are in seconds since the epoch. */
interface SecretAttributes {
  enabled?: boolean;
  nbf?: number;
  exp?: number;
}

export interface NewVersion {
  value: string;
  contentType?: string;
  tags?: Record<string, string>;
  attributes?: SecretAttributes;
}

const LARGEST_VALUE = 25 * 1024;

/** Schema of the value of a secret, for both planes. */
export const secretValue = z
  .string()
  .refine((value) => Buffer.byteLength(value) <= LARGEST_VALUE, 'a secret has at most 25 KB');

/** The error if a soft-deleted secret has the name. */
export class DeletedSecretInTheWay extends Error {}

const DAY = 24 * 60 * 60;

export const retentionDays = (vault: ResourceDocument): number =>
  Number(vault.properties['softDeleteRetentionInDays'] ?? 90);

/** The secrets of all vaults, for both planes. */
export class SecretStore {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  private seconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  private key(vault: ResourceDocument, name: string): string {
    return `${vault.name}/${name}`;
  }

  /** The secret, deleted or not. One whose retention period has ended is purged first. */
  private find(vault: ResourceDocument, name: string): SecretDocument | undefined {
    const secret = this.store.secrets.get(this.key(vault, name));
    if (secret?.deleted !== undefined && secret.deleted.scheduledPurgeDate <= this.seconds()) {
      this.store.secrets.delete(this.key(vault, name));
      return undefined;
    }
    return secret;
  }

  get(vault: ResourceDocument, name: string): SecretDocument | undefined {
    const secret = this.find(vault, name);
    return secret?.deleted === undefined ? secret : undefined;
  }

  getDeleted(vault: ResourceDocument, name: string): SecretDocument | undefined {
    const secret = this.find(vault, name);
    return secret?.deleted === undefined ? undefined : secret;
  }

  /** Secrets of a vault, sorted by name. */
  list(vault: ResourceDocument, which: 'live' | 'deleted'): SecretDocument[] {
    const prefix = vault.name.toLowerCase();
    return this.store.secrets
      .values()
      .filter((secret) => secret.vault.toLowerCase() === prefix)
      .flatMap((secret) => this.find(vault, secret.name) ?? [])
      .filter((secret) => (secret.deleted === undefined) === (which === 'live'));
  }

  /** A version of the secret. @param version @default the latest */
  version(secret: SecretDocument, version?: string): SecretVersionDocument | undefined {
    if (version === undefined || version === '') return secret.versions.at(-1);
    return secret.versions.find((each) => each.version === version.toLowerCase());
  }

  value(version: SecretVersionDocument): string {
    return this.store.box.open(version.sealed);
  }

  /** Adds a version; throws if a soft-deleted secret has the name. */
  set(vault: ResourceDocument, name: string, requested: NewVersion): SecretVersionDocument {
    if (this.getDeleted(vault, name) !== undefined) throw new DeletedSecretInTheWay(name);
    const now = this.seconds();
    const version: SecretVersionDocument = {
      version: randomBytes(16).toString('hex'),
      sealed: this.store.box.seal(requested.value),
      contentType: requested.contentType,
      tags: requested.tags,
      enabled: requested.attributes?.enabled ?? true,
      nbf: requested.attributes?.nbf,
      exp: requested.attributes?.exp,
      created: now,
      updated: now,
    };
    const existing = this.get(vault, name);
    this.save({
      vault: vault.name,
      name: existing?.name ?? name,
      versions: [...(existing?.versions ?? []), version],
    });
    return version;
  }

  /** Changes the attributes of a version; its value never changes. */
  update(
    secret: SecretDocument,
    version: SecretVersionDocument,
    requested: Omit<NewVersion, 'value'>,
  ): SecretVersionDocument {
    const changed: SecretVersionDocument = {
      ...version,
      contentType: requested.contentType ?? version.contentType,
      tags: requested.tags ?? version.tags,
      enabled: requested.attributes?.enabled ?? version.enabled,
      nbf: requested.attributes?.nbf ?? version.nbf,
      exp: requested.attributes?.exp ?? version.exp,
      updated: this.seconds(),
    };
    const versions = secret.versions.map((each) => (each.version === version.version ? changed : each));
    this.save({ ...secret, versions });
    return changed;
  }

  delete(vault: ResourceDocument, secret: SecretDocument): SecretDocument {
    const now = this.seconds();
    const deleted = {
      ...secret,
      deleted: { deletedDate: now, scheduledPurgeDate: now + retentionDays(vault) * DAY },
    };
    this.save(deleted);
    return deleted;
  }

  recover(secret: SecretDocument): void {
    const { deleted: _deleted, ...live } = secret;
    this.save(live);
  }

  purge(vault: ResourceDocument, name: string): void {
    this.store.secrets.delete(this.key(vault, name));
  }

  /** Deletes all secrets of a purged vault. */
  purgeVault(vaultName: string): void {
    for (const secret of this.store.secrets.values()) {
      if (secret.vault.toLowerCase() === vaultName.toLowerCase()) {
        this.store.secrets.delete(`${secret.vault}/${secret.name}`);
      }
    }
  }

  private save(secret: SecretDocument): void {
    this.store.secrets.set(`${secret.vault}/${secret.name}`, secret);
  }
}
