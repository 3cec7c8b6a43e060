import type { Properties, Value } from '../../protocol';
import { Secret, isObject, markLike, reveal } from '../../protocol';
import type { JsonObject } from '../json';
import { fromJsonObject, toJsonObject } from '../json';
import { metadataText } from './annotations';

// Additional members of a state, with the official plugin's names.
const inputsKey = '__inputs';
const apiVersionKey = '__initialApiVersion';
const fieldManagerKey = '__fieldManager';

/** Returns the recorded state of an object: the live object and its inputs. */
export function stateOf(live: JsonObject, inputs: Properties, fieldManager: string): Properties {
  return {
    ...marked(fromJsonObject(live), inputs),
    [inputsKey]: inputs,
    [apiVersionKey]: inputs['apiVersion'] ?? live['apiVersion'] ?? '',
    [fieldManagerKey]: fieldManager,
  };
}

/** Returns the inputs recorded in a state; undefined if it has none. */
export function inputsOf(state: Properties): Properties | undefined {
  const inputs = state[inputsKey];
  // An engine without support for nested secrets may have marked the whole value.
  const unwrapped = inputs instanceof Secret ? inputs.value : inputs;
  return isObject(unwrapped) ? unwrapped : undefined;
}

/** Returns the field manager recorded in a state; undefined if it has none. */
export function fieldManagerOf(state: Properties): string | undefined {
  const manager = reveal(state[fieldManagerKey] ?? null);
  return typeof manager === 'string' ? manager : undefined;
}

/** Returns the object in a state, without the plugin's members. */
export function liveOf(state: Properties): JsonObject {
  const { [inputsKey]: _inputs, [apiVersionKey]: _version, [fieldManagerKey]: _manager, ...live } = state;
  return toJsonObject(live);
}

/** Returns the object with secret inputs marked as secret. All content of a Secret is marked. */
export function marked(object: Properties, inputs: Properties): Properties {
  const isSecret = object['kind'] === 'Secret' && object['apiVersion'] === 'v1';
  return Object.fromEntries(
    Object.entries(object).map(([key, value]): [string, Value] => {
      if (isSecret && (key === 'data' || key === 'stringData')) return [key, new Secret(value)];
      return [key, markLike(value, inputs[key])];
    }),
  );
}

/** Returns an object's id: `namespace/name`, or the name alone. */
export function idOf(live: JsonObject): string {
  const properties = fromJsonObject(live);
  const namespace = metadataText(properties, 'namespace');
  const name = metadataText(properties, 'name') ?? '';
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function parseId(id: string): { namespace: string | undefined; name: string } {
  const slash = id.indexOf('/');
  return slash < 0
    ? { namespace: undefined, name: id }
    : { namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}
