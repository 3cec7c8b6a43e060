import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A certificate and its private key, in PEM. */
export interface KeyPair {
  cert: string;
  key: string;
}

export interface LeafOptions {
  /** Kubernetes user name, for a client certificate. */
  commonName: string;
  /** Kubernetes group, for a client certificate. */
  organization?: string;
  /** Names and addresses, for a serving certificate. */
  dnsNames?: string[];
  ipAddresses?: string[];
  usage: 'client' | 'server' | 'both';
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const day = 24 * 3600 * 1000;
/** Lifetime of certificates, the same as that of kubeadm's authorities. It is long, because nothing renews them. */
const lifetimeMs = 3650 * day;

function validity() {
  // One hour in the past, because the clock of a resumed virtual machine may lag.
  return { notBefore: new Date(Date.now() - 3600 * 1000), notAfter: new Date(Date.now() + lifetimeMs) };
}

function keyPem(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();
}

function serialNumber(): string {
  // The first bit is 0, so that the number is positive.
  const bytes = webcrypto.getRandomValues(Buffer.alloc(16));
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes.toString('hex');
}

export async function createAuthority(commonName: string): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=${commonName}`,
    ...validity(),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: keyPem(keys.privateKey) };
}

export async function issueCertificate(authority: KeyPair, options: LeafOptions): Promise<KeyPair> {
  const issuer = new x509.X509Certificate(authority.cert);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(authority.key),
    algorithm,
    false,
    ['sign'],
  );
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names: x509.JsonGeneralNames = [
    ...(options.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(options.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  const usages = { client: ['1.3.6.1.5.5.7.3.2'], server: ['1.3.6.1.5.5.7.3.1'] };
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [...(options.organization ? [{ O: [options.organization] }] : []), { CN: [options.commonName] }],
    issuer: issuer.subject,
    ...validity(),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(
        options.usage === 'both' ? [...usages.client, ...usages.server] : usages[options.usage],
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { cert: certificate.toString('pem'), key: keyPem(keys.privateKey) };
}
