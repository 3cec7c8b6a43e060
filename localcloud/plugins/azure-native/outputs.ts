import { isObject, type Properties, type Value } from '../protocol';
import type { Field, Shape } from './shapes/shape';

/** Properties of a resource type that the conversion of a response needs. */
interface Row {
  apiVersion: string;
  top?: readonly string[];
  outputs: Record<string, Field>;
}

/** The declared outputs in a response. Others are omitted, as in the official plugin. */
export function outputsOf(row: Row, response: Properties): Properties {
  const flattened =
    row.top === undefined ? {} : isObject(response['properties']) ? response['properties'] : {};
  const outputs = project(row.outputs, { ...flattened, ...withoutProperties(row, response) });
  return 'azureApiVersion' in row.outputs ? { ...outputs, azureApiVersion: row.apiVersion } : outputs;
}

function withoutProperties(row: Row, response: Properties): Properties {
  if (row.top === undefined) return response;
  const { properties: _flattened, ...rest } = response;
  return rest;
}

/** The declared members of a value, at any depth. */
export function project(fields: Record<string, Field>, value: Properties): Properties {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const member = value[name];
      return member === undefined || member === null ? [] : [[name, projectValue(field.shape(), member)]];
    }),
  );
}

/** Moves members that the API has below `properties` to the level of the declarations. */
function flat(fields: Record<string, Field>, value: Properties): Properties {
  const { properties, ...rest } = value;
  return isObject(properties) && !('properties' in fields) ? { ...properties, ...rest } : value;
}

function projectValue(shape: Shape, value: Value): Value {
  switch (shape.kind) {
    case 'object':
      return isObject(value) ? project(shape.fields, flat(shape.fields, value)) : value;
    case 'list':
      return Array.isArray(value) ? value.map((item) => projectValue(shape.of, item)) : value;
    case 'map':
      return isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, projectValue(shape.of, item)]))
        : value;
    default:
      return value;
  }
}
