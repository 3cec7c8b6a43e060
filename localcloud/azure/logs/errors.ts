import type { CloudReply } from '../server/exchange';

/** An error answer of the query service. Sources: MicrosoftDocs/azure-monitor-docs `logs/api/{errors,timeouts}.md`. */
export class QueryError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly inner?: object,
  ) {
    super(message);
  }
}

export const errorReply = ({ status, code, message, inner }: QueryError): CloudReply => ({
  status,
  body: { error: { message, code, ...(inner !== undefined && { innererror: inner }) } },
});

/** Source of codes and texts: MicrosoftDocs/feedback #1792, CDCgov/prime-reportstream #11773. */
export const semanticError = (message: string): QueryError =>
  new QueryError(400, 'BadArgumentError', 'The request had some invalid properties', {
    code: 'SemanticError',
    message: 'A semantic error occurred.',
    innererror: { code: 'SEM0100', message },
  });

export const syntaxError = (message: string): QueryError =>
  new QueryError(400, 'BadArgumentError', 'The request had some invalid properties', {
    code: 'SyntaxError',
    message: `A recognition error occurred in the query: ${message}`,
  });

/** The error for what Azure has and the local cloud lacks. */
export const notSupported = (element: string, known: string): QueryError =>
  new QueryError(501, 'NotImplemented', `The local cloud does not know ${element}. It knows ${known}.`);
