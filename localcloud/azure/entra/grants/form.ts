import { EntraError } from '../errors';

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
