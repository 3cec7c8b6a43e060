import type { Properties, Value } from '../protocol';
import { Secret, isObject, isUnknown } from '../protocol';

/** The JSON values of the API server. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at `path`; undefined if a step of it is missing. */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  let current = value;
  for (const key of path) {
    if (!isJsonObject(current)) return undefined;
    current = current[key];
  }
  return current;
}

/** Returns the string at `path`; undefined if there is none. */
export function textAt(value: Json | undefined, ...path: string[]): string | undefined {
  const member = at(value, ...path);
  return typeof member === 'string' ? member : undefined;
}

/** Returns the number at `path`, else `fallback`. */
export function numberAt(value: Json | undefined, path: string[], fallback: number): number {
  const member = at(value, ...path);
  return typeof member === 'number' ? member : fallback;
}

/** Returns the objects of the list at `path`; none if there is no list. */
export function objectsAt(value: Json | undefined, ...path: string[]): JsonObject[] {
  const member = at(value, ...path);
  return Array.isArray(member) ? member.filter(isJsonObject) : [];
}

/** Returns the string members at `path`. */
export function stringsAt(value: Json | undefined, ...path: string[]): Record<string, string> {
  const member = at(value, ...path);
  if (!isJsonObject(member)) return {};
  return Object.fromEntries(
    Object.entries(member).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

// The Node SDK spells `x-kubernetes-preserve-unknown-fields` and similar keys with underscores (provider.go
// mapReplUnderscoreToDash of pulumi-kubernetes).
const dashed = /^x-kubernetes-/;
const underscored = /^x_kubernetes_/;

function apiKey(key: string): string {
  return underscored.test(key) ? key.replaceAll('_', '-') : key;
}

function sdkKey(key: string): string {
  return dashed.test(key) ? key.replaceAll('-', '_') : key;
}

/** Returns the value with the SDK's spelling of every key. */
export function withSdkKeys(value: Value): Value {
  if (value instanceof Secret) return new Secret(withSdkKeys(value.value));
  if (Array.isArray(value)) return value.map(withSdkKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [sdkKey(key), withSdkKeys(item)]));
}

/** Returns a value as the API server's JSON, with secrets in plain text; throws for unknown values. */
export function toJson(value: Value): Json {
  if (value instanceof Secret) return toJson(value.value);
  if (isUnknown(value)) throw new Error('an unknown value cannot be sent to the API server');
  if (Array.isArray(value)) return value.map(toJson);
  if (isObject(value)) return toJsonObject(value);
  if (typeof value === 'object' && value !== null) {
    throw new Error('assets, archives and resources cannot be part of a Kubernetes object');
  }
  return value;
}

/** Applies {@link toJson} to every property. */
export function toJsonObject(properties: Properties): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [apiKey(key), toJson(value)]));
}

/** Returns the API server's JSON as properties with the SDK's names. */
export function fromJson(value: Json): Value {
  if (Array.isArray(value)) return value.map(fromJson);
  return isJsonObject(value) ? fromJsonObject(value) : value;
}

/** Applies {@link fromJson} to every member. */
export function fromJsonObject(object: JsonObject): Properties {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [sdkKey(key), fromJson(value)]));
}

/** Tells whether two values are the same JSON, regardless of the order of keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => sameJson(a[key], b[key]));
}
