/** A property value of the engine's protocol: JSON, and wrappers for values that JSON does not have. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Value[]
  | { [key: string]: Value }
  | Secret
  | Unknown
  | Asset
  | Archive
  | ResourceReference;

/** The properties of one resource: its inputs or its state. */
export type Properties = Record<string, Value>;

/** A value that the engine encrypts in states and hides in output. */
export class Secret {
  constructor(readonly value: Value) {}
}

/** A value that is known only after the operation. It occurs only in previews. */
export class Unknown {
  private readonly kind = 'unknown';
  toString(): string {
    return `<${this.kind}>`;
  }
}

/** The only instance of {@link Unknown}: compare with `===` or use {@link isUnknown}. */
export const unknown: Unknown = new Unknown();

/** A file: exactly one of text, path, uri. */
export class Asset {
  constructor(
    readonly source: { text: string } | { path: string } | { uri: string },
    readonly hash?: string,
  ) {}
}

/** A folder or archive of assets: exactly one of assets, path, uri. */
export class Archive {
  constructor(
    readonly source: { assets: Record<string, Value> } | { path: string } | { uri: string },
    readonly hash?: string,
  ) {}
}

/** A reference to another resource; `id` is undefined for component resources and unknown in previews. */
export class ResourceReference {
  constructor(
    readonly urn: string,
    readonly id?: string | Unknown,
    readonly packageVersion?: string,
  ) {}
}

export function isUnknown(value: Value | undefined): value is Unknown {
  return value instanceof Unknown;
}

export function isObject(value: Value | undefined): value is { [key: string]: Value } {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Secret) &&
    !(value instanceof Unknown) &&
    !(value instanceof Asset) &&
    !(value instanceof Archive) &&
    !(value instanceof ResourceReference)
  );
}

/** Returns the value without secret marks, at any depth. */
export function reveal(value: Value): Value {
  if (value instanceof Secret) return reveal(value.value);
  if (Array.isArray(value)) return value.map(reveal);
  if (isObject(value)) return revealAll(value);
  return value;
}

/** Applies {@link reveal} to every property. */
export function revealAll(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, reveal(value)]));
}

/** Tells whether the value is or contains an unknown value. */
export function containsUnknown(value: Value | undefined): boolean {
  if (isUnknown(value)) return true;
  if (value instanceof Secret) return containsUnknown(value.value);
  if (Array.isArray(value)) return value.some(containsUnknown);
  return isObject(value) && Object.values(value).some(containsUnknown);
}

/** Tells whether the value is or contains a secret. */
export function containsSecret(value: Value | undefined): boolean {
  if (value instanceof Secret) return true;
  if (Array.isArray(value)) return value.some(containsSecret);
  return isObject(value) && Object.values(value).some(containsSecret);
}

/**
 * Returns `value` with the secret marks of `marked` at the same paths. Where the shapes of the two differ, the whole value
 * is marked.
 */
export function markLike(value: Value, marked: Value | undefined): Value {
  if (marked === undefined || !containsSecret(marked) || value instanceof Secret) return value;
  if (marked instanceof Secret) return new Secret(value);
  if (Array.isArray(value) && Array.isArray(marked) && value.length === marked.length) {
    return value.map((item, index) => markLike(item, marked[index]));
  }
  if (isObject(value) && isObject(marked)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, markLike(item, marked[key])]));
  }
  return new Secret(value);
}
