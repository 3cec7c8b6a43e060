import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeWhole } from '../../writeWhole';
import { commandLine } from '../../project';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts stored secret values with a key that only the owner of the state can read. */
export class SecretBox {
  private readonly key: Buffer;

  constructor(keyFile: string) {
    if (!existsSync(keyFile)) writeWhole(keyFile, randomBytes(KEY_BYTES));
    this.key = readFileSync(keyFile);
    if (this.key.length !== KEY_BYTES) {
      throw new Error(
        `${keyFile} is damaged: it has ${this.key.length} bytes, not ${KEY_BYTES}. Without it, the secrets of the local cloud cannot be decrypted: run ${commandLine('clean')}.`,
      );
    }
  }

  seal(plain: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce);
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
  }
}
