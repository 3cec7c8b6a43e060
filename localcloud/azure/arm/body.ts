import * as z from 'zod';
import { ArmError } from './errors';
import { checkTags } from './tags';

/** Members that Azure's answers always have. Clients may send them back; they are ignored. */
const READ_ONLY = ['id', 'name', 'type', 'systemData', 'etag'] as const;

/** Azure Service Operator sends `null` for a resource without tags. */
export const tags = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => {
    checkTags(value ?? {});
    return value ?? undefined;
  });

type Shape = Record<string, z.ZodType>;

/**
 * Returns the members of an object that have a value. Ignored members are present as undefined and must not overwrite stored
 * ones.
 */
export function defined(object: object): Record<string, unknown> {
  const members = Object.entries(object) as [string, unknown][];
  return Object.fromEntries(members.filter(([, value]) => value !== undefined && value !== null));
}

/**
 * Returns a strict schema of a request body. Clients may send back read-only members (`READ_ONLY`), which are ignored. Any
 * other member that is not in the schema is refused by name.
 */
export function body<T extends Shape>(shape: T): z.ZodObject<T, z.core.$strict> {
  return withReadOnly(shape, READ_ONLY);
}

export function withReadOnly<T extends Shape>(
  shape: T,
  names: readonly string[],
): z.ZodObject<T, z.core.$strict> {
  const ignored = Object.fromEntries(
    names.map((name) => [
      name,
      z
        .unknown()
        .optional()
        .transform(() => undefined),
    ]),
  );
  // The result type omits the ignored members, so that no code reads them.
  return z.strictObject({ ...ignored, ...shape });
}

/** Names of the members that a schema allows at a path, sorted. */
export function allowedAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let current: z.ZodType = schema;
  for (const key of path) {
    while (current instanceof z.ZodOptional || current instanceof z.ZodNullable) {
      current = current.unwrap() as z.ZodType;
    }
    if (current instanceof z.ZodObject) current = current.shape[String(key)] as z.ZodType;
    else if (current instanceof z.ZodArray) current = current.element as z.ZodType;
    else if (current instanceof z.ZodRecord) current = current.valueType as z.ZodType;
    else return [];
  }
  while (current instanceof z.ZodOptional || current instanceof z.ZodNullable) {
    current = current.unwrap() as z.ZodType;
  }
  return current instanceof z.ZodObject ? Object.keys(current.shape).sort() : [];
}

/** The message for an invalid value, unless the schema has its own message. */
function textOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'a value is needed';
  if (issue.code === 'invalid_type') return `a value of the type ${issue.expected} is needed`;
  return issue.code === 'invalid_value'
    ? `one of ${issue.values.map(String).join(', ')} is needed`
    : 'the value is not allowed';
}

/** Parses the body with the schema; throws an error that names every invalid member. */
export function readBody<T extends z.ZodType>(schema: T, value: unknown, type: string): z.infer<T> {
  if (value === undefined) {
    throw new ArmError(
      400,
      'MissingRequestContent',
      `The request to ${type} has no body; a JSON object is needed.`,
    );
  }
  const parsed = schema.safeParse(value, { error: textOf });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map((issue) => {
    const where = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      const names = issue.keys.map((key) => `'${[where, key].filter((part) => part !== '').join('.')}'`);
      return {
        code: 'UnknownProperty',
        target: where,
        message: `Could not find member ${names.join(', ')} of ${type} in the local cloud. Known here: ${allowedAt(schema, issue.path).join(', ')}.`,
      };
    }
    const subject = where === '' ? 'The body' : `'${where}'`;
    return { code: 'InvalidProperty', target: where, message: `${subject}: ${issue.message}.` };
  });
  throw new ArmError(
    400,
    'InvalidRequestContent',
    `The request content was invalid: ${details.map((detail) => detail.message).join(' ')}`,
    { details },
  );
}
