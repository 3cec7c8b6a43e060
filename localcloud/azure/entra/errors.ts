import { randomUUID } from 'node:crypto';
import type { CloudReply } from '../server/exchange';

/** An error answer of Entra's token endpoint, with its AADSTS code. */
export class EntraError extends Error {
  constructor(
    readonly code: number,
    readonly error: string,
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The answer for an error, in Entra's error envelope. */
export function errorReply(error: EntraError, now: number, correlationId: string): CloudReply {
  const traceId = randomUUID();
  const timestamp = new Date(now).toISOString().replace('T', ' ').replace(/\.\d+/, '');
  return {
    status: error.status,
    headers: { 'x-ms-request-id': traceId },
    body: {
      error: error.error,
      error_description: `AADSTS${error.code}: ${error.message} Trace ID: ${traceId} Correlation ID: ${correlationId} Timestamp: ${timestamp}`,
      error_codes: [error.code],
      timestamp,
      trace_id: traceId,
      correlation_id: correlationId,
      error_uri: `https://login.microsoftonline.com/error?code=${error.code}`,
    },
  };
}

const FEDERATION_HELP =
  'Please check your federated identity credential Subject, Audience and Issuer against the presented assertion. https://docs.microsoft.com/en-us/azure/active-directory/develop/workload-identity-federation';

export interface Presented {
  issuer: string;
  subject: string;
  audience: string;
}

const unmatched = (code: number, details: string): EntraError =>
  new EntraError(
    code,
    'invalid_client',
    401,
    `No matching federated identity record found for presented assertion${details}`,
  );

/** The errors of an assertion that matches no federated credential. */
export const mismatch = {
  issuer: ({ issuer }: Presented) => unmatched(700211, ` issuer '${issuer}'. ${FEDERATION_HELP}`),
  audience: ({ audience }: Presented) => unmatched(700212, ` audience '${audience}'. ${FEDERATION_HELP}`),
  subject: ({ subject }: Presented) => unmatched(700213, ` subject '${subject}'. ${FEDERATION_HELP}`),
  caseOnly: (claim: string, value: string) =>
    unmatched(
      7002138,
      ` ${claim} '${value}'. The ${claim} matches with case-insensitive comparison, but not with case-sensitive comparison. ${FEDERATION_HELP}`,
    ),
  none: ({ issuer, subject, audience }: Presented) =>
    unmatched(
      70021,
      `. Assertion Issuer: '${issuer}'. Assertion Subject: '${subject}'. Assertion Audience: '${audience}'. https://docs.microsoft.com/en-us/azure/active-directory/develop/workload-identity-federation`,
    ),
};
