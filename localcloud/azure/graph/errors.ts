import type { CloudReply, CloudRequest } from '../server/exchange';
import { requestIdIn } from '../server/exchange';

/** An error answer of Microsoft Graph. */
export class GraphError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The answer for an error, in Graph's envelope. Source: microsoftgraph/microsoft-graph-docs-contrib `concepts/errors.md`;
 * the members of `innerError` as in Azure/azure-dev #1482.
 */
export function errorReply(error: GraphError, now: number, request?: CloudRequest): CloudReply {
  return {
    status: error.status,
    body: {
      error: {
        code: error.code,
        message: error.message,
        innerError: {
          date: new Date(now).toISOString().replace(/\.\d+Z$/, ''),
          ...(request && { 'request-id': request.id, 'client-request-id': clientRequestId(request) }),
        },
      },
    },
  };
}

/** The request id that the client sent; otherwise the server's own. */
export const clientRequestId = (request: CloudRequest): string =>
  requestIdIn(request, 'client-request-id') ?? request.id;

export const badRequest = (message: string, code = 'Request_BadRequest'): GraphError =>
  new GraphError(400, code, message);

/** Source: microsoftgraph/microsoft-graph-docs-contrib #1107. */
export const notFound = (id: string): GraphError =>
  new GraphError(
    404,
    'Request_ResourceNotFound',
    `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
  );

/** Source: MicrosoftDocs/azure-docs #77020. */
export const denied = (): GraphError =>
  new GraphError(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.');

/** Source: Azure/azure-dev #1482, Azure/reliable-web-app-pattern-java #185. */
export const conflict = (message: string): GraphError =>
  new GraphError(409, 'Request_MultipleObjectsWithSameKeyValue', message);
