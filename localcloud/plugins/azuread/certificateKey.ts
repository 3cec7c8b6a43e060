/** Encodings of a certificate in an input. */
export const encodings = ['base64', 'hex', 'pem'] as const;

export type Encoding = (typeof encodings)[number];

/**
 * Returns the `key` of a key credential: base64 of the certificate in PEM form, whatever its encoding in the input
 * (`KeyCredentialForResource` in internal/helpers/credentials/credentials.go of
 * hashicorp/terraform-provider-azuread).
 *
 * @throws if the text does not have the encoding
 */
export function certificateKey(text: string, encoding: Encoding): string {
  return Buffer.from(encoding === 'pem' ? text : pemOf(decode(text.trim(), encoding))).toString('base64');
}

function decode(text: string, encoding: Exclude<Encoding, 'pem'>): Buffer {
  const form = encoding === 'hex' ? /^(?:[0-9a-f]{2})+$/i : /^[A-Za-z0-9+/\s]+={0,2}\s*$/;
  // The error never contains the text, which may be a secret.
  if (!form.test(text))
    throw new Error(`the value is not ${encoding}: set encoding to ${encodings.join(', ')}`);
  return Buffer.from(text, encoding);
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
