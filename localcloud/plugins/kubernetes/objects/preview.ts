import type { Properties } from '../../protocol';
import { isObject, unknown } from '../../protocol';
import { ApiError, Unreachable, isNamespaceMissing } from '../client/errors';
import type { JsonObject } from '../json';
import { fromJsonObject } from '../json';
import { marked } from './state';

/** Metadata that the server assigns once, */
const identity = ['creationTimestamp', 'uid'];
/** and with every write. */
const versions = ['generation', 'managedFields', 'resourceVersion'];
/** A service's addresses, assigned once unless the program chooses them. */
const addresses = ['clusterIP', 'clusterIPs', 'healthCheckNodePort'];

/**
 * What a dry run tells about the object that a create or an update will make.
 * @param oldState empty for a create
 */
export function previewed(dryRun: JsonObject, inputs: Properties, oldState: Properties): Properties {
  const { status: _status, ...object } = marked(fromJsonObject(dryRun), inputs);
  return withAssigned(object, inputs, oldState);
}

/** What the inputs alone tell about the object, where no server can be asked. */
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
 * Whether a failed dry run says nothing about the update: what it needs may come into being before it, or the server
 * cannot do dry runs here.
 */
export function isInconclusive(error: unknown): boolean {
  if (error instanceof Unreachable || isNamespaceMissing(error)) return true;
  if (!(error instanceof ApiError)) return false;
  // A field outside the schema is an internal error (500) to the server; it is final all the same.
  if (error.message.includes('failed to create typed patch object')) return false;
  return (
    error.status === 403 || error.status >= 500 || /does not support dry run|dryRun/i.test(error.message)
  );
}
