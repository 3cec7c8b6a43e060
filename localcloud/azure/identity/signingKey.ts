import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeWhole } from '../../writeWhole';

/** The key that signs Entra's tokens. It is stored, so that tokens stay valid after a restart. */
export class SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly keyId: string;

  constructor(file: string) {
    if (!existsSync(file)) {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      writeWhole(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    }
    this.privateKey = createPrivateKey(readFileSync(file, 'utf8'));
    this.publicKey = createPublicKey(this.privateKey);
    const der = this.publicKey.export({ type: 'spki', format: 'der' });
    this.keyId = createHash('sha256').update(der).digest('base64url').slice(0, 27);
  }

  /** The public key, as the directory's keys endpoint returns it. */
  jwk(): Record<string, unknown> {
    return { ...this.publicKey.export({ format: 'jwk' }), use: 'sig', kid: this.keyId, x5t: this.keyId };
  }
}
