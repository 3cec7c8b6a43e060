import * as pulumi from '@pulumi/pulumi';
import { InvalidArgumentError } from './errors';

/** One of several arguments, with its name. */
export type Choice<T> = {
  [K in keyof T & string]-?: { readonly kind: K; readonly value: NonNullable<T[K]> };
}[keyof T & string];

/** The one of several arguments that is given. Programs in languages other than TypeScript may give none, or two. */
export function oneOf<T extends object>(component: string, argument: string, choices: T): Choice<T> {
  const given = (Object.entries(choices) as [string, unknown][]).filter(([, value]) => value !== undefined);
  const [first, second] = given;
  const allowed = `exactly one of ${Object.keys(choices).join(', ')}`;
  if (first === undefined)
    throw new InvalidArgumentError({ component, argument, problem: 'is missing', allowed });
  if (second !== undefined) {
    const problem = `cannot have both ${first[0]} and ${second[0]}`;
    throw new InvalidArgumentError({ component, argument, problem, allowed });
  }
  return { kind: first[0], value: first[1] } as Choice<T>;
}

/** Reads a value: at once if it is plain, so that an error is thrown by the program's own line, else once it is known. */
export function read<T, R>(value: pulumi.Input<T>, reader: (value: T) => R): pulumi.Output<R> {
  if (isLate(value)) return pulumi.output(value).apply<R>((known) => reader(known as T));
  return pulumi.output(reader(value as T)) as pulumi.Output<R>;
}

function isLate(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Refuses outputs in arguments that the names or the number of resources depend on. */
export function assertKnown(component: string, args: Readonly<Record<string, unknown>>): void {
  for (const [argument, value] of Object.entries(args)) {
    if (isLate(value)) {
      throw new InvalidArgumentError({
        component,
        argument,
        problem: 'is an output of another resource, and the names of resources depend on it',
        allowed: 'a plain value',
      });
    }
    if (typeof value !== 'object' || value === null) continue;
    assertKnown(
      component,
      Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          Array.isArray(value) ? `${argument}[${key}]` : `${argument}.${key}`,
          inner as unknown,
        ]),
      ),
    );
  }
}
