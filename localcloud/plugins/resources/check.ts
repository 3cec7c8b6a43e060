import { isObject, isUnknown, Secret, type CheckFailure, type Properties, type Value } from '../protocol';
import { nearest } from './nearest';
import type { Field, Shape } from './shapes/shape';

/** Returns errors in the inputs: unknown names, missing values, and values of another kind. */
export function checkInputs(fields: Record<string, Field>, inputs: Properties, path = ''): CheckFailure[] {
  const failures: CheckFailure[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const value = inputs[name];
    const property = `${path}${name}`;
    if (value === undefined || value === null) {
      if (field.required) failures.push({ property, reason: `missing required property '${property}'` });
    } else {
      failures.push(...checkValue(field.shape(), value, property));
    }
  }
  for (const name of Object.keys(inputs)) {
    if (name in fields || name.startsWith('__') || inputs[name] === null) continue;
    const known = nearest(name, Object.keys(fields));
    failures.push({
      property: `${path}${name}`,
      reason: `unknown property '${path}${name}'${known ? `: did you mean '${path}${known}'?` : ''}`,
    });
  }
  return failures;
}

function checkValue(shape: Shape, value: Value, property: string): CheckFailure[] {
  if (isUnknown(value)) return [];
  if (value instanceof Secret) return checkValue(shape, value.value, property);
  switch (shape.kind) {
    case 'any':
      return [];
    case 'object':
      return isObject(value)
        ? checkInputs(shape.fields, value, `${property}.`)
        : [wrongKind(property, 'an object', value)];
    case 'list':
      return Array.isArray(value)
        ? value.flatMap((item, index) => checkValue(shape.of, item, `${property}[${index}]`))
        : [wrongKind(property, 'a list', value)];
    case 'map':
      return isObject(value)
        ? Object.entries(value).flatMap(([key, item]) => checkValue(shape.of, item, `${property}.${key}`))
        : [wrongKind(property, 'an object', value)];
    default:
      return typeof value === shape.kind ? [] : [wrongKind(property, `a ${shape.kind}`, value)];
  }
}

/** Returns the error for a value of another kind. It contains the kind but not the value, which may be a secret. */
function wrongKind(property: string, expected: string, value: Value): CheckFailure {
  const kind =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : isObject(value)
          ? 'an object'
          : `a ${typeof value}`;
  return { property, reason: `'${property}' should be ${expected} but is ${kind}` };
}
