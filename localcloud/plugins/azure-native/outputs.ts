import { isObject, type Properties, type Value } from '../protocol';
import { project } from '../resources/project';
import type { Field } from '../resources/shapes/shape';

/** Properties of a resource type that the conversion of a response needs. */
interface Row {
  apiVersion: string;
  top?: readonly string[];
  renamed?: Readonly<Record<string, string>>;
  outputs: Record<string, Field>;
}

/** Returns the declared outputs in a response. Others are omitted, as in the official plugin. */
export function outputsOf(row: Row, response: Properties): Properties {
  const flattened =
    row.top === undefined ? {} : isObject(response['properties']) ? response['properties'] : {};
  const renamed = Object.entries(row.renamed ?? {}).map(([name, inApi]): [string, Value] => [
    name,
    flattened[inApi] ?? null,
  ]);
  const outputs = declaredMembers(row.outputs, {
    ...flattened,
    ...Object.fromEntries(renamed),
    ...withoutProperties(row, response),
  });
  return 'azureApiVersion' in row.outputs ? { ...outputs, azureApiVersion: row.apiVersion } : outputs;
}

/** Returns the declared members of the resource manager's value, at any depth. */
export function declaredMembers(fields: Record<string, Field>, value: Properties): Properties {
  return project(fields, value, flat);
}

function withoutProperties(row: Row, response: Properties): Properties {
  if (row.top === undefined) return response;
  const { properties: _flattened, ...rest } = response;
  return rest;
}

/** Moves members that the API has below `properties` to the level of the declarations. */
function flat(fields: Record<string, Field>, value: Properties): Properties {
  const { properties, ...rest } = value;
  return isObject(properties) && !('properties' in fields) ? { ...properties, ...rest } : value;
}
