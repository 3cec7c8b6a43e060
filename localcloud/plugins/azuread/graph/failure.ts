import { GraphError } from '@microsoft/microsoft-graph-client';

/** An error answer of Microsoft Graph. */
export class GraphFailure extends Error {
  override name = 'GraphFailure';

  constructor(
    readonly status: number,
    /** Graph's error code, for example `Request_ResourceNotFound`. */
    readonly code: string,
    message: string,
    request: string,
  ) {
    super(`${code}: ${message} (${request}: status ${status})`);
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof GraphFailure && error.status === 404;
}

/** Returns the client's error with its request. Errors without an answer stay unchanged. */
export function failureOf(error: unknown, request: string): unknown {
  if (!(error instanceof GraphError)) return error;
  const { cause, statusCode, code, message } = error;
  // The client wraps errors of the connection and of the credential.
  if (statusCode < 0) return cause instanceof Error ? cause : new Error(`${message} (${request})`);
  return new GraphFailure(statusCode, code ?? `HttpStatus${statusCode}`, message, request);
}
