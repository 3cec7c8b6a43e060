import type { Properties, Value } from '../protocol';
import { project } from '../resources/project';
import type { Field, Shape } from '../resources/shapes/shape';

/**
 * The declared outputs, with empty values for those that are always present: so the official provider, which has a
 * value of each kind for what Graph leaves out.
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
