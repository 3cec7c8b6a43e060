import { fieldsOf, textOf } from '../../components/resource/fields';
import { parsedJson } from '../json';
import { shapeOf, type Shape } from './shape';
import { hostTemplate, pathTemplate } from './template';

/** A request and its answer, as the recorder sees them. */
export interface Exchange {
  readonly method: string;
  readonly host: string;
  /** Path and query. */
  readonly target: string;
  readonly request: { readonly headers: Headers; readonly body: string };
  readonly response: { readonly status: number; readonly headers: Headers; readonly body: string };
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The publishable part of an exchange. It contains no names, ids, tokens and values, except for values of few enums. */
export interface Recorded {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly apiVersion: string;
  readonly status: number;
  /** Code of the error; empty if there is none. */
  readonly errorCode: string;
  /** The headers of the answer that control a client and are present. */
  readonly headers: readonly string[];
  readonly request: Shape;
  readonly response: Shape;
}

const controlling = [
  'retry-after',
  'azure-asyncoperation',
  'location',
  'www-authenticate',
  'x-ms-error-code',
];

const enumLike = (text: string): string => (/^[A-Za-z][A-Za-z_]{0,60}$/.test(text) ? text : '');

/** Returns the code in the error of the resource manager, of Key Vault (`error.code`) or of Entra (`error`). */
function errorCode({ status, headers, body }: Exchange['response']): string {
  if (status < 400) return '';
  const { error, code } = fieldsOf(parsedJson(body));
  const found = textOf(fieldsOf(error)['code']) || textOf(error) || textOf(code);
  return enumLike(found) || enumLike(textOf(headers['x-ms-error-code']));
}

/** Reduces an exchange to what may be published. */
export function recorded({ method, host, target, request, response }: Exchange): Recorded {
  const version = new URLSearchParams(target.split('?')[1] ?? '').get('api-version') ?? '';
  const typeOf = (headers: Headers) => textOf(headers['content-type']);
  return {
    method,
    host: hostTemplate(host),
    path: pathTemplate(host, target),
    apiVersion: /^\d{4}-\d{2}-\d{2}(-preview)?$|^\d\.\d$/.test(version) ? version : '',
    status: response.status,
    errorCode: errorCode(response),
    headers: controlling.filter((name) => response.headers[name] !== undefined),
    request: shapeOf(request.body, typeOf(request.headers)),
    response: shapeOf(response.body, typeOf(response.headers)),
  };
}

/** Returns the records without repetitions, such as those of polling, in the order in which each occurred first. */
export function withoutRepetitions(records: readonly Recorded[]): Recorded[] {
  return [...new Map(records.map((record) => [JSON.stringify(record), record])).values()];
}
