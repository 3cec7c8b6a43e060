import { z } from 'zod';
import { nearest } from './nearest';
import type { Path, Problem } from './problem';
import { formatProblem, show } from './problem';
import type { StackSettings } from './schema';
import { stackSchema } from './schema';

/** What reading the configuration gave: settings if the shape is right, and what is wrong with it. */
export interface ParseResult {
  /** Undefined if the shape is wrong somewhere. */
  readonly settings?: StackSettings;
  readonly problems: readonly Problem[];
}

/** Checks the shape of a configuration: keys, types, and what single values may be. */
export function parseSettings(input: Readonly<Record<string, unknown>>): ParseResult {
  const result = stackSchema.safeParse(input);
  if (result.success) return { settings: result.data, problems: [] };
  const problems = result.error.issues.flatMap((issue) => toProblems(issue, input));
  // One value may break several rules of its field, whose message is one.
  return { problems: [...new Map(problems.map((problem) => [formatProblem(problem), problem])).values()] };
}

function toProblems(issue: z.core.$ZodIssue, input: unknown): Problem[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') {
    const known = keysOf(schemaAt(path));
    return issue.keys.map((key) => unknownKey([...path, key], key, known));
  }
  // A wrong key of a record (the name of a secret) is reported at the key itself.
  const wrongKey = issue.code === 'invalid_key';
  const schema = wrongKey ? keySchemaAt(path.slice(0, -1)) : schemaAt(path);
  const value = wrongKey ? path.at(-1) : valueAt(input, path);
  const allowed = metaText(schema, 'allowed');
  if (value === undefined || value === null) {
    const example = metaText(schema, 'example');
    return [
      {
        path,
        what: value === null ? 'has no value' : 'is missing',
        ...(allowed !== undefined && { allowed }),
        remedy: missingRemedy(path, example),
      },
    ];
  }
  const shown = isSecret(path) && !wrongKey ? undefined : show(value);
  const near =
    typeof value === 'string' && schema instanceof z.ZodEnum ? nearest(value, enumValues(schema)) : undefined;
  return [
    {
      path,
      ...(shown !== undefined && { value: shown }),
      what: 'is not allowed',
      ...(allowed !== undefined && { allowed }),
      ...(near !== undefined && { remedy: `Did you mean ${near}?` }),
    },
  ];
}

function missingRemedy(path: Path, example: string | undefined): string {
  if (path[0] === 'secretValues') {
    return `Set it with \`pulumi config set --secret --path '${path.join('.')}'\`, or remove the key if the secret is in its vault already.`;
  }
  return example === undefined
    ? 'Add it to the stack file.'
    : `Add it to the stack file, for example \`${String(path.at(-1))}: ${example}\`.`;
}

function unknownKey(path: Path, key: string, known: readonly string[]): Problem {
  const near = nearest(key, known);
  return {
    path,
    what: 'is not a known key',
    allowed: known.join(', '),
    remedy: near === undefined ? 'Remove it.' : `Did you mean ${near}?`,
  };
}

/** Values below these keys are never shown. */
function isSecret(path: Path): boolean {
  return path[0] === 'secretValues' || path.includes('env') || path.includes('values');
}

function unwrap(schema: unknown): unknown {
  let current = schema;
  while (current instanceof z.ZodOptional || current instanceof z.ZodDefault) current = current.unwrap();
  return current;
}

function schemaAt(path: Path): unknown {
  let current: unknown = stackSchema;
  for (const step of path) {
    current = unwrap(current);
    if (current instanceof z.ZodObject) current = shapeOf(current)[step];
    else if (current instanceof z.ZodArray) current = current.element;
    else if (current instanceof z.ZodRecord) current = current.valueType;
    else return undefined;
  }
  return unwrap(current);
}

function keySchemaAt(path: Path): unknown {
  const schema = schemaAt(path);
  return schema instanceof z.ZodRecord ? unwrap(schema.keyType) : undefined;
}

function shapeOf(schema: z.ZodObject): Record<string, unknown> {
  return schema.shape;
}

function keysOf(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function enumValues(schema: z.ZodEnum): string[] {
  return schema.options.map(String);
}

function metaText(schema: unknown, key: 'allowed' | 'example'): string | undefined {
  const text = schema instanceof z.ZodType ? schema.meta()?.[key] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function valueAt(input: unknown, path: Path): unknown {
  let current = input;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Object.entries(current).find(([key]) => key === String(step))?.[1];
  }
  return current;
}
