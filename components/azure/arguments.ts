import type { ArgumentProblem } from '../resource/errors';
import { InvalidArgumentError } from '../resource/errors';
import { isLate } from '../resource/argumentValues';
import schema from '../schema.json';

/** The description of a value in Pulumi's schema. */
interface ValueSchema {
  readonly $ref?: string;
  /** True if the value must not be an output. */
  readonly plain?: boolean;
  readonly items?: ValueSchema;
  readonly additionalProperties?: ValueSchema;
}

/** An object type, an enumeration, or the arguments of a component. */
interface TypeSchema {
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly value: unknown }[];
}

const components: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = Object.entries(
  schema.resources,
);
const types = new Map<string, TypeSchema>([
  ...Object.entries(schema.types).map(([token, type]) => [nameIn(token), type as TypeSchema] as const),
  ...components.map(
    ([token, { inputProperties: properties, requiredInputs: required }]) =>
      [nameIn(token), { properties, required } as TypeSchema] as const,
  ),
]);

/** Groups of arguments: a component needs exactly one of each group. */
const alternatives: Readonly<Partial<Record<string, readonly string[]>>> = {
  // prettier-ignore
  DependencyServiceArgs: ['storageAccount', 'postgresql', 'redis', 'serviceBus', 'identity', 'vault', 'resource'],
  EntraGroup: ['create', 'existing'],
  KeyVault: ['create', 'existing'],
  LogWorkspace: ['create', 'existing'],
  ManagedIdentity: ['create', 'existing'],
  StoredCredential: ['certificate', 'password'],
  TrustedPipeline: ['gitHub', 'serviceConnection'],
  Workload: ['image', 'chart', 'deployedByOthers'],
  WorkloadIdentityCluster: ['create', 'existing', 'external'],
};

/** Returns the last part of a token or of a reference to a type. */
function nameIn(token: string): string {
  return token.replace(/^.*[:/]/, '');
}

/**
 * Returns the arguments of a component, with null treated as no value. It refuses arguments with which the component cannot
 * work: missing values, outputs where a value must be known at once, unknown enumeration values, and none or several of
 * alternatives. Azure and the providers check single values further.
 * @param type type of the component
 * @param further returns further problems
 */
export function checkedArguments<T extends object>(
  type: string,
  name: string,
  args: T,
  further: (args: T) => readonly ArgumentProblem[] = () => [],
): T {
  const problems: ArgumentProblem[] = [];
  const found = checkedObject(args, type, '', problems) as T;
  if (problems.length === 0) problems.push(...further(found));
  if (problems.length === 0) return found;
  throw new InvalidArgumentError(`${type} ${name}`, ...problems);
}

function checkedObject(args: object, type: string, path: string, problems: ArgumentProblem[]): object {
  // The object itself, because it may have accessors; an empty object for null.
  const values = Object(args) as Readonly<Record<string, unknown>>;
  const { properties = {}, required = [] } = types.get(type) ?? {};
  const found = Object.entries(properties).map(([property, wanted]) => {
    const argument = path === '' ? property : `${path}.${property}`;
    const value = values[property] ?? undefined;
    if (value === undefined && required.includes(property))
      problems.push({ argument, problem: 'is missing', allowed: 'a value' });
    return [property, checkedValue(value, wanted, argument, problems)];
  });
  const choices = alternatives[type] ?? [];
  const chosen = choices.filter((choice) => (values[choice] ?? undefined) !== undefined);
  if (choices.length > 0 && chosen.length !== 1)
    problems.push({
      argument: path === '' ? 'args' : path,
      problem: chosen.length === 0 ? 'is missing' : `cannot have both ${chosen.join(' and ')}`,
      allowed: `exactly one of ${choices.join(', ')}`,
    });
  return { ...values, ...(Object.fromEntries(found) as object) };
}

function checkedValue(
  value: unknown,
  wanted: ValueSchema,
  argument: string,
  problems: ArgumentProblem[],
): unknown {
  if (isLate(value)) {
    const problem = 'is an output of another resource, but must be known before resources are created';
    if (wanted.plain === true) problems.push({ argument, problem, allowed: 'a plain value' });
    return value;
  }
  if (Array.isArray(value))
    return value.map((item, index) =>
      checkedValue(item, wanted.items ?? {}, `${argument}[${index}]`, problems),
    );
  const type = nameIn(wanted.$ref ?? '');
  const words = types.get(type)?.enum?.map((word) => word.value);
  if (words !== undefined && value !== undefined && !words.includes(value))
    problems.push({
      ...{ argument, value: value as string, problem: 'is not possible', allowed: words.join(', ') },
    });
  if (typeof value !== 'object' || value === null) return value;
  if (types.get(type)?.properties !== undefined) return checkedObject(value, type, argument, problems);
  for (const [key, item] of Object.entries(value))
    checkedValue(item, wanted.additionalProperties ?? {}, `${argument}["${key}"]`, problems);
  return value;
}
