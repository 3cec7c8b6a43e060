import * as z from 'zod';
import { allowedAt } from '../arm/body';
import { badRequest } from './errors';

/** A JSON object. */
export type Entity = Record<string, unknown>;

export const isEntity = (value: unknown): value is Entity =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Schemas of members that the local cloud supports only with their default: null, `false` or an empty list. */
export const none = z.null('only null is possible in the local cloud').optional();
export const off = z.literal(false, 'only false is possible in the local cloud').nullable().optional();
export const empty = z
  .array(z.unknown())
  .max(0, 'only an empty list is possible in the local cloud')
  .optional();

/** A string of a limited length, or null. */
export const text = (longest: number) =>
  z.string().max(longest, `at most ${longest} characters are allowed`).nullable().optional();

/** No source gives the limits of tags; those of names are assumed. */
export const tags = z
  .array(z.string().min(1, 'a tag is not empty').max(256, 'a tag has at most 256 characters'))
  .optional();

/** The type of an object, which clients in other languages send. It is ignored. */
export const odataType = z
  .string()
  .optional()
  .transform(() => undefined);

/** An RFC 3339 time, converted to milliseconds since the epoch. */
export const time = z.iso
  .datetime({ offset: true, error: 'a time such as 2026-01-31T12:00:00Z is needed' })
  .transform((value) => Date.parse(value));

/** A GUID, converted to lower case. */
export const guid = z.guid('a GUID is needed').transform((value) => value.toLowerCase());

/**
 * Parses the body with the schema; throws an error that names the invalid members but never their values. The message for an
 * invalid member is Graph's, as public programs quote it; the reason after it is not.
 *
 * @param type name of the resource in the message, e.g. `Application`
 */
export function readBody<T extends z.ZodType>(schema: T, value: unknown, type: string): z.infer<T> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const where = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      const names = issue.keys.map((key) => `'${[where, key].filter((part) => part !== '').join('.')}'`);
      return `The local cloud does not know ${names.join(', ')} of resource '${type}', or does not let it be written. Known here: ${allowedAt(schema, issue.path).join(', ')}.`;
    }
    return where === ''
      ? `The body of resource '${type}' is invalid: ${issue.message}.`
      : `Invalid value specified for property '${where}' of resource '${type}'. ${issue.message}.`;
  });
  throw badRequest(problems.join(' '));
}

/** Merges the requested members into the stored ones. Objects are merged member by member, as in an OData PATCH. */
export function merged(stored: Entity, requested: Entity): Entity {
  const result = { ...stored };
  for (const [name, value] of Object.entries(requested)) {
    if (value === undefined) continue;
    const current = result[name];
    result[name] = isEntity(current) && isEntity(value) ? merged(current, value) : value;
  }
  return result;
}
