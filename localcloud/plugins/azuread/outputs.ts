import type { Properties, Value } from '../protocol';
import { project } from '../resources/project';
import type { Field, Shape } from '../resources/shapes/shape';

/**
 * Returns the declared outputs, with empty values for required ones that Graph omits, as in the official provider, which
 * has an empty value of each kind.
 */
export function completeOutputs(fields: Record<string, Field>, outputs: Properties): Properties {
  const known = project(fields, outputs);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = known[name] ?? (field.required ? emptyValue(field.shape()) : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function emptyValue(shape: Shape): Value {
  switch (shape.kind) {
    case 'list':
      return [];
    case 'map':
    case 'object':
      return {};
    case 'boolean':
      return false;
    case 'number':
      return 0;
    default:
      return '';
  }
}
