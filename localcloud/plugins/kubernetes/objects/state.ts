import type { Properties, Value } from '../../protocol';
import { Secret, isObject, markLike, reveal } from '../../protocol';
import type { JsonObject } from '../json';
import { fromJsonObject, toJsonObject } from '../json';
import { metadataText } from './annotations';

// Besides the object itself a state holds what the plugin needs later; the names are the official plugin's.
const inputsKey = '__inputs';
const apiVersionKey = '__initialApiVersion';
const fieldManagerKey = '__fieldManager';

/** The recorded state of an object: as it is on the cluster, with the inputs that it came from. */
export function stateOf(live: JsonObject, inputs: Properties, fieldManager: string): Properties {
  return {
    ...marked(fromJsonObject(live), inputs),
    [inputsKey]: inputs,
    [apiVersionKey]: inputs['apiVersion'] ?? live['apiVersion'] ?? '',
    [fieldManagerKey]: fieldManager,
  };
}

/** The inputs recorded in a state; undefined if it has none. */
export function inputsOf(state: Properties): Properties | undefined {
  const inputs = state[inputsKey];
  // An engine without secrets support in between may have lifted a mark to the whole.
  const unwrapped = inputs instanceof Secret ? inputs.value : inputs;
  return isObject(unwrapped) ? unwrapped : undefined;
}

/** The field manager recorded in a state; undefined if it has none. */
export function fieldManagerOf(state: Properties): string | undefined {
  const manager = reveal(state[fieldManagerKey] ?? null);
  return typeof manager === 'string' ? manager : undefined;
}

/** The object recorded in a state, without what the plugin adds. */
export function liveOf(state: Properties): JsonObject {
  const { [inputsKey]: _inputs, [apiVersionKey]: _version, [fieldManagerKey]: _manager, ...live } = state;
  return toJsonObject(live);
}

/** What was secret in the inputs is secret in the object; so is the whole content of a Secret. */
export function marked(object: Properties, inputs: Properties): Properties {
  const isSecret = object['kind'] === 'Secret' && object['apiVersion'] === 'v1';
  return Object.fromEntries(
    Object.entries(object).map(([key, value]): [string, Value] => {
      if (isSecret && (key === 'data' || key === 'stringData')) return [key, new Secret(value)];
      return [key, markLike(value, inputs[key])];
    }),
  );
}

/** `namespace/name`, or the name alone. */
export function idOf(live: JsonObject): string {
  const properties = fromJsonObject(live);
  const namespace = metadataText(properties, 'namespace');
  const name = metadataText(properties, 'name') ?? '';
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The two parts of an id. */
export function parseId(id: string): { namespace: string | undefined; name: string } {
  const slash = id.indexOf('/');
  return slash < 0
    ? { namespace: undefined, name: id }
    : { namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}
