import type { Properties, Value } from '../protocol';
import { mapAt } from './propertyPath';

/**
 * Returns the properties with default values, so that a program that states a default changes nothing. Strings are
 * compared without regard to case, like Azure's enumerations.
 *
 * @param defaults values by path; `[]` stands for each element of a list
 */
export function withDefaults(
  defaults: Readonly<Record<string, Value>> | undefined,
  properties: Properties,
): Properties {
  // Objects come before their members.
  return Object.entries(defaults ?? {})
    .sort(([a], [b]) => a.split('.').length - b.split('.').length)
    .reduce(
      (built, [path, standard]) => mapAt(built, path, (value) => orDefault(value, standard)),
      properties,
    );
}

function orDefault(value: Value | undefined, standard: Value): Value {
  if (value === undefined || value === null) return standard;
  const alike = typeof value === 'string' && typeof standard === 'string';
  return alike && value.toLowerCase() === standard.toLowerCase() ? standard : value;
}
