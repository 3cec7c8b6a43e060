import type { z } from 'zod';
import type { Path, Problem } from './problem';
import { encryptedOnly, formatConfigPath, formatProblem, show } from './problem';
import type { StackSettings } from './schema';
import { stackSchema } from './schema';
import { nearest } from './nearest';
import {
  choicesOf,
  chosenShape,
  elsewhere,
  keySchemaAt,
  keysAt,
  metaOf,
  schemaAt,
  toldApartBy,
  valueAt,
} from './shapes';
import { unknownKey } from './unknownKey';

type Key = keyof StackSettings;

/** Lists of which the entries are read one by one. */
const lists = ['clusters', 'applications'] as const;
type List = (typeof lists)[number];

/** The valid part of a configuration, and the problems of the rest. */
export interface ParseResult {
  /** An invalid list has its valid entries; any other invalid key has its default, or nothing without one. */
  readonly found: Partial<StackSettings> & Pick<StackSettings, List>;
  /** The keys without a problem. */
  readonly valid: ReadonlySet<Key>;
  /** The whole configuration, if there is no problem. */
  readonly settings?: StackSettings;
  readonly problems: readonly Problem[];
  /** For each entry of the lists of `found`, its index in the file. */
  readonly places: Readonly<Record<List, readonly number[]>>;
}

/** Checks the shape of a configuration: keys, types, and single values. */
export function parseSettings(input: Readonly<Record<string, unknown>>): ParseResult {
  const { problems } = parseAs(stackSchema, input);
  const { shape } = stackSchema;
  const keys = Object.keys(shape) as Key[];
  const valid = new Set(keys.filter((key) => problems.every(({ path }) => path[0] !== key)));
  const found: Record<string, unknown> = {};
  for (const key of keys) found[key] = shape[key].safeParse(valid.has(key) ? input[key] : undefined).data;
  const places: Record<List, number[]> = { clusters: [], applications: [] };
  for (const key of lists) {
    const given: unknown[] = Array.isArray(input[key]) ? input[key] : [];
    const entries = given.map((entry) => shape[key].safeParse([entry]).data?.[0]);
    // What an application runs is not known until its release file is read; a wrong file is reported there.
    const isKnown = (entry: (typeof entries)[number]) => entry !== undefined && !('release' in entry);
    found[key] = entries.filter(isKnown);
    places[key] = [...entries.keys()].filter((place) => isKnown(entries[place]));
    if (places[key].length < entries.length) valid.delete(key);
  }
  const settings = found as unknown as StackSettings;
  const isWhole = problems.length === 0 && valid.size === keys.length;
  return { found: settings, valid, ...(isWhole && { settings }), problems, places };
}

/** Parses a value by a schema, or gives every problem of its shape, with paths in the value. */
export function parseAs<T extends z.ZodType>(
  schema: T,
  input: unknown,
): { readonly value?: z.output<T>; readonly problems: readonly Problem[] } {
  const result = schema.safeParse(input);
  if (result.success) return { value: result.data, problems: [] };
  const problems = result.error.issues
    .flatMap((issue) => meantShape(issue, schema, input))
    .flatMap((issue) => toProblems(issue, schema, input));
  // One value may break several rules of its field, which has one message.
  return { problems: distinct(problems) };
}

/** Each problem once. */
export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [formatProblem(problem), problem])).values()];
}

/**
 * Where several shapes are allowed, the issues of the shape that the value has: for a list, it is no help to read what
 * an object would need. If no shape fits, the issue stays, and names all that are allowed.
 */
function meantShape(issue: z.core.$ZodIssue, root: z.ZodType, input: unknown): z.core.$ZodIssue[] {
  const path = issue.path.map(toStep);
  const value = valueAt(input, path);
  const placed = (nested: z.core.$ZodIssue) => ({ ...nested, path: [...issue.path, ...nested.path] });
  if (issue.code === 'unrecognized_keys') {
    // Of several shapes, zod gives the issues of the only one that it could read to its end, meant or not.
    const own = chosenShape(root, input, path)?.safeParse(value).error?.issues;
    if (own === undefined) return [issue];
    return own
      .map((nested) => ({ isHere: nested.path.length === 0, nested: placed(nested) }))
      .flatMap(({ isHere, nested }) => (isHere ? [nested] : meantShape(nested, root, input)));
  }
  if (issue.code !== 'invalid_union') return [issue];
  if (typeof value !== 'object' || value === null) return [issue];
  const by = toldApartBy(root, input, path);
  const meant =
    by !== undefined
      ? issue.errors[by.chosen]
      : issue.errors.find((shape) =>
          shape.every(
            ({ code, path: inside }) =>
              code !== 'invalid_value' && (code !== 'invalid_type' || inside.length > 0),
          ),
        );
  if (meant === undefined) return [issue];
  return meant.map(placed).flatMap((nested) => meantShape(nested, root, input));
}

function toStep(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}

function toProblems(issue: z.core.$ZodIssue, root: z.ZodType, input: unknown): Problem[] {
  const path = issue.path.map(toStep);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const at = [...path, key];
      const other = elsewhere(root, input, at);
      if (other === undefined) return unknownKey(at, key, keysAt(root, input, path));
      return { path: at, value: shownAt(input, at), ...other };
    });
  }
  // A wrong key of a record (the name of a secret) is reported at the key itself.
  const isKey = issue.code === 'invalid_key';
  const schema = isKey ? keySchemaAt(root, input, path.slice(0, -1)) : schemaAt(root, input, path);
  const value = isKey ? path.at(-1) : valueAt(input, path);
  const choices = choicesOf(schema);
  const { allowed = choices?.join(', '), example } = metaOf(schema);
  if (value === undefined || value === null) {
    const around = path.slice(0, -1);
    const by = toldApartBy(root, input, around);
    if (value === undefined && by?.keys.includes(String(path.at(-1))) === true) {
      const what = `has none of ${by.keys.map((key) => `\`${key}\``).join(', ')}`;
      return [{ path: around, what, allowed: 'exactly one of them', remedy: 'Add one.' }];
    }
    const what = value === null ? 'has no value' : 'is missing';
    return [{ path, what, allowed, remedy: missingRemedy(path, example) }];
  }
  const near = typeof value === 'string' ? nearest(value, choices ?? []) : undefined;
  return [
    {
      path,
      value: isKey ? show(value) : shownAt(input, path),
      what: 'is not allowed',
      allowed,
      ...(near !== undefined && { remedy: `Did you mean ${near}?` }),
    },
  ];
}

function missingRemedy(path: Path, example: string | undefined): string {
  if (path[0] === 'secretValues') {
    return `Set it with \`pulumi config set --secret --path '${formatConfigPath(path)}'\`, or remove the key if the secret is in its vault already.`;
  }
  return example === undefined ? 'Add it.' : `Add it, for example \`${String(path.at(-1))}: ${example}\`.`;
}

/** The value at the path as a problem shows it; undefined for a secret, and where there is no value. */
export function shownAt(input: unknown, path: Path): string | undefined {
  const isSecret = path.some((step, place) => {
    if (place === 0) return encryptedOnly.includes(String(step));
    // A tag or a label may have one of these names.
    return (step === 'env' || step === 'values') && !['tags', 'labels'].includes(String(path[place - 1]));
  });
  return isSecret ? undefined : show(valueAt(input, path));
}
