import { z } from 'zod';
import type { Path, Problem } from './problem';
import { isRecord } from './record';

// Finds the schema of the value at a path. Where the schema allows several shapes, it is that of the value's own shape.

/** The shapes that an object may have, and the one that it has. */
interface ToldApart {
  /** The keys that tell the shapes apart; empty if the value of one key does. */
  readonly keys: readonly string[];
  /** Index of the shape that the object has. */
  readonly chosen: number;
  /** The shapes as the file writes them: `image`, or `mode: create`. */
  readonly labels: readonly string[];
}

export function schemaAt(root: z.ZodType, input: unknown, path: Path): unknown {
  let schema: unknown = root;
  let value = input;
  for (const step of path) {
    schema = memberOf(shapeFor(schema, value, step), step);
    value = valueAt(value, [step]);
  }
  return unwrap(schema);
}

export function keySchemaAt(root: z.ZodType, input: unknown, path: Path): unknown {
  const schema = schemaAt(root, input, path);
  return schema instanceof z.ZodRecord ? unwrap(schema.keyType) : undefined;
}

/** The keys of every shape that the object at the path may have. */
export function keysAt(root: z.ZodType, input: unknown, path: Path): string[] {
  const objects = shapesOf(schemaAt(root, input, path)).filter((one) => one instanceof z.ZodObject);
  return [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))];
}

/** The shapes that the object at the path may have; undefined if there is only one. */
export function toldApartBy(root: z.ZodType, input: unknown, path: Path): ToldApart | undefined {
  return toldApart(schemaAt(root, input, path), valueAt(input, path));
}

/** The shape that the object at the path has; undefined if there is only one. */
export function chosenShape(root: z.ZodType, input: unknown, path: Path): z.ZodType | undefined {
  const union = schemaAt(root, input, path);
  const by = toldApart(union, valueAt(input, path));
  const shape = by && shapesOf(union)[by.chosen];
  return shape instanceof z.ZodType ? shape : undefined;
}

/** The problem of a key that belongs to another shape of an object on the path; undefined if it belongs to none. */
export function elsewhere(
  root: z.ZodType,
  input: unknown,
  path: Path,
): Pick<Problem, 'what' | 'allowed' | 'remedy'> | undefined {
  for (const [depth] of path.entries()) {
    const union = schemaAt(root, input, path.slice(0, depth));
    const by = toldApart(union, valueAt(input, path.slice(0, depth)));
    // If the object's own shape has the key, the problem is in an object further along the path.
    if (by === undefined || hasPath(shapesOf(union)[by.chosen], path.slice(depth))) continue;
    const { labels, chosen } = by;
    const shapes = shapesOf(union);
    const others = labels.filter((_, place) => place !== chosen && hasPath(shapes[place], path.slice(depth)));
    if (others.length === 0) continue;
    const own = labels[chosen] ?? '';
    const what = `has no meaning with ${own}`;
    const isOther = depth === path.length - 1 && by.keys.includes(String(path.at(-1)));
    return isOther
      ? { what, allowed: `either ${others.join(' or ')} or ${own}`, remedy: 'Remove one of them.' }
      : {
          what,
          allowed: `only with ${others.join(' or ')}`,
          remedy: `Remove it, or set ${others.join(' or ')}.`,
        };
  }
  return undefined;
}

function toldApart(schema: unknown, value: unknown): ToldApart | undefined {
  if (!(schema instanceof z.ZodUnion) || !isRecord(value)) return undefined;
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    const values = shapesOf(schema).map((shape) => literalOf(memberOf(shape, discriminator)));
    return {
      keys: [],
      // The first shape is the default.
      chosen: Math.max(0, values.indexOf(value[discriminator])),
      labels: values.map((one) => `\`${discriminator}: ${String(one)}\``),
    };
  }
  const { toldApartBy: keys } = metaOf(schema);
  if (keys === undefined) return undefined;
  const last = keys.findLastIndex((key) => Object.hasOwn(value, key));
  return { keys, chosen: Math.max(0, last), labels: keys.map((key) => `\`${key}\``) };
}

/** The shape that the value has, else the first that has a member for the step. */
function shapeFor(schema: unknown, value: unknown, step: string | number): unknown {
  const shapes = shapesOf(schema);
  const by = toldApart(unwrap(schema), value);
  return by === undefined ? shapes.find((shape) => memberOf(shape, step) !== undefined) : shapes[by.chosen];
}

function hasPath(schema: unknown, [step, ...rest]: Path): boolean {
  if (step === undefined) return true;
  return shapesOf(schema).some((shape) => {
    const member = memberOf(shape, step);
    return member !== undefined && hasPath(member, rest);
  });
}

function memberOf(schema: unknown, step: string | number): unknown {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, unknown>> = schema.shape;
    return Object.hasOwn(shape, step) ? shape[step] : undefined;
  }
  if (schema instanceof z.ZodArray) return typeof step === 'number' ? schema.element : undefined;
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
}

function shapesOf(schema: unknown): unknown[] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodUnion)) return [inner];
  const options: readonly unknown[] = inner.options;
  return options.map(unwrap);
}

/** The schema of what a file has, without defaults and transformations. */
function unwrap(schema: unknown): unknown {
  let current = schema;
  for (;;) {
    if (
      current instanceof z.ZodOptional ||
      current instanceof z.ZodDefault ||
      current instanceof z.ZodPrefault
    )
      current = current.unwrap();
    // The metadata of a pipe is not that of its input.
    else if (current instanceof z.ZodPipe && metaOf(current).allowed === undefined) current = current.in;
    else return current;
  }
}

function literalOf(schema: unknown): unknown {
  const inner = unwrap(schema);
  return inner instanceof z.ZodLiteral ? inner.value : undefined;
}

/** The values that a choice allows; undefined if the schema is not a choice. */
export function choicesOf(schema: unknown): string[] | undefined {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  const choices = schema instanceof z.ZodUnion ? shapesOf(schema).flatMap((one) => choicesOf(one) ?? []) : [];
  return choices.length === 0 ? undefined : choices;
}

interface Meta extends Record<string, unknown> {
  readonly allowed?: string;
  readonly example?: string;
  readonly toldApartBy?: readonly string[];
}

export function metaOf(schema: unknown): Meta {
  return (schema instanceof z.ZodType ? schema.meta() : undefined) ?? {};
}

export function valueAt(input: unknown, path: Path): unknown {
  let current = input;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[step];
  }
  return current;
}
