import { isObject, markLike, Secret, type Properties, type Value } from '../protocol';
import { same } from './compare';

/**
 * Returns the inputs after a refresh. An input changes only if the service's value changed since the last read.
 *
 * @param before the service's values of inputs at the last read
 * @param after the service's values of inputs now
 */
export function changedInputs(inputs: Properties, before: Properties, after: Properties): Properties {
  const result: Properties = {};
  for (const name of new Set([...Object.keys(inputs), ...Object.keys(after)])) {
    const value = changedValue(inputs[name], before[name], after[name]);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function changedValue(
  input: Value | undefined,
  before: Value | undefined,
  after: Value | undefined,
): Value | undefined {
  if (input instanceof Secret) {
    const value = changedValue(input.value, before, after);
    return value === undefined ? undefined : new Secret(value);
  }
  if (same(before, after)) return input;
  if (isObject(input) && isObject(before) && isObject(after)) return changedInputs(input, before, after);
  if (Array.isArray(input) && Array.isArray(before) && Array.isArray(after)) {
    return after.map((item, index) =>
      index < input.length && index < before.length
        ? (changedValue(input[index], before[index], item) ?? item)
        : item,
    );
  }
  return after === undefined ? undefined : markLike(after, input);
}

/** Returns the outputs, with secret inputs marked as secret. */
export function markMembers(outputs: Properties, inputs: Properties): Properties {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [name, markLike(value, inputs[name])]),
  );
}

/** Returns the properties without empty maps and lists, at any depth of objects. */
export function withoutEmpty(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => {
      const kept = isObject(value) ? withoutEmpty(value) : value;
      const empty = isObject(kept)
        ? Object.keys(kept).length === 0
        : Array.isArray(kept) && kept.length === 0;
      return empty ? [] : [[name, kept]];
    }),
  );
}
