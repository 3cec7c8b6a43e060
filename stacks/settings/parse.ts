import { z } from 'zod';
import { nearest, nearestOnes } from './nearest';
import type { Path, Problem } from './problem';
import { encryptedOnly, formatConfigPath, formatProblem, show } from './problem';
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
  const { value, problems } = parseAs(stackSchema, input);
  return { ...(value !== undefined && { settings: value }), problems };
}

/** Reads a value as what the schema says, or tells everything that is wrong with its shape, with paths in the value. */
export function parseAs<T extends z.ZodType>(
  schema: T,
  input: unknown,
): { readonly value?: z.output<T>; readonly problems: readonly Problem[] } {
  const result = schema.safeParse(input);
  if (result.success) return { value: result.data, problems: [] };
  const problems = result.error.issues
    .flatMap((issue) => meantBranch(issue, input))
    .flatMap((issue) => toProblems(issue, input, schema));
  // One value may break several rules of its field, whose message is one.
  return { problems: [...new Map(problems.map((problem) => [formatProblem(problem), problem])).values()] };
}

/**
 * Of a value that may have one of several shapes, what is wrong with it in the shape that it has: told of a list, what
 * an object there would need is no help. Without such a shape the issue stays, which tells all that are allowed.
 */
function meantBranch(issue: z.core.$ZodIssue, input: unknown): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const value = valueAt(input, issue.path.map(toStep));
  if (typeof value !== 'object' || value === null) return [issue];
  const meant = issue.errors.find((branch) =>
    branch.every(
      ({ code, path }) => code !== 'invalid_value' && (code !== 'invalid_type' || path.length > 0),
    ),
  );
  if (meant === undefined) return [issue];
  return meant
    .map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }))
    .flatMap((nested) => meantBranch(nested, input));
}

function toStep(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}

function toProblems(issue: z.core.$ZodIssue, input: unknown, root: z.ZodType): Problem[] {
  const path = issue.path.map(toStep);
  if (issue.code === 'unrecognized_keys') {
    const known = keysOf(objectAt(root, path));
    return issue.keys.map((key) => unknownKey([...path, key], key, known));
  }
  // A wrong key of a record (the name of a secret) is reported at the key itself.
  const wrongKey = issue.code === 'invalid_key';
  const schema = wrongKey ? keySchemaAt(root, path.slice(0, -1)) : schemaAt(root, path);
  const value = wrongKey ? path.at(-1) : valueAt(input, path);
  const allowed = metaText(schema, 'allowed') ?? choicesOf(schema);
  if (value === undefined || value === null) {
    const example = metaText(schema, 'example');
    return [
      {
        path,
        what: value === null ? 'has no value' : 'is missing',
        ...(allowed !== undefined && { allowed }),
        remedy: missingRemedy(path, example, root === stackSchema ? 'the stack file' : 'the file'),
      },
    ];
  }
  const shown = isSecret(path) && !wrongKey ? undefined : show(value);
  const near = typeof value === 'string' ? nearest(value, enumValues(schema)) : undefined;
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

function missingRemedy(path: Path, example: string | undefined, file: string): string {
  if (path[0] === 'secretValues') {
    return `Set it with \`pulumi config set --secret --path '${formatConfigPath(path)}'\`, or remove the key if the secret is in its vault already.`;
  }
  return example === undefined
    ? `Add it to ${file}.`
    : `Add it to ${file}, for example \`${String(path.at(-1))}: ${example}\`.`;
}

/** As many keys as can be taken in at a glance. */
const shortList = 8;

/** Keys of earlier versions, and what says the same today. */
const formerKeys: Readonly<Record<string, { readonly today?: string; readonly remedy: string }>> = {
  adopt: { today: 'existing', remedy: 'Call it `existing`.' },
  adopted: { today: 'imported', remedy: 'Call it `imported`.' },
  deletion: {
    today: 'retainOnDelete',
    remedy:
      'Set `retainOnDelete` instead: `true` for what was `deletion: kept`, `false` for what was `deletion: allowed`.',
  },
  deletions: {
    remedy:
      'Remove it. What was taken out of the stack file stays in Azure, and `npx aks-wi leftovers` lists it with the command that deletes it.',
  },
};

/** A misspelt key needs the right one, and not thirty others beside it; any other needs to know what there is. */
function unknownKey(path: Path, key: string, known: readonly string[]): Problem {
  const former = Object.hasOwn(formerKeys, key) ? formerKeys[key] : undefined;
  if (former !== undefined && (former.today === undefined || known.includes(former.today)))
    return { path, what: 'is a key of an earlier version', remedy: former.remedy };
  const near = nearestOnes(key, known);
  return {
    path,
    what: 'is not a known key',
    ...((near.length === 0 || known.length <= shortList) && { allowed: known.join(', ') }),
    remedy: near.length === 0 ? 'Remove it.' : `Did you mean ${near.join(' or ')}?`,
  };
}

/** Values below these keys are never shown. */
function isSecret(path: Path): boolean {
  return encryptedOnly.includes(String(path[0])) || path.includes('env') || path.includes('values');
}

function unwrap(schema: unknown): unknown {
  let current = schema;
  while (
    current instanceof z.ZodOptional ||
    current instanceof z.ZodDefault ||
    current instanceof z.ZodPrefault
  )
    current = current.unwrap();
  return current;
}

function schemaAt(root: z.ZodType, path: Path): unknown {
  let current: unknown = root;
  for (const step of path) {
    current = branchFor(unwrap(current), step);
    if (current instanceof z.ZodObject) current = shapeOf(current)[step];
    else if (current instanceof z.ZodArray) current = current.element;
    else if (current instanceof z.ZodRecord) current = current.valueType;
    else return undefined;
  }
  return unwrap(current);
}

/** Of a union, the shape that has the step. */
function branchFor(schema: unknown, step: string | number): unknown {
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options: readonly unknown[] = schema.options;
  return options
    .map(unwrap)
    .find((option) =>
      typeof step === 'number'
        ? option instanceof z.ZodArray
        : option instanceof z.ZodObject || option instanceof z.ZodRecord,
    );
}

function keySchemaAt(root: z.ZodType, path: Path): unknown {
  const schema = schemaAt(root, path);
  return schema instanceof z.ZodRecord ? unwrap(schema.keyType) : undefined;
}

function shapeOf(schema: z.ZodObject): Record<string, unknown> {
  return schema.shape;
}

/** The object that a value at the path is, also if it may be something else. */
function objectAt(root: z.ZodType, path: Path): unknown {
  const schema = schemaAt(root, path);
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options: readonly unknown[] = schema.options;
  return options.map(unwrap).find((option) => option instanceof z.ZodObject);
}

function keysOf(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function enumValues(schema: unknown): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  if (!(schema instanceof z.ZodUnion)) return [];
  const options: readonly unknown[] = schema.options;
  return options.flatMap((option) => enumValues(unwrap(option)));
}

/** What is allowed, of a choice that stands in a list. */
function choicesOf(schema: unknown): string | undefined {
  return schema instanceof z.ZodEnum ? enumValues(schema).join(', ') : undefined;
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
