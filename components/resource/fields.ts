/** Tells whether a value is an object with keys, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the fields of an object of unknown shape; empty for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** Returns the value if it is a string, otherwise an empty string. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the items of a list; empty for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the strings of a list; empty for any other value. */
export const textsOf = (value: unknown): string[] => listOf(value).filter((item) => typeof item === 'string');
