import type * as pulumi from '@pulumi/pulumi';
import * as exported from '../../../../components/index';
import type { Arguments } from './accepted';
import { record } from './recorder';

type Component = new (name: string, args: Arguments) => pulumi.ComponentResource;

/** A component by its name, as a program without a type checker makes it. */
export function make(type: string, args: unknown): pulumi.ComponentResource {
  const created = (exported as unknown as Record<string, Component>)[type];
  if (created === undefined) throw new Error(`${type} is not exported.`);
  return new created('x-name', args as Arguments);
}

/** The error of a component with these arguments; undefined if they are accepted. */
export function refusal(type: string, args: unknown): Promise<unknown> {
  return record(() => make(type, args)).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** What a component says against these arguments, a problem a line. */
export async function refused(type: string, args: unknown): Promise<string[]> {
  const error = await refusal(type, args);
  if (error instanceof exported.InvalidArgumentError) return error.message.split('\n');
  throw new Error(`${type} is not refused, or by another error: ${String(error)}`, { cause: error });
}
