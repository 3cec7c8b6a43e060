import * as z from 'zod';
import { valueAt } from '../stacks/settings/problem';

/** Placeholder of the engine for an unknown value in a preview (pulumi sdk/go/common/resource/plugin/rpc.go). */
export const unknownValue = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** Its placeholder for a secret value. */
export const secretValue = '[secret]';

export type Inputs = Readonly<Record<string, unknown>>;

const newState = z.object({
  /** `<URN>::<id>`. */
  provider: z.string().optional(),
  id: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  outputs: z.record(z.string(), z.unknown()).optional(),
  /** URNs of the resources that each input comes from. */
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).nullish(),
});

const step = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: z
    .object({
      id: z.string().optional(),
      outputs: z.record(z.string(), z.unknown()).optional(),
      retainOnDelete: z.boolean().default(false),
    })
    .optional(),
  newState: newState.optional(),
});

/** A step of the next update: its effect on one resource. */
export type Step = z.infer<typeof step>;

/** A resource that the next update would create. */
export type Create = z.infer<typeof newState> & { urn: string };

const previewOutput = z.object({
  steps: z.array(step).default([]),
  /** Number of steps by operation, including those that are not listed. */
  changeSummary: z.record(z.string(), z.number()).default({}),
});

/** Parses the JSON output of a pulumi command; notes of the program may precede it. */
export const jsonIn = (stdout: string): unknown => JSON.parse(stdout.slice(stdout.indexOf('{')));

/** Parses the output of `pulumi preview --json`. */
export function parsePreview(stdout: string): z.infer<typeof previewOutput> {
  return previewOutput.parse(jsonIn(stdout));
}

/** Returns the resources that would be created, in the order of their registration. */
export function createsOf(steps: readonly Step[]): Create[] {
  return steps.flatMap(({ op, urn, newState: state }) =>
    op !== 'create' || state === undefined || typeOf(urn) === 'pulumi:pulumi:Stack'
      ? []
      : [{ urn, ...state }],
  );
}

/** Returns the resource's own type from `urn:pulumi:<stack>::<project>::<parents' types>$<type>::<name>`. */
export function typeOf(urn: string): string {
  return urn.split('::')[2]?.split('$').at(-1) ?? '';
}

export function nameInUrn(urn: string): string {
  return urn.split('::').slice(3).join('::');
}

/** Returns a string among the inputs by its path; undefined if it is unknown. */
export function textAt(inputs: Inputs | undefined, path: string): string | undefined {
  const value = valueAt(inputs, path.split('.'));
  return typeof value === 'string' && !isUnknown(value) && value !== secretValue ? value : undefined;
}

export function isUnknown(value: unknown): boolean {
  return typeof value === 'string' && value.includes(unknownValue);
}
