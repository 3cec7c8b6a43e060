import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** Names of the services whose requests are recorded. Other names are passed on unread. */
const recordedNames = [
  'management.azure.com',
  'login.microsoftonline.com',
  'graph.microsoft.com',
  '*.vault.azure.net',
];

/** Tells whether the requests to a host are recorded. */
export function isRecorded(host: string): boolean {
  return recordedNames.includes(host) || recordedNames.includes(host.replace(/^[^.]+/, '*'));
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Creates the recorder's certificate, which clients trust by itself: there is no authority whose key could sign other names. The
 * key is only in memory.
 */
export async function createCertificate(): Promise<{ certificate: string; key: string }> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: `00${randomBytes(12).toString('hex')}`,
    name: 'CN=aks-wi recorder',
    notBefore: new Date(Date.now() - DAY),
    notAfter: new Date(Date.now() + DAY),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        recordedNames.map((value) => ({ type: 'dns' as const, value })),
      ),
    ],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  };
}
