import * as pulumi from '@pulumi/pulumi';

/** One of several arguments, with its name. */
export type Choice<T> = {
  [K in keyof T & string]-?: { readonly kind: K; readonly value: NonNullable<T[K]> };
}[keyof T & string];

/** Returns the argument that is set; `checkedArguments` refuses none or several. */
export function oneOf<T extends object>(choices: T): Choice<T> {
  const [kind, value]: [string?, unknown?] =
    Object.entries(choices).find(([, value]: [string, unknown]) => value !== undefined) ?? [];
  return { kind, value } as Choice<T>;
}

/** Tells whether a value is an output or a promise, which is known only later. */
export function isLate(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Returns the paths of the outputs in a value. */
export function outputsIn(value: unknown, place: string): string[] {
  if (isLate(value)) return [place];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => outputsIn(inner, `${place}.${key}`));
}

/** Returns the entries that a list contains more than once, each with its index and that of the first occurrence. */
export function repetitions<T>(list: readonly T[]) {
  return list
    .map((value, index) => ({ value, index, first: list.indexOf(value) }))
    .filter(({ index, first }) => first < index);
}
