import { isObject, reveal, type Properties, type Value } from '../protocol';
import { mapAt, valueAt, withValueAt } from '../resources/propertyPath';
import type { Resource } from './catalogue';
import { pathInputs } from './resourceId';

export function requestBody(resource: Resource, inputs: Properties): Properties {
  const inPath = new Set(pathInputs(resource.path));
  const top: Properties = {};
  const nested: Properties = {};
  for (const [name, value] of Object.entries(inNested(resource, inputs))) {
    if (inPath.has(name) || value === null || !(name in resource.inputs)) continue;
    const target = resource.top === undefined || resource.top.includes(name) ? top : nested;
    target[resource.renamed?.[name] ?? name] = reveal(value);
  }
  const body = Object.keys(nested).length > 0 ? { ...top, properties: nested } : top;
  return (resource.idSets ?? []).reduce((built, path) => {
    const ids = valueAt(built, path);
    return Array.isArray(ids) ? withValueAt(built, path, asMap(ids)) : built;
  }, body);
}

/** Returns the inputs, with members of nested objects moved below `properties` where the API has them. */
function inNested(resource: Resource, inputs: Properties): Properties {
  const nested = Object.entries(resource.nested ?? {});
  return nested.reduce(
    (built, [path, beside]) =>
      mapAt(built, path, (value) => {
        const plain = value === undefined ? undefined : reveal(value);
        if (!isObject(plain)) return value;
        const members = Object.entries(plain);
        const below = members.filter(([name]) => !beside.includes(name));
        if (below.length === 0) return plain;
        return {
          ...Object.fromEntries(members.filter(([name]) => beside.includes(name))),
          properties: Object.fromEntries(below),
        };
      }),
    inputs,
  );
}

/** Returns the path of an input or output in the API's body. */
export function bodyPath(resource: Pick<Resource, 'top'>, path: string): string {
  const [first = ''] = path.split('.');
  return resource.top === undefined || resource.top.includes(first) ? path : `properties.${path}`;
}

function asMap(ids: Value[]): Properties {
  return Object.fromEntries(ids.filter((id) => typeof id === 'string').map((id) => [id, {}]));
}
