import { isObject, revealAll, type Properties } from '../protocol';
import { changedInputs, withoutEmpty } from '../resources/drift';
import { mapAt, valueAt, withValueAt } from '../resources/propertyPath';
import type { Resource } from './catalogue';
import { declaredMembers } from './outputs';
import { parseResourceId } from './resourceId';

/**
 * Returns the inputs after a refresh. An input changes only if the service's value changed since the last read. Values
 * that the service chose do not become inputs. Values that it never returns, such as a secret's, are kept.
 */
export function refreshedInputs(
  resource: Resource,
  inputs: Properties,
  before: Properties,
  after: Properties,
): Properties {
  // The resource was never read, because its creation was interrupted, so there is nothing to compare with.
  if (Object.keys(before).length === 0) return inputs;
  return changedInputs(
    inputs,
    declaredMembers(resource.inputs, revealAll(before)),
    declaredMembers(resource.inputs, withoutMaintained(resource, inputs, after)),
  );
}

/**
 * Returns the inputs of an imported resource, from its id and its outputs. Empty maps and lists, and values that the
 * service chose, are omitted. Otherwise an update would follow every import.
 */
export function importedInputs(resource: Resource, id: string, outputs: Properties): Properties {
  const ids = parseResourceId(resource.path, id);
  const body = (resource.idSets ?? []).reduce((built, path) => {
    const map = valueAt(built, path);
    return isObject(map) ? withValueAt(built, path, Object.keys(map)) : built;
  }, outputs);
  const own = [...(resource.chosen ?? []), ...(resource.maintained ?? [])].reduce(
    (built, path) => mapAt(built, path, () => undefined),
    declaredMembers(resource.inputs, body),
  );
  return { ...withoutEmpty(own), ...declaredMembers(resource.inputs, ids) };
}

/** Omits lists that other resources maintain, unless the program sets them here. */
function withoutMaintained(resource: Resource, inputs: Properties, outputs: Properties): Properties {
  return (resource.maintained ?? [])
    .filter((path) => valueAt(inputs, path) === undefined)
    .reduce((kept, path) => withValueAt(kept, path, undefined), outputs);
}
