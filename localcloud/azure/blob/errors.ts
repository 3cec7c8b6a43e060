import type { CloudReply } from '../server/exchange';

/**
 * An error answer of the blob service. Source of the codes: learn.microsoft.com,
 * rest/api/storageservices/common-rest-api-error-codes; of texts and form: Azure/AI-Landing-Zones #64, Azure/azure-sdk-for-net
 * #4078.
 */
export class BlobError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Further elements of the answer, by name. */
    readonly details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The answer for an error: XML, with the code in a header as well. */
export function errorReply({ status, code, message, details }: BlobError): CloudReply {
  const elements = Object.entries({ Code: code, Message: message, ...details })
    .map(([name, text]) => `<${name}>${escaped(text)}</${name}>`)
    .join('');
  const xml = `<?xml version="1.0" encoding="utf-8"?><Error>${elements}</Error>`;
  return {
    status,
    headers: { 'x-ms-error-code': code },
    content: { type: 'application/xml', bytes: Buffer.from(xml) },
  };
}

/** The error for a request that the local cloud does not support. It names the request. */
export const notSupported = (request: string, known: string): BlobError =>
  new BlobError(501, 'NotImplemented', `${request} is not known to the local cloud. It has ${known}.`);

/** @param reason an explanation for people, which never contains a key */
export const authenticationFailed = (reason: string): BlobError =>
  new BlobError(
    403,
    'AuthenticationFailed',
    'Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.',
    { AuthenticationErrorDetail: reason },
  );
