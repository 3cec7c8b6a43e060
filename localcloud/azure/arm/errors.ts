import type { CloudReply } from '../server/exchange';

export interface ErrorDetail {
  code: string;
  message: string;
  target?: string;
}

/** An error answer of the resource manager. */
export class ArmError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly options: { target?: string; details?: ErrorDetail[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
  }
}

/** The answer for an error, in the resource manager's error envelope. */
export function errorReply(error: ArmError): CloudReply {
  const { target, details, headers } = error.options;
  return {
    status: error.status,
    headers,
    body: {
      error: {
        code: error.code,
        message: error.message,
        ...(target === undefined ? {} : { target }),
        ...(details === undefined ? {} : { details }),
      },
    },
  };
}

export const notFound = (type: string, name: string, resourceGroup: string): ArmError =>
  new ArmError(
    404,
    'ResourceNotFound',
    `The Resource '${type}/${name}' under resource group '${resourceGroup}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  );

export const groupNotFound = (name: string): ArmError =>
  new ArmError(404, 'ResourceGroupNotFound', `Resource group '${name}' could not be found.`);

export const badRequest = (message: string, target?: string): ArmError =>
  new ArmError(400, 'BadRequest', message, target === undefined ? {} : { target });
