import { isRecord } from '../../components/resource/fields';
import { parsedJson } from '../json';

/**
 * The types of a body's members by path, such as `value[].name`. Names that are not those of an API, for example of tags, are `*`.
 * An enum-like value of few members follows its type: `string Succeeded`.
 */
export type Shape = Readonly<Record<string, string>>;

/** Members whose values are recorded, if they look like names of an enum. No service puts a secret in them. */
const valued = /(^|\.)(provisioningState|error\.code|powerState\.code|sku\.(name|tier|family)|grant_type)$/;
const enumLike = /^[A-Za-z][A-Za-z_]{0,39}$/;
/** Members whose own members have names that the caller chose. */
const maps = /(^|\.)(tags|userAssignedIdentities|nodeLabels)$/;
const memberName = /^[@$]?[A-Za-z][A-Za-z_]*([.@][A-Za-z_]+)*\d{0,2}$/;
const longestName = 48;

function add(shape: Map<string, Set<string>>, at: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) add(shape, `${at}[]`, item);
    if (value.length > 0) return;
  } else if (isRecord(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const isOwn = maps.test(at) || !memberName.test(name) || name.length > longestName;
      add(shape, `${at === '' ? '' : `${at}.`}${isOwn ? '*' : name}`, inner);
    }
    if (Object.keys(value).length > 0) return;
  }
  const type = Array.isArray(value) ? 'empty list' : value === null ? 'null' : typeof value;
  const shown = typeof value === 'string' && valued.test(at) && enumLike.test(value) ? ` ${value}` : '';
  const types = shape.get(at) ?? new Set();
  shape.set(at, types.add(`${type}${shown}`));
}

/** Returns the shape of a body: of JSON, or of a form. Any other body is one member without a name. */
export function shapeOf(body: string, contentType = ''): Shape {
  if (body === '') return {};
  const shape = new Map<string, Set<string>>();
  const isForm = contentType.startsWith('application/x-www-form-urlencoded');
  add(shape, '', isForm ? Object.fromEntries(new URLSearchParams(body)) : (parsedJson(body) ?? body));
  return Object.fromEntries(
    [...shape].sort(([a], [b]) => (a < b ? -1 : 1)).map(([at, types]) => [at, [...types].sort().join(' | ')]),
  );
}
