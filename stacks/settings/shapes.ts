import * as z from 'zod';
import type { Path } from './problem';
import type { FieldMeta } from './schema/fields';

// What the schemas describe about themselves.

export type Schema = z.core.$ZodType;

/** An object that may have one of several shapes. */
export interface Variants {
  /** The keys that distinguish the shapes, one for each; empty if the value of a single key distinguishes them. */
  readonly keys: readonly string[];
  readonly shapes: readonly z.ZodObject[];
  /** The shapes as written in the file: `image`, or `mode: create`. */
  readonly labels: readonly string[];
  /** Index of the object's own shape; -1 if the object does not determine it. */
  readonly chosen: number;
}

/** Returns the shapes that the object may have; undefined if only their fields distinguish them. */
export function variantsOf(schema: Schema, value: Readonly<Record<string, unknown>>): Variants | undefined {
  const union = unwrap(schema);
  const shapes = objectSchemas(union);
  if (union instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = union.def;
    const types = shapes.map((shape) => memberOf(shape, discriminator) ?? z.never());
    return {
      keys: [],
      shapes,
      labels: types.map((type) => `\`${discriminator}: ${choicesOf(type).join()}\``),
      chosen: types.findIndex((type) => accepts(type, value[discriminator])),
    };
  }
  const { discriminatingKeys: keys } = metaOf(union);
  if (keys === undefined) return undefined;
  const last = keys.findLastIndex((key) => value[key] !== undefined);
  const fallback = keys.findIndex((key, place) =>
    accepts(memberOf(shapes[place], key) ?? z.never(), undefined),
  );
  return { keys, shapes, labels: keys.map((key) => `\`${key}\``), chosen: last < 0 ? fallback : last };
}

export function accepts(schema: Schema, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

/** Tells whether a value that the schema allows may have a value at the path. */
export function hasPath(schema: Schema | undefined, [step, ...rest]: Path): boolean {
  if (step === undefined) return schema !== undefined;
  return alternativesOf(schema).some((shape) => hasPath(memberOf(shape, step), rest));
}

/** Returns the schema of a member of an object, or of an entry of a list; undefined if there is none. */
export function memberOf(schema: Schema | undefined, step: string | number): Schema | undefined {
  if (schema instanceof z.ZodArray) return typeof step === 'number' ? schema.element : undefined;
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, step)) return undefined;
  return (schema.shape as Readonly<Record<string, Schema>>)[step];
}

/** Returns the shapes of objects with fixed keys that the schema allows. */
export function objectSchemas(schema: Schema): z.ZodObject[] {
  return alternativesOf(schema).filter((alternative) => alternative instanceof z.ZodObject);
}

/** Returns the members of a union, or any other schema itself. */
export function alternativesOf(schema: Schema | undefined): Schema[] {
  if (schema === undefined) return [];
  const inner = unwrap(schema);
  return inner instanceof z.ZodUnion ? inner.options.map(unwrap) : [inner];
}

/** Returns the schema of the value in a file, without defaults and transformations. */
function unwrap(schema: Schema): Schema {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return unwrap(schema.unwrap());
  if (schema instanceof z.ZodLazy) return unwrap(schema.def.getter());
  // Metadata of a pipe does not belong to its input.
  return schema instanceof z.ZodPipe && schema.meta()?.allowed === undefined ? unwrap(schema.in) : schema;
}

/** Returns the strings that a choice allows; empty if the schema is not a choice. */
export function choicesOf(schema: Schema): string[] {
  return alternativesOf(schema).flatMap((alternative) => {
    if (alternative instanceof z.ZodEnum) return alternative.options.map(String);
    return alternative instanceof z.ZodLiteral ? [...alternative.values].map(String) : [];
  });
}

/** Returns the greatest length of a string that the schema allows, before any transformation. */
export function maxLengthOf(schema: Schema): number {
  if (schema instanceof z.ZodPipe) return maxLengthOf(schema.in);
  return (schema instanceof z.ZodString && schema.maxLength) || Infinity;
}

export function metaOf(schema: Schema): Partial<FieldMeta> & Readonly<Record<string, unknown>> {
  const inner = unwrap(schema);
  return (inner instanceof z.ZodType ? inner.meta() : undefined) ?? {};
}
