import { isObject, reveal, Secret, type Properties, type Value } from '../protocol';

/** Returns the value at `a.b.c`, ignoring secret marks; undefined if there is none. */
export function valueAt(properties: Properties, path: string): Value | undefined {
  let value: Value | undefined = properties;
  for (const name of path.split('.')) {
    while (value instanceof Secret) value = value.value;
    value = isObject(value) ? value[name] : undefined;
  }
  return value;
}

/** Returns a copy with the value at `a.b.c` set, or removed if it is undefined; missing objects are created. */
export function withValueAt(properties: Properties, path: string, value: Value | undefined): Properties {
  const [name = '', ...rest] = path.split('.');
  const { [name]: inner, ...others } = properties;
  if (rest.length === 0) return value === undefined ? others : { ...properties, [name]: value };
  if (value === undefined && !isObject(inner)) return properties;
  return { ...properties, [name]: withValueAt(isObject(inner) ? inner : {}, rest.join('.'), value) };
}

/**
 * Returns a copy with the value at a path changed; `[]` stands for each element of a list. If an object or list is
 * missing, nothing changes.
 *
 * @param change returns the new value; undefined removes it
 */
export function mapAt(
  properties: Properties,
  pattern: string,
  change: (value: Value | undefined) => Value | undefined,
): Properties {
  const [first = '', ...rest] = pattern.split('.');
  const name = first.replace(/\[\]$/, '');
  const inner = properties[name];
  const below = (value: Value | undefined): Value | undefined => {
    if (rest.length === 0) return change(value);
    if (value instanceof Secret) return new Secret(below(value.value) ?? value.value);
    return isObject(value) ? mapAt(value, rest.join('.'), change) : value;
  };
  const each = (value: Value | undefined): Value | undefined => {
    if (value instanceof Secret) return new Secret(each(value.value) ?? value.value);
    return Array.isArray(value) ? value.flatMap((item) => below(item) ?? []) : value;
  };
  const value = name === first ? below(inner) : each(inner);
  const { [name]: _inner, ...others } = properties;
  return value === undefined ? others : { ...properties, [name]: value };
}

/** Returns the properties without null members, at any depth: for a program, null and undefined are the same. */
export function withoutNulls(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => (value === null ? [] : [[name, strip(value)]])),
  );
}

function strip(value: Value): Value {
  if (value instanceof Secret) return new Secret(strip(value.value));
  if (Array.isArray(value)) return value.map(strip);
  return isObject(value) ? withoutNulls(value) : value;
}

/** Returns the string at `a.b.c`, ignoring secret marks; empty if there is none. */
export function textAt(properties: Properties, path: string): string {
  const value = valueAt(properties, path);
  const plain = value === undefined ? undefined : reveal(value);
  return typeof plain === 'string' ? plain : '';
}
