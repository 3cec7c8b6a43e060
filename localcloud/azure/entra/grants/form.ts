import { EntraError } from '../errors';

const FORM = 'application/x-www-form-urlencoded';

/**
 * The form in a body. A body of another content type, even if it is a form, has no parameters: for JSON, Entra
 * answers that `grant_type` is missing (microsoftgraph/microsoft-graph-docs #20272). That it does so for every
 * other type is assumed; no source tells.
 */
export function readForm(body: string, contentType: string | undefined): URLSearchParams {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  return new URLSearchParams(type === FORM ? body : '');
}

/** Refuses a form that has a parameter twice, with one value or two (Azure/azure-sdk-for-java #31733). */
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

/** A required parameter of a request; throws if it is missing. */
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
