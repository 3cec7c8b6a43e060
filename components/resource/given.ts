import * as pulumi from '@pulumi/pulumi';
import { InvalidArgumentError } from './errors';

/** One of several arguments, and which. */
export type Choice<T> = {
  [K in keyof T & string]-?: { readonly kind: K; readonly value: NonNullable<T[K]> };
}[keyof T & string];

/** The one of several arguments that is given: of others than TypeScript, a component may get none, or two. */
export function oneOf<T extends object>(component: string, argument: string, choices: T): Choice<T> {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined) as [string, unknown][];
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

/** What is read of a value: at once if it is plain, so that the error is the program's, else once it is known. */
export function read<T, R>(value: pulumi.Input<T>, reader: (value: T) => R): pulumi.Output<R> {
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return pulumi.output(value).apply<R>((known) => reader(known as T));
  return pulumi.output(reader(value)) as pulumi.Output<R>;
}

/** The value itself, once it is checked. */
export function checked<T>(value: pulumi.Input<T>, check: (value: T) => void): pulumi.Input<T> {
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return pulumi.output(value).apply<T>((known) => {
      check(known as T);
      return known as T;
    });
  check(value);
  return value;
}

/** Refuses outputs in arguments that resources are named by, or that say which there are. */
export function assertKnown(component: string, args: Readonly<Record<string, unknown>>): void {
  for (const [argument, value] of Object.entries(args)) {
    if (pulumi.Output.isInstance(value) || value instanceof Promise) {
      throw new InvalidArgumentError({
        component,
        argument,
        problem: 'is only known once another resource is there, and resources are named by it',
        allowed: 'a value that is written down',
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
