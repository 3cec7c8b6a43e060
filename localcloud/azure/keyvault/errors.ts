import type { CloudReply } from '../server/exchange';

/** An error answer of the data plane. */
export class VaultError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly inner?: string,
    readonly headers?: Record<string, string>,
  ) {
    super(message);
  }
}

/** The answer for an error, in the data plane's error envelope. */
export function errorReply(error: VaultError): CloudReply {
  return {
    status: error.status,
    headers: error.headers,
    body: {
      error: {
        code: error.code,
        message: error.message,
        ...(error.inner === undefined ? {} : { innererror: { code: error.inner } }),
      },
    },
  };
}

export const secretNotFound = (name: string): VaultError =>
  new VaultError(
    404,
    'SecretNotFound',
    `A secret with (name/id) ${name} was not found in this key vault. If you recently deleted this secret you may be able to recover it using the correct recovery command. For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125182`,
  );

export const keyNotFound = (name: string): VaultError =>
  new VaultError(
    404,
    'KeyNotFound',
    `A key with (name/id) ${name} was not found in this key vault. If you recently deleted this key you may be able to recover it using the correct recovery command. For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125182`,
  );

/** Checks the name of a secret or a key that is to be created. */
export function checkName(name: string): void {
  if (/^[0-9a-zA-Z-]{1,127}$/.test(name)) return;
  throw badParameter(
    `The request URI contains an invalid name: ${name}. Names have 1 to 127 letters, digits and '-'.`,
  );
}

export const badParameter = (message: string): VaultError => new VaultError(400, 'BadParameter', message);
