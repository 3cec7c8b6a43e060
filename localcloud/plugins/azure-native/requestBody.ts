import { reveal, type Properties, type Value } from '../protocol';
import type { Resource } from './catalogue';
import { valueAt, withValueAt } from './propertyPath';
import { pathInputs } from './resourceId';

/** The inputs where the API wants them. */
export function requestBody(resource: Resource, inputs: Properties): Properties {
  const inPath = new Set(pathInputs(resource.path));
  const top: Properties = {};
  const nested: Properties = {};
  for (const [name, value] of Object.entries(inputs)) {
    if (inPath.has(name) || value === null || !(name in resource.inputs)) continue;
    const target = resource.top === undefined || resource.top.includes(name) ? top : nested;
    target[name] = reveal(value);
  }
  const body = Object.keys(nested).length > 0 ? { ...top, properties: nested } : top;
  return (resource.idSets ?? []).reduce((built, path) => {
    const ids = valueAt(built, path);
    return Array.isArray(ids) ? withValueAt(built, path, asMap(ids)) : built;
  }, body);
}

/** Where an input or output is in the API's body. */
export function bodyPath(resource: Pick<Resource, 'top'>, path: string): string {
  const [first = ''] = path.split('.');
  return resource.top === undefined || resource.top.includes(first) ? path : `properties.${path}`;
}

function asMap(ids: Value[]): Properties {
  return Object.fromEntries(ids.filter((id) => typeof id === 'string').map((id) => [id, {}]));
}
