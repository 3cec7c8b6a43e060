import { ApiError } from '../client/errors';
import type { Kind } from '../client/kinds';
import { describeKind } from '../client/kinds';

/** Returns the API server's error with the object and, if there is one, a hint. */
export function refusal(action: string, kind: Kind, id: string, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const hint = hintFor(error);
  const text = `${describeKind(kind)} '${id}' could not be ${action}: ${error.message}`;
  return new Error(hint === undefined ? text : `${text}\n${hint}`, { cause: error });
}

function hintFor(error: ApiError): string | undefined {
  if (error.reason === 'Conflict') {
    return (
      'Another field manager owns these fields. Remove them from the object and update again, omit them from the ' +
      'program, or take them over with the annotation pulumi.com/patchForce: "true" on the object or enablePatchForce on ' +
      'the provider.'
    );
  }
  if (/field not declared in schema|unknown field/.test(error.message)) {
    return 'Remove or correct the named fields: the API server does not know them in this apiVersion.';
  }
  return undefined;
}

/** Returns the error for an existing object that this resource did not create. */
export function alreadyExists(kind: Kind, id: string): Error {
  return new Error(
    `${describeKind(kind)} '${id}' already exists and was not created by this resource. Import it ` +
      `(option import: '${id}'), name it differently, give an alias if the resource was renamed, or set ` +
      'upsertExistingObjects on the provider.',
  );
}
