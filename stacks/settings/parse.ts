import type { z } from 'zod';
import type { Path, Problem } from './problem';
import { encryptedOnly, formatConfigPath, formatProblem, show } from './problem';
import { isRecord } from './record';
import type { StackSettings } from './schema';
import { stackSchema } from './schema';
import { nearest } from './nearest';
import { choicesOf, elsewhere, keySchemaAt, keysAt, metaOf, schemaAt, toldApartBy, valueAt } from './shapes';
import { unknownKey } from './unknownKey';

type Key = keyof StackSettings;

/** Lists of which the entries are read one by one. */
const lists = ['clusters', 'applications'] as const;
type List = (typeof lists)[number];

/** What is right in itself of a configuration, and what is wrong with the rest. */
export interface ParseResult {
  /** Of what is wrong, a list has the entries that are right, another key its default, or nothing if it has none. */
  readonly found: Partial<StackSettings> & Pick<StackSettings, List>;
  /** The keys of which nothing is wrong. */
  readonly right: ReadonlySet<Key>;
  /** The whole, if nothing is wrong. */
  readonly settings?: StackSettings;
  readonly problems: readonly Problem[];
  /** Places in the file of the entries of `found`. */
  readonly places: Readonly<Record<List, readonly number[]>>;
}

/** Checks the shape of a configuration: keys, types, and what single values may be. */
export function parseSettings(input: Readonly<Record<string, unknown>>): ParseResult {
  const { shape } = stackSchema;
  const names = Object.keys(shape) as Key[];
  const problems: Problem[] = [];
  const found: Record<string, unknown> = { clusters: [], applications: [] };
  const right = new Set<Key>();
  const places: Record<List, number[]> = { clusters: [], applications: [] };
  for (const key of names) {
    const { value, problems: wrong } = parseAt(shape[key], input[key], [key]);
    problems.push(...wrong);
    if (wrong.length === 0) right.add(key);
    found[key] ??= value ?? shape[key].safeParse(undefined).data;
  }
  for (const key of lists) {
    const given: unknown = input[key];
    const entries = (Array.isArray(given) ? given : []).flatMap((one: unknown, place) => {
      const { data, success } = shape[key].safeParse([one]);
      // Of a release file that cannot be told, nothing is known of what it runs; that is reported where it is read.
      const isKnown = success && !(isRecord(data[0]) && 'release' in data[0]);
      if (!isKnown) right.delete(key);
      return isKnown ? [{ place, value: data[0] }] : [];
    });
    found[key] = entries.map(({ value }) => value);
    places[key] = entries.map(({ place }) => place);
  }
  const unknown = Object.keys(input).filter((key) => !(key in shape));
  problems.push(...unknown.map((key) => unknownKey([key], key, names)));
  const settings = found as unknown as StackSettings;
  return {
    found: settings,
    right,
    ...(problems.length === 0 && right.size === names.length && { settings }),
    problems,
    places,
  };
}

/** Reads a value as what the schema says, or tells everything that is wrong with its shape, with paths in the value. */
export function parseAs<T extends z.ZodType>(
  schema: T,
  input: unknown,
): { readonly value?: z.output<T>; readonly problems: readonly Problem[] } {
  return parseAt(schema, input, []);
}

function parseAt<T extends z.ZodType>(schema: T, input: unknown, at: Path) {
  const result = schema.safeParse(input);
  if (result.success) return { value: result.data, problems: [] };
  const problems = result.error.issues
    .flatMap((issue) => meantShape(issue, schema, input))
    .flatMap((issue) => toProblems(issue, schema, input, at));
  // One value may break several rules of its field, whose message is one.
  return { problems: [...new Map(problems.map((problem) => [formatProblem(problem), problem])).values()] };
}

/**
 * Of a value that may have one of several shapes, what is wrong with it in the shape that it has: told of a list, what
 * an object there would need is no help. Without such a shape the issue stays, which tells all that are allowed.
 */
function meantShape(issue: z.core.$ZodIssue, root: z.ZodType, input: unknown): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const path = issue.path.map(toStep);
  const value = valueAt(input, path);
  if (typeof value !== 'object' || value === null) return [issue];
  const by = toldApartBy(root, input, path);
  const meant =
    by !== undefined && isRecord(value)
      ? issue.errors[by.chosen]
      : issue.errors.find((shape) =>
          shape.every(
            ({ code, path: inside }) =>
              code !== 'invalid_value' && (code !== 'invalid_type' || inside.length > 0),
          ),
        );
  if (meant === undefined) return [issue];
  return meant
    .map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }))
    .flatMap((nested) => meantShape(nested, root, input));
}

function toStep(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}

function toProblems(issue: z.core.$ZodIssue, root: z.ZodType, input: unknown, at: Path): Problem[] {
  const inside = issue.path.map(toStep);
  const path = [...at, ...inside];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const other = elsewhere(root, input, [...inside, key]);
      if (other === undefined) return unknownKey([...path, key], key, keysAt(root, input, inside));
      const shown = isSecret([...path, key]) ? undefined : show(valueAt(input, [...inside, key]));
      return { path: [...path, key], ...(shown !== undefined && { value: shown }), ...other };
    });
  }
  // A wrong key of a record (the name of a secret) is reported at the key itself.
  const wrongKey = issue.code === 'invalid_key';
  const schema = wrongKey ? keySchemaAt(root, input, inside.slice(0, -1)) : schemaAt(root, input, inside);
  const value = wrongKey ? inside.at(-1) : valueAt(input, inside);
  const { allowed = choicesOf(schema)?.join(', '), example } = metaOf(schema);
  if (value === undefined || value === null) {
    const by = toldApartBy(root, input, inside.slice(0, -1));
    if (value === undefined && by?.keys.includes(String(inside.at(-1))) === true) {
      const what = `has none of ${by.keys.map((key) => `\`${key}\``).join(', ')}`;
      return [{ path: path.slice(0, -1), what, allowed: 'exactly one of them', remedy: 'Add one.' }];
    }
    return [
      {
        path,
        what: value === null ? 'has no value' : 'is missing',
        ...(allowed !== undefined && { allowed }),
        remedy: missingRemedy(path, example, at.length > 0 ? 'the stack file' : 'the file'),
      },
    ];
  }
  const shown = isSecret(path) && !wrongKey ? undefined : show(value);
  const near = typeof value === 'string' ? nearest(value, choicesOf(schema) ?? []) : undefined;
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

/** Values below these keys are never shown. */
function isSecret(path: Path): boolean {
  return encryptedOnly.includes(String(path[0])) || path.includes('env') || path.includes('values');
}
