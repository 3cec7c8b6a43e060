import { isObject, isUnknown, Secret, unknown, type Properties, type Value } from '../protocol';
import type { Field, Shape } from './shapes/shape';

/**
 * Returns the expected outputs in a preview: inputs become outputs, and all other declared outputs are unknown. That
 * includes members of objects, so that `cluster.oidcIssuerProfile.issuerURL` is unknown and not undefined.
 */
export function previewOutputs(outputs: Record<string, Field>, inputs: Properties): Properties {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, field]) => {
      const input = inputs[name];
      return [name, input === undefined || input === null ? unknown : expected(field.shape(), input)];
    }),
  );
}

function expected(shape: Shape, input: Value): Value {
  if (isUnknown(input)) return input;
  if (input instanceof Secret) return new Secret(expected(shape, input.value));
  switch (shape.kind) {
    case 'object':
      return isObject(input) ? previewOutputs(shape.fields, input) : unknown;
    case 'list':
      return Array.isArray(input) ? input.map((item) => expected(shape.of, item)) : unknown;
    case 'map':
      return isObject(input)
        ? Object.fromEntries(Object.entries(input).map(([key, item]) => [key, expected(shape.of, item)]))
        : unknown;
    default:
      return input;
  }
}
