import { z } from 'zod';
import { valueAt } from '../../stacks/offline';
import { VisibleError } from '../visibleError';
import { entraTypes } from './entra';
import { completed, importableTypes } from './types';

/** What the engine puts where a value is not known in a preview (pulumi sdk/go/common/resource/plugin/rpc.go). */
export const unknownValue = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** What it puts where a value is secret. */
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

/** What the next update would do with one resource. */
export type Step = z.infer<typeof step>;

/** A resource that the next update would create. */
export type Create = z.infer<typeof newState> & { urn: string };

const previewOutput = z.object({
  steps: z.array(step).default([]),
  /** Number of steps by operation, also of those that are not listed. */
  changeSummary: z.record(z.string(), z.number()).default({}),
});

/** Reads what `pulumi preview --json` printed; notes of the program may stand before it. */
export function parsePreview(stdout: string): z.infer<typeof previewOutput> {
  return previewOutput.parse(JSON.parse(stdout.slice(stdout.indexOf('{'))));
}

/** The resources that would be created, in the order in which the program registers them. */
export function createsOf(steps: readonly Step[]): Create[] {
  return steps.flatMap(({ op, urn, newState: state }) =>
    op !== 'create' || state === undefined || typeOf(urn) === 'pulumi:pulumi:Stack'
      ? []
      : [{ urn, ...state }],
  );
}

/** The resource's own type of `urn:pulumi:<stack>::<project>::<parents' types>$<type>::<name>`. */
export function typeOf(urn: string): string {
  return urn.split('::')[2]?.split('$').at(-1) ?? '';
}

export function nameInUrn(urn: string): string {
  return urn.split('::').slice(3).join('::');
}

/** A resource that would be created in Azure or Entra. */
export interface Candidate extends Create {
  /** Resource id; undefined in Entra, and while an input that it is made of is not known. */
  id: string | undefined;
}

/**
 * The resources that would be created in Azure or Entra.
 * @param subscription the one of providers that name none
 * @throws VisibleError if that is needed and not known: nothing would be found, as if nothing existed
 */
export function candidatesOf(steps: readonly Step[], subscription: string | undefined): Candidate[] {
  const inputs = new Map(steps.map(({ urn, newState: state }) => [urn, state?.inputs]));
  return createsOf(steps).flatMap((create): Candidate[] => {
    const token = typeOf(create.urn);
    if (token in entraTypes) return [{ ...create, id: undefined }];
    const type = importableTypes[token];
    if (type === undefined) return [];
    const provider = inputs.get(create.provider?.split('::').slice(0, 4).join('::') ?? '');
    const pending = isUnknown(provider?.['subscriptionId']);
    const own = pending ? undefined : (textAt(provider, 'subscriptionId') ?? subscription);
    if (own === undefined && !pending && type.id.includes('{subscriptionId}')) {
      throw new VisibleError(
        'The subscription that the stack is deployed to is not known, so nothing can be looked for in Azure.',
        'Set ARM_SUBSCRIPTION_ID (or `pulumi config set azure-native:subscriptionId <id>`), or select one with `az account set --subscription <id>`.',
      );
    }
    const id = completed(type.id, (path) =>
      path === 'subscriptionId' ? own : (textAt(create.inputs, path) ?? parentsName(create, path, inputs)),
    );
    return [{ ...create, id }];
  });
}

/**
 * The name of a parent in Azure (`resourceGroupName`, `vaultName`) that would be created as well: a preview does not know
 * its outputs, but its inputs, where the name has the same key.
 */
function parentsName(
  { propertyDependencies }: Create,
  key: string,
  inputs: ReadonlyMap<string, Inputs | undefined>,
): string | undefined {
  const parent = propertyDependencies?.[key]?.find((urn) =>
    importableTypes[typeOf(urn)]?.id.endsWith(`{${key}}`),
  );
  return parent === undefined ? undefined : textAt(inputs.get(parent), key);
}

/** A known text among inputs, by path. */
export function textAt(inputs: Inputs | undefined, path: string): string | undefined {
  const value = valueAt(inputs, path.split('.'));
  return typeof value === 'string' && !isUnknown(value) && value !== secretValue ? value : undefined;
}

export function isUnknown(value: unknown): boolean {
  return typeof value === 'string' && value.includes(unknownValue);
}
