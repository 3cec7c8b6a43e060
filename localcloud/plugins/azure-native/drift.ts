import { isObject, markLike, revealAll, Secret, type Properties, type Value } from '../protocol';
import type { Resource } from './catalogue';
import { same } from './diff';
import { project } from './outputs';
import { parseResourceId } from './resourceId';
import { mapAt, valueAt, withValueAt } from './propertyPath';

/**
 * The inputs after a refresh. An input changes only if the service's value changed since the last read. Values
 * that the service chose do not become inputs, and values that it never returns (a secret's) are kept.
 */
export function refreshedInputs(
  resource: Resource,
  inputs: Properties,
  before: Properties,
  after: Properties,
): Properties {
  // The resource was never read, because its creation was interrupted. There is nothing to compare with.
  if (Object.keys(before).length === 0) return inputs;
  return changed(
    inputs,
    project(resource.inputs, revealAll(before)),
    project(resource.inputs, withoutMaintained(resource, inputs, after)),
  );
}

/**
 * The inputs of an imported resource, from its id and its outputs. Empty maps and lists, and values that the
 * service chose, are omitted; otherwise every import would be followed by an update.
 */
export function importedInputs(resource: Resource, id: string, outputs: Properties): Properties {
  const ids = parseResourceId(resource.path, id);
  const body = (resource.idSets ?? []).reduce((built, path) => {
    const map = valueAt(built, path);
    return isObject(map) ? withValueAt(built, path, Object.keys(map)) : built;
  }, outputs);
  const own = [...(resource.chosen ?? []), ...(resource.maintained ?? [])].reduce(
    (built, path) => mapAt(built, path, () => undefined),
    project(resource.inputs, body),
  );
  return { ...withoutEmpty(own), ...project(resource.inputs, ids) };
}

function withoutEmpty(properties: Properties): Properties {
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

/** Omits lists that other resources maintain, unless the program sets them here. */
function withoutMaintained(resource: Resource, inputs: Properties, outputs: Properties): Properties {
  return (resource.maintained ?? [])
    .filter((path) => valueAt(inputs, path) === undefined)
    .reduce((kept, path) => withValueAt(kept, path, undefined), outputs);
}

function changed(inputs: Properties, before: Properties, after: Properties): Properties {
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
  if (isObject(input) && isObject(before) && isObject(after)) return changed(input, before, after);
  if (Array.isArray(input) && Array.isArray(before) && Array.isArray(after)) {
    return after.map((item, index) =>
      index < input.length && index < before.length
        ? (changedValue(input[index], before[index], item) ?? item)
        : item,
    );
  }
  return after === undefined ? undefined : markLike(after, input);
}
