import * as z from 'zod';
import { didYouMean } from './nearest';
import type { Path, Problem } from './problem';
import { encryptedOnly, formatConfigPath, shown } from './problem';
import { isRecord } from '../../components/resource/fields';
import { hiddenIn } from '../../components/resource/visibleText';
import type { Schema, Variants } from './shapes';
import {
  accepts,
  alternativesOf,
  choicesOf,
  hasPath,
  maxLengthOf,
  memberOf,
  metaOf,
  objectSchemas,
  variantsOf,
} from './shapes';
import { unknownKey } from './unknownKey';

/** An object that contains the value and may have one of several shapes. */
interface Around extends Variants {
  /** Length of its path. */
  readonly depth: number;
}

/** Returns every problem of the shape of a value. A problem in one part hides none in another. */
export function shapeProblems(
  schema: Schema,
  value: unknown,
  path: Path = [],
  around: readonly Around[] = [],
): Problem[] {
  if (accepts(schema, value)) return [];
  if (value === undefined || value === null) return [missingValue(schema, value, path)];
  const inside = insideProblems(schema, value, path, around);
  return inside.length > 0 ? inside : [notAllowed(schema, value, path, kindOf(value) ?? shown(path, value))];
}

function insideProblems(schema: Schema, value: unknown, path: Path, around: readonly Around[]): Problem[] {
  if (Array.isArray(value)) {
    const lists = alternativesOf(schema).filter((alternative) => alternative instanceof z.ZodArray);
    if (lists.length === 0) return [];
    const entries = anyOf(lists.map(({ element }) => element));
    return value.flatMap((entry, index) => shapeProblems(entries, entry, [...path, index], around));
  }
  if (!isRecord(value)) return [];
  const record = alternativesOf(schema).find((alternative) => alternative instanceof z.ZodRecord);
  if (record === undefined) return objectProblems(schema, value, path, around);
  return Object.entries(value).flatMap(([key, entry]) => {
    const at = [...path, key];
    if (accepts(record.keyType, key)) return shapeProblems(record.valueType, entry, at, around);
    return [notAllowed(record.keyType, key, at, JSON.stringify(key))];
  });
}

function objectProblems(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  around: readonly Around[],
): Problem[] {
  const all = objectSchemas(schema);
  if (all.length === 0) return [];
  const variants = variantsOf(schema, value);
  const own = variants?.shapes[variants.chosen];
  const further = variants === undefined ? around : [...around, { ...variants, depth: path.length }];
  // If the intended shape is unknown, a value is wrong only if no shape allows it.
  const shapes = own === undefined ? all : [own];
  const keys = (of: readonly z.ZodObject[]) => [...new Set(of.flatMap(({ shape }) => Object.keys(shape)))];
  const known = keys(shapes);
  const inMembers = known.flatMap((key) => {
    const members = shapes.flatMap((shape) => memberOf(shape, key) ?? []);
    if (value[key] === undefined && members.length < shapes.length) return [];
    return shapeProblems(anyOf(members), value[key], [...path, key], further);
  });
  const unknown = Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const at = [...path, key];
      return ofOtherShape(at, value[key], further) ?? unknownKey(at, key, keys(all));
    });
  const hasNone = variants !== undefined && variants.keys.length > 0 && own === undefined;
  const what = `has none of ${variants?.labels.join(', ') ?? ''}`;
  const none = hasNone ? [{ path, what, allowed: 'exactly one of them', hint: 'Add one.' }] : [];
  return [...none, ...inMembers, ...unknown];
}

/** Returns a schema of everything that any of the schemas allows. */
function anyOf(schemas: readonly Schema[]): Schema {
  const [first = z.never(), ...others] = new Set(schemas);
  return others.length === 0 ? first : z.union([first, ...others]).meta(metaOf(first));
}

/** Returns the problem of a key that belongs to another shape of an object around it; undefined if it belongs to none. */
function ofOtherShape(path: Path, value: unknown, around: readonly Around[]): Problem | undefined {
  for (const { depth, keys, shapes, labels, chosen } of around) {
    const rest = path.slice(depth);
    const own = labels[chosen];
    // If the object's own shape has the key, the problem is in an object further along the path.
    if (own === undefined || hasPath(shapes[chosen], rest)) continue;
    const others = labels.filter((_, place) => hasPath(shapes[place], rest)).join(' or ');
    if (others === '') continue;
    const problem = { path, value: shown(path, value), what: `has no effect with ${own}` };
    return rest.length === 1 && keys.includes(String(rest[0]))
      ? { ...problem, allowed: `either ${others} or ${own}`, hint: 'Remove one of them.' }
      : { ...problem, allowed: `only with ${others}`, hint: `Remove it, or set ${others}.` };
  }
  return undefined;
}

function missingValue(schema: Schema, value: undefined | null, path: Path): Problem {
  const { allowed, example } = metaOf(schema);
  const what = value === null ? 'has no value' : 'is missing';
  return { path, what, allowed, hint: missingHint(path, example) };
}

function missingHint(path: Path, example: string | undefined): string {
  if (path[0] === 'secretValues') {
    return `Set it with \`pulumi config set --secret --path '${formatConfigPath(path)}'\`, or remove the key if the secret is in its vault already.`;
  }
  return example === undefined ? 'Add it.' : `Add it, for example \`${String(path.at(-1))}: ${example}\`.`;
}

function notAllowed(schema: Schema, input: unknown, path: Path, value: string | undefined): Problem {
  const choices = choicesOf(schema);
  const { allowed = choices.join(', ') } = metaOf(schema);
  return { path, value, what: 'is not allowed', allowed, hint: shapeHint(schema, input, path, choices) };
}

/** Returns the kind of a list or an object, for a problem of its shape. */
function kindOf(value: unknown): string | undefined {
  if (isRecord(value)) return 'an object';
  if (!Array.isArray(value)) return undefined;
  return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
}

function shapeHint(
  schema: Schema,
  value: unknown,
  path: Path,
  choices: readonly string[],
): string | undefined {
  if (typeof value === 'string') {
    const found = hiddenIn(value);
    if (found !== undefined)
      return `Remove ${found}, which is invisible or changes how other characters are displayed.`;
    const max = Math.max(...alternativesOf(schema).map(maxLengthOf));
    if (value.length > max) return `Shorten it to ${max} characters.`;
    if (accepts(schema, value.replace(/\s+/g, ' ').trim())) return 'Write it on one line.';
    if (/^(true|false)$/.test(value) && accepts(schema, value === 'true')) return 'Write it without quotes.';
    return didYouMean(value, choices, undefined);
  }
  const isUnquoted = ['number', 'boolean'].includes(typeof value) && !encryptedOnly.includes(String(path[0]));
  return isUnquoted && accepts(schema, String(value)) ? 'Write it in quotes.' : undefined;
}
