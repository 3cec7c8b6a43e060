import * as pulumi from '@pulumi/pulumi';
import type { ArgumentProblem } from '../resource/errors';
import { InvalidArgumentError } from '../resource/errors';
import { isLate, repetitions } from '../resource/given';
import schema from '../schema.json';
import type { Format } from './formats';
import { alternatives, formatOf, keyProperties, misfits, namedAfterComponent, notEmpty } from './formats';

/** A value as Pulumi's schema describes it. */
interface ValueSchema {
  readonly type?: string;
  readonly $ref?: string;
  /** It cannot be an output. */
  readonly plain?: boolean;
  readonly items?: ValueSchema;
  readonly additionalProperties?: ValueSchema;
}

/** A type of objects or of texts, or the arguments of a component. */
interface TypeSchema {
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly value: unknown }[];
}

const components: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = Object.entries(
  schema.resources,
);
const types = new Map<string, TypeSchema>([
  ...Object.entries(schema.types).map(([token, type]) => [nameIn(token), type] as const),
  ...components.map(
    ([token, { inputProperties: properties, requiredInputs: required }]) =>
      [nameIn(token), { properties, required } as TypeSchema] as const,
  ),
]);

/** The last part of a token or of a reference to a type. */
function nameIn(token: string): string {
  return token.replace(/^.*[:/]/, '');
}

/** Where a value is: at `subjects[0].namespace`, which is `namespace` of a `TrustedServiceAccount`. */
interface Place {
  readonly path: string;
  readonly type: string;
  readonly property: string;
  /** It is a value of an object of texts, which may be empty. */
  readonly inMap?: true;
}

/**
 * The arguments of a component if all of them are as the schema and the formats say. All that is wrong with plain values is
 * in one error; `further` is asked once all have their types. What is an output of another resource is checked once it is
 * known. null is the same as no value.
 * @param type the component's
 * @param further finds what else is wrong with arguments that are of their types
 */
export function checkedArguments<T extends object>(
  type: string,
  name: string,
  args: T,
  further: (args: T) => readonly ArgumentProblem[] = () => [],
): T {
  const check = new ArgumentCheck(type, name);
  return check.passed(() => {
    const found = check.object(args, { path: '', type, property: '' }) as T;
    if (!check.mistyped) check.problems.push(...further(found));
    return found;
  });
}

/** One check: of all arguments of a component, or of one of them once it is known. */
class ArgumentCheck {
  readonly problems: ArgumentProblem[] = [];
  /** Something is missing or has a wrong type. */
  mistyped = false;

  /** @param hides values are not shown, since they are secret */
  constructor(
    private readonly type: string,
    private readonly name: string,
    private readonly hides = false,
  ) {}

  /** What is found, unless there are problems. */
  passed<T>(find: () => T): T {
    const found = find();
    if (this.problems.length === 0) return found;
    throw new InvalidArgumentError(`${this.type} ${this.name}`, ...this.problems);
  }

  object(given: object, place: Place): object {
    const { path, type } = place;
    // The object itself, which may have accessors; an empty one of null.
    const values = Object(given) as Readonly<Record<string, unknown>>;
    const { properties = {}, required = [] } = types.get(type) ?? {};
    const choices = alternatives[type] ?? [];
    const found = Object.entries(properties).map(([property, wanted]) => {
      const inner = { path: path === '' ? property : `${path}.${property}`, type, property };
      // An alternative that is chosen by an output must have a value once that is known.
      const isRequired =
        required.includes(property) || (isLate(values[property]) && choices.includes(property));
      return [property, this.value(values[property], wanted, inner, isRequired)];
    });
    const chosen = choices.filter((one) => (values[one] ?? undefined) !== undefined);
    if (choices.length > 0 && chosen.length !== 1) {
      const problem = chosen.length === 0 ? 'is missing' : `cannot have both ${chosen.join(' and ')}`;
      this.refuse(path === '' ? 'args' : path, problem, `exactly one of ${choices.join(', ')}`);
    }
    return { ...values, ...(Object.fromEntries(found) as object) };
  }

  private value(given: unknown, wanted: ValueSchema, place: Place, required: boolean): unknown {
    const { path, type, property } = place;
    const value = given ?? (namedAfterComponent.includes(`${type}.${property}`) ? this.name : undefined);
    if (isLate(value)) return this.late(value, wanted, place, required);
    const typeName = nameIn(wanted.$ref ?? '');
    if (typeName === 'Any') return given;
    if (value === undefined && !required) return value;
    const known = types.get(typeName);
    const further = place.inMap === true ? undefined : notEmpty;
    const format = known?.enum === undefined ? (formatOf(type, property) ?? further) : oneOfThese(known.enum);
    const kind = wanted.type ?? (known?.enum === undefined ? 'object' : 'string');
    if (kind !== (Array.isArray(value) ? 'array' : typeof value)) {
      const problem = value === undefined ? 'is missing' : 'has a wrong type';
      return this.refuse(path, problem, allowedValues(kind, known, format), value);
    }
    if (Array.isArray(value)) {
      this.refuseRepetitions(value, wanted.items, path);
      return value.map((one, index) =>
        this.value(one, wanted.items ?? {}, { ...place, path: `${path}[${index}]` }, true),
      );
    }
    if (typeof value !== 'object') {
      const problems = format === undefined ? [] : misfits(format, path, value as string);
      for (const { value: wrong, ...problem } of problems)
        this.problems.push(this.shows(path) ? { ...problem, value: wrong } : problem);
      this.mistyped ||= known !== undefined && problems.length > 0;
      return value;
    }
    if (known !== undefined) return this.object(value, { ...place, type: typeName });
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]: [string, unknown]) => [
          key,
          this.value(
            one,
            wanted.additionalProperties ?? {},
            { ...place, path: `${path}["${key}"]`, inMap: true },
            true,
          ),
        ]),
    );
  }

  /** Texts are compared without regard to case, as Azure compares most names. */
  private refuseRepetitions(list: readonly unknown[], items: ValueSchema = {}, path: string): void {
    for (const key of keyProperties[nameIn(items.$ref ?? '')] ?? ['']) {
      const keys = list.map((one) =>
        key === '' ? one : joined(Object(one) as Readonly<Record<string, unknown>>, key.split('/')),
      );
      const texts = keys.map((one) => (typeof one === 'string' ? one.toLowerCase() : undefined));
      for (const { value, index, first } of repetitions(texts))
        if (value !== undefined)
          this.problems.push({
            argument: `${path}[${index}]${key === '' ? '' : `.${key}`}`,
            value,
            problem: `is that of ${path}[${first}] already`,
            allowed: 'each only once',
          });
    }
  }

  private late(value: unknown, wanted: ValueSchema, place: Place, required: boolean): unknown {
    const problem = 'is an output of another resource, and has to be known before resources are made';
    if (wanted.plain === true) return this.refuse(place.path, problem, 'a plain value');
    const output = pulumi.output(value as pulumi.Input<string>);
    return pulumi.all([output, pulumi.isSecret(output)]).apply(([known, isSecret]) => {
      const check = new ArgumentCheck(this.type, this.name, this.hides || isSecret);
      return check.passed(() => check.value(known, wanted, place, required));
    });
  }

  private refuse(argument: string, problem: string, allowed: string, value?: unknown): unknown {
    this.mistyped = true;
    const isShown = typeof value !== 'object' && this.shows(argument);
    this.problems.push({ argument, problem, allowed, ...(isShown && { value: value as string }) });
    return undefined;
  }

  private shows(argument: string): boolean {
    return !this.hides && !secret.test(argument);
  }
}

/** Arguments whose values are never shown. */
const secret = /^secrets\b|kubeconfig$|\benv\b/;

function oneOfThese(known: readonly { readonly value: unknown }[]): Format {
  const values = known.map(({ value }) => value);
  return { problem: 'is not possible', allowed: values.join(', '), fits: (one) => values.includes(one) };
}

/** What is allowed, in words. */
function allowedValues(kind: string, type: TypeSchema | undefined, format: Format | undefined): string {
  if (kind === 'array') return 'a list';
  if (kind === 'boolean') return 'true, false';
  if (kind !== 'object') return format?.allowed ?? (kind === 'string' ? 'a text' : 'a number');
  if (type?.properties === undefined) return 'an object of texts';
  const { properties, required = [] } = type;
  return required.length > 0
    ? `an object with at least ${required.join(', ')}`
    : `an object of ${Object.keys(properties).join(', ')}`;
}

/** The texts of these properties, with slashes between them; undefined if one is no text, such as an output. */
function joined(one: Readonly<Record<string, unknown>>, properties: readonly string[]): string | undefined {
  const values = properties.map((property) => one[property]);
  return values.every((value) => typeof value === 'string') ? values.join('/') : undefined;
}
