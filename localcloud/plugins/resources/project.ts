import { isObject, type Properties, type Value } from '../protocol';
import type { Field, Shape } from './shapes/shape';

/** Brings an object of the service into the form of the declarations. */
export type Reshape = (fields: Record<string, Field>, value: Properties) => Properties;

/**
 * Returns the declared members of a value, at any depth.
 *
 * @param reshape applied to nested objects first. @default the service has the form of the declarations
 */
export function project(
  fields: Record<string, Field>,
  value: Properties,
  reshape: Reshape = (_fields, nested) => nested,
): Properties {
  const projectValue = (shape: Shape, member: Value): Value => {
    switch (shape.kind) {
      case 'object':
        return isObject(member) ? project(shape.fields, reshape(shape.fields, member), reshape) : member;
      case 'list':
        return Array.isArray(member) ? member.map((item) => projectValue(shape.of, item)) : member;
      case 'map':
        return isObject(member)
          ? Object.fromEntries(
              Object.entries(member).map(([key, item]) => [key, projectValue(shape.of, item)]),
            )
          : member;
      default:
        return member;
    }
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const member = value[name];
      return member === undefined || member === null ? [] : [[name, projectValue(field.shape(), member)]];
    }),
  );
}
