import { createPrivateKey, createPublicKey, randomBytes, webcrypto, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import * as z from 'zod';
import { extendedKeyUsageIds, keyUsageFlags } from './keyUses';
import { subjectName, subjectSchema } from './subject';
import * as x509 from './x509';

const hour = 60 * 60 * 1000;

/** The inputs of a certificate, without secret marks. */
export const requestSchema = z.object({
  privateKeyPem: z.string(),
  validityPeriodHours: z.number(),
  allowedUses: z.array(z.string()),
  subject: subjectSchema.optional(),
  dnsNames: z.array(z.string()).default([]),
  ipAddresses: z.array(z.string()).default([]),
  uris: z.array(z.string()).default([]),
  isCaCertificate: z.boolean().default(false),
  maxPathLength: z.number().default(-1),
  setSubjectKeyId: z.boolean().default(false),
  setAuthorityKeyId: z.boolean().default(false),
});

type CertificateRequest = z.infer<typeof requestSchema>;

export interface IssuedCertificate {
  /** The serial number in decimal, which is also the official provider's id. */
  serialNumber: string;
  pem: string;
  validFrom: Date;
  validTo: Date;
}

/** Signature algorithms by curve, as Go's `x509.CreateCertificate` chooses them. */
const ecdsa = {
  prime256v1: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
} as const;
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

interface SigningKey {
  key: KeyObject;
  /** The provider's name of the algorithm. */
  algorithm: 'RSA' | 'ECDSA';
  signing: typeof rsa | (typeof ecdsa)[keyof typeof ecdsa];
}

/** Reads a private key in PEM form. @throws if the text is not one, or if the key cannot sign a certificate here */
export function readPrivateKey(pem: string): SigningKey {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType === 'rsa') return { key, algorithm: 'RSA', signing: rsa };
  const curve = key.asymmetricKeyDetails?.namedCurve;
  const [, signing] = Object.entries(ecdsa).find(([name]) => name === curve) ?? [];
  if (signing !== undefined) return { key, algorithm: 'ECDSA', signing };
  const kind = curve ?? key.asymmetricKeyType ?? 'unknown';
  throw new Error(`its kind is ${kind}: allowed are RSA, and ECDSA with P256, P384 or P521`);
}

/** Issues a self-signed certificate (internal/provider/common_cert.go of hashicorp/terraform-provider-tls). */
export async function issue(request: CertificateRequest, now: Date): Promise<IssuedCertificate> {
  const { key, signing } = readPrivateKey(request.privateKeyPem);
  const { subtle } = webcrypto;
  const spki = createPublicKey(request.privateKeyPem).export({ type: 'spki', format: 'der' });
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  const keys = {
    privateKey: await subtle.importKey('pkcs8', pkcs8, signing, false, ['sign']),
    publicKey: await subtle.importKey('spki', spki, signing, true, ['verify']),
  };
  const serialNumber = randomBytes(16);
  // The first bit is the sign of the DER integer.
  serialNumber.writeUInt8(serialNumber.readUInt8() & 0x7f);
  const validTo = new Date(now.getTime() + request.validityPeriodHours * hour);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber.toString('hex'),
    name: subjectName(request.subject),
    notBefore: now,
    notAfter: validTo,
    signingAlgorithm: signing,
    keys,
    extensions: await extensionsOf(request, keys.publicKey),
  });
  return {
    serialNumber: BigInt(`0x${serialNumber.toString('hex')}`).toString(),
    pem: `${certificate.toString('pem')}\n`,
    validFrom: now,
    validTo,
  };
}

async function extensionsOf(
  request: CertificateRequest,
  publicKey: webcrypto.CryptoKey,
): Promise<x509.Extension[]> {
  const { isCaCertificate: isCa, maxPathLength } = request;
  const extensions: x509.Extension[] = [];
  const flags = keyUsageFlags(request.allowedUses);
  if (flags !== undefined) extensions.push(new x509.KeyUsagesExtension(flags, true));
  const ids = extendedKeyUsageIds(request.allowedUses);
  if (ids.length > 0) extensions.push(new x509.ExtendedKeyUsageExtension(ids));
  // Go omits a path length of 0 unless another field requests it, which the provider does not set.
  const pathLength = isCa && maxPathLength > 0 ? maxPathLength : undefined;
  extensions.push(new x509.BasicConstraintsExtension(isCa, pathLength, true));
  if (isCa || request.setSubjectKeyId) {
    extensions.push(await x509.SubjectKeyIdentifierExtension.create(publicKey));
  }
  if (request.setAuthorityKeyId) {
    extensions.push(await x509.AuthorityKeyIdentifierExtension.create(publicKey));
  }
  const names: x509.JsonGeneralNames = [
    ...request.dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...request.ipAddresses.map((value) => ({ type: 'ip' as const, value })),
    ...request.uris.map((value) => ({ type: 'url' as const, value })),
  ];
  if (names.length > 0) extensions.push(new x509.SubjectAlternativeNameExtension(names));
  return extensions;
}

/** Tells whether the text is an IP address of version 4 or 6. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}
