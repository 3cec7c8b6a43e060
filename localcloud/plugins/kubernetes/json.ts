import type { Properties, Value } from '../protocol';
import { Secret, isObject, isUnknown } from '../protocol';

/** Plain JSON: what the API server sends and gets. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value below `path`; undefined if any step of it is missing. */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  let current = value;
  for (const key of path) {
    if (!isJsonObject(current)) return undefined;
    current = current[key];
  }
  return current;
}

/** The string below `path`; undefined if there is none. */
export function textAt(value: Json | undefined, ...path: string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The number below `path`, else `fallback`. */
export function numberAt(value: Json | undefined, path: string[], fallback: number): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : fallback;
}

/** The objects of the list below `path`; none if there is no list. */
export function objectsAt(value: Json | undefined, ...path: string[]): JsonObject[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

/** The members below `path` that are strings. */
export function stringsAt(value: Json | undefined, ...path: string[]): Record<string, string> {
  const found = at(value, ...path);
  if (!isJsonObject(found)) return {};
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

// The Node SDK's types spell `x-kubernetes-preserve-unknown-fields` and its like with underscores, because a
// hyphen cannot be part of an identifier (provider.go mapReplUnderscoreToDash of pulumi-kubernetes).
const dashed = /^x-kubernetes-/;
const underscored = /^x_kubernetes_/;

function apiKey(key: string): string {
  return underscored.test(key) ? key.replaceAll('_', '-') : key;
}

function sdkKey(key: string): string {
  return dashed.test(key) ? key.replaceAll('-', '_') : key;
}

/** The same value with the SDK's spelling of every key, also where the program used the API server's. */
export function withSdkKeys(value: Value): Value {
  if (value instanceof Secret) return new Secret(withSdkKeys(value.value));
  if (Array.isArray(value)) return value.map(withSdkKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [sdkKey(key), withSdkKeys(item)]));
}

/** Known properties as the API server's JSON, secrets in plain text. An unknown is an error of the caller. */
export function toJson(value: Value): Json {
  if (value instanceof Secret) return toJson(value.value);
  if (isUnknown(value)) throw new Error('a value that is not known yet cannot be sent to the API server');
  if (Array.isArray(value)) return value.map(toJson);
  if (isObject(value)) return toJsonObject(value);
  if (typeof value === 'object' && value !== null) {
    throw new Error('assets, archives and resources cannot be part of a Kubernetes object');
  }
  return value;
}

/** {@link toJson} of every property. */
export function toJsonObject(properties: Properties): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [apiKey(key), toJson(value)]));
}

/** The API server's JSON as properties with the SDK's names. */
export function fromJson(value: Json): Value {
  if (Array.isArray(value)) return value.map(fromJson);
  return isJsonObject(value) ? fromJsonObject(value) : value;
}

/** {@link fromJson} of every member. */
export function fromJsonObject(object: JsonObject): Properties {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [sdkKey(key), fromJson(value)]));
}

/** Whether two values are the same JSON; the order of keys does not count. */
export function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => sameJson(one[key], other[key]));
}
