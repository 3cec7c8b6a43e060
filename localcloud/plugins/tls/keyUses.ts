import { KeyUsageFlags } from './x509';

/** Bits of the key usage extension (RFC 5280, 4.2.1.3) by the provider's names. */
const keyUsages: Readonly<Record<string, KeyUsageFlags>> = {
  digital_signature: KeyUsageFlags.digitalSignature,
  content_commitment: KeyUsageFlags.nonRepudiation,
  key_encipherment: KeyUsageFlags.keyEncipherment,
  data_encipherment: KeyUsageFlags.dataEncipherment,
  key_agreement: KeyUsageFlags.keyAgreement,
  cert_signing: KeyUsageFlags.keyCertSign,
  crl_signing: KeyUsageFlags.cRLSign,
  encipher_only: KeyUsageFlags.encipherOnly,
  decipher_only: KeyUsageFlags.decipherOnly,
};

/** Object identifiers of the extended key usage extension (RFC 5280, 4.2.1.12) by the provider's names. */
const extendedKeyUsages: Readonly<Record<string, string>> = {
  any_extended: '2.5.29.37.0',
  server_auth: '1.3.6.1.5.5.7.3.1',
  client_auth: '1.3.6.1.5.5.7.3.2',
  code_signing: '1.3.6.1.5.5.7.3.3',
  email_protection: '1.3.6.1.5.5.7.3.4',
  ipsec_end_system: '1.3.6.1.5.5.7.3.5',
  ipsec_tunnel: '1.3.6.1.5.5.7.3.6',
  ipsec_user: '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  ocsp_signing: '1.3.6.1.5.5.7.3.9',
  microsoft_server_gated_crypto: '1.3.6.1.4.1.311.10.3.3',
  netscape_server_gated_crypto: '2.16.840.1.113730.4.1',
  microsoft_commercial_code_signing: '1.3.6.1.4.1.311.2.1.22',
  microsoft_kernel_code_signing: '1.3.6.1.4.1.311.61.1.1',
};

/** Allowed values of `allowedUses` (internal/provider/common_cert.go of hashicorp/terraform-provider-tls). */
export const keyUseNames: readonly string[] = [
  ...Object.keys(keyUsages),
  ...Object.keys(extendedKeyUsages),
].sort();

/** Returns the key usage bits for the uses; undefined if none of them is a key usage. */
export function keyUsageFlags(uses: readonly string[]): KeyUsageFlags | undefined {
  return uses.reduce<KeyUsageFlags | undefined>((flags, use) => {
    const flag = keyUsages[use];
    if (flag === undefined) return flags;
    return flags === undefined ? flag : flags | flag;
  }, undefined);
}

/** Returns the object identifiers of those uses that are extended key usages. */
export function extendedKeyUsageIds(uses: readonly string[]): string[] {
  return uses.flatMap((use) => extendedKeyUsages[use] ?? []);
}
