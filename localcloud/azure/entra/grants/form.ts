import { EntraError } from '../errors';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Reads the form in a body. A body of another content type has no parameters, even if it is a form: for JSON, Entra answers
 * that `grant_type` is missing (microsoftgraph/microsoft-graph-docs #20272). The same is assumed for every other type.
 */
export function readForm(body: string, contentType: string | undefined): URLSearchParams {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  return new URLSearchParams(type === FORM ? body : '');
}

/** Refuses a form that has a parameter twice, with the same value or another (Azure/azure-sdk-for-java #31733). */
export function checkOnce(form: URLSearchParams): void {
  const names = [...form.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  throw new EntraError(
    9000411,
    'invalid_request',
    400,
    `The request is not properly formatted. The parameter '${repeated}' is duplicated.`,
  );
}

/** Returns a required parameter of a request; throws if it is missing. */
export function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value !== null && value !== '') return value;
  throw new EntraError(
    900144,
    'invalid_request',
    400,
    `The request body must contain the following parameter: '${name}'.`,
  );
}
