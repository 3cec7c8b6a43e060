import 'reflect-metadata';
import { createPublicKey, randomBytes, webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as x509 from '@peculiar/x509';
import { writeWhole } from '../../writeWhole';
import { SERVED_NAMES } from './hosts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY = 24 * 60 * 60 * 1000;
const CA_DAYS = 3650;
/** Vendors' clients refuse server certificates that are valid for more than 825 days. */
const SERVER_DAYS = 397;
const RENEW_BEFORE = 30 * DAY;

export interface TlsFiles {
  caFile: string;
  ca: string;
  certificate: string;
  key: string;
}

x509.cryptoProvider.set(webcrypto);

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

async function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = x509.PemConverter.decodeFirst(pem);
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, true, ['sign']);
}

const validity = (days: number): { notBefore: Date; notAfter: Date } => ({
  // One day in the past, because the clocks of containers and virtual machines may lag.
  notBefore: new Date(Date.now() - DAY),
  notAfter: new Date(Date.now() + days * DAY),
});

const serialNumber = (): string => `00${randomBytes(12).toString('hex')}`;

async function makeAuthority(certificateFile: string, keyFile: string): Promise<void> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=AKS workload identity local cloud',
    ...validity(CA_DAYS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  // The key is written first, so that a certificate on disk implies its key.
  writeWhole(keyFile, await exportKey(keys.privateKey));
  writeWhole(certificateFile, `${certificate.toString('pem')}\n`, 0o644);
}

async function makeServer(
  authority: x509.X509Certificate,
  authorityKey: string,
  files: string[],
): Promise<void> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: 'CN=local cloud',
    issuer: authority.subject,
    ...validity(SERVER_DAYS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: await importKey(authorityKey),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        ...SERVED_NAMES.map((value) => ({ type: 'dns' as const, value })),
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(authority),
    ],
  });
  const [certificateFile = '', keyFile = ''] = files;
  writeWhole(keyFile, await exportKey(keys.privateKey));
  writeWhole(certificateFile, `${certificate.toString('pem')}\n`, 0o644);
}

/**
 * Tells whether the server's certificate can be used: signed by this authority, right names, right key, not about to
 * expire.
 */
async function usable(pem: string, keyPem: string, authority: x509.X509Certificate): Promise<boolean> {
  try {
    const certificate = new x509.X509Certificate(pem);
    const names = certificate.getExtension(x509.SubjectAlternativeNameExtension)?.names.items ?? [];
    const ownKey = createPublicKey(keyPem).export({ type: 'spki', format: 'der' });
    return (
      certificate.notAfter.getTime() - Date.now() > RENEW_BEFORE &&
      SERVED_NAMES.every((name) => names.some((item) => item.value === name)) &&
      names.length === SERVED_NAMES.length + 1 &&
      ownKey.equals(Buffer.from(certificate.publicKey.rawData)) &&
      (await certificate.verify({ publicKey: authority.publicKey, signatureOnly: true }))
    );
  } catch {
    return false;
  }
}

/**
 * Opens the certificate authority of the local cloud, which is created once and kept, and the server's certificate, which is
 * renewed before it expires and when its names change.
 */
export async function openTls(folder: string): Promise<TlsFiles> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (name: string): string => path.join(folder, name);
  const [caFile, caKey, serverFile, serverKey] = [
    file('ca.crt'),
    file('ca.key'),
    file('server.crt'),
    file('server.key'),
  ];
  if (!existsSync(caFile) || !existsSync(caKey)) await makeAuthority(caFile, caKey);
  const read = (name: string): string => (existsSync(name) ? readFileSync(name, 'utf8') : '');
  const authority = new x509.X509Certificate(read(caFile));
  if (!(await usable(read(serverFile), read(serverKey), authority))) {
    await makeServer(authority, read(caKey), [serverFile, serverKey]);
  }
  return { caFile, ca: read(caFile), certificate: read(serverFile), key: read(serverKey) };
}
