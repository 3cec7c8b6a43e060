import { createHash, generateKeyPairSync, webcrypto } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

/** A certificate and its key, in the forms that vendors' clients take. */
export interface TestCertificate {
  /** PEM. */
  readonly certificate: string;
  /** Certificate and key, for `ClientCertificateCredential`. */
  readonly bundle: string;
  /** DER in base64, for Microsoft Graph. */
  readonly der: string;
}

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/** A self-signed certificate. @param validity @default from now, for a year */
export async function selfSigned(
  validity: { notBefore?: Date; notAfter?: Date } = {},
): Promise<TestCertificate> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const created = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=test',
    serialNumber: createHash('sha1').update(key).digest('hex').slice(0, 16),
    signingAlgorithm: ALGORITHM,
    ...validity,
    keys: {
      privateKey: await webcrypto.subtle.importKey(
        'pkcs8',
        privateKey.export({ type: 'pkcs8', format: 'der' }),
        ALGORITHM,
        true,
        ['sign'],
      ),
      publicKey: await webcrypto.subtle.importKey(
        'spki',
        publicKey.export({ type: 'spki', format: 'der' }),
        ALGORITHM,
        true,
        ['verify'],
      ),
    },
  });
  const certificate = created.toString('pem');
  return {
    certificate,
    bundle: `${certificate}\n${key}`,
    der: Buffer.from(created.rawData).toString('base64'),
  };
}
