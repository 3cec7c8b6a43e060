import { isObject, type Properties, type Value } from '../protocol';
import type { Field, Shape } from './shapes/shape';

/** What to know of a row to read its response. */
interface Row {
  apiVersion: string;
  top?: readonly string[];
  outputs: Record<string, Field>;
}

/** The declared outputs in a response; what is not declared is left out, as the official plugin does. */
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

/** Those members of the value that are declared, at any depth. */
export function project(fields: Record<string, Field>, value: Properties): Properties {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const member = value[name];
      return member === undefined || member === null ? [] : [[name, projectValue(field.shape(), member)]];
    }),
  );
}

/** What the API has below `properties` and the declarations beside the other members. */
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
