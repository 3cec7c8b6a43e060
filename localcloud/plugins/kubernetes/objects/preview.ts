import type { Properties } from '../../protocol';
import { isObject, unknown } from '../../protocol';
import { ApiError, Unreachable, isNamespaceMissing } from '../client/errors';
import type { JsonObject } from '../json';
import { fromJsonObject } from '../json';
import { marked } from './state';

/** Metadata that the server assigns once. */
const identity = ['creationTimestamp', 'uid'];
/** Metadata that the server changes with every write. */
const versions = ['generation', 'managedFields', 'resourceVersion'];
/** Addresses of a service, assigned once unless the program sets them. */
const addresses = ['clusterIP', 'clusterIPs', 'healthCheckNodePort'];

/**
 * Returns the previewed object, from a dry run of a creation or an update.
 *
 * @param oldState empty for a creation
 */
export function previewed(dryRun: JsonObject, inputs: Properties, oldState: Properties): Properties {
  const { status: _status, ...object } = marked(fromJsonObject(dryRun), inputs);
  return withAssigned(object, inputs, oldState);
}

/** Returns the previewed object from the inputs alone, if no server is available. */
export function blindPreview(inputs: Properties, oldState: Properties): Properties {
  return withAssigned(inputs, inputs, oldState);
}

function withAssigned(object: Properties, inputs: Properties, oldState: Properties): Properties {
  const result = { ...object };
  const { metadata, spec } = object;
  if (isObject(metadata)) {
    const known = pick(oldState['metadata'], identity);
    result['metadata'] = { ...metadata, ...unknowns([...identity, ...versions]), ...known };
  }
  if (object['kind'] === 'Service' && isObject(spec)) {
    const chosen = pick(inputs['spec'], addresses);
    result['spec'] = { ...spec, ...unknowns(addresses), ...pick(oldState['spec'], addresses), ...chosen };
  }
  return result;
}

function pick(value: Properties[string] | undefined, keys: string[]): Properties {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
}

function unknowns(keys: string[]): Properties {
  return Object.fromEntries(keys.map((key) => [key, unknown]));
}

/**
 * Tells whether a failed dry run proves nothing about the update, because a dependency may not exist yet, or the server does
 * not support dry runs.
 */
export function isInconclusive(error: unknown): boolean {
  if (error instanceof Unreachable || isNamespaceMissing(error)) return true;
  if (!(error instanceof ApiError)) return false;
  // The server reports an unknown field as an internal error (500), but the error is final.
  if (error.message.includes('failed to create typed patch object')) return false;
  return (
    error.status === 403 || error.status >= 500 || /does not support dry run|dryRun/i.test(error.message)
  );
}
