import { z } from 'zod';
import { VisibleError } from '../visibleError';
import { member } from '../member';
import { importableType, idInputs, resourceIdOf } from './types';

/** What the engine puts where a value is not known in a preview (pulumi sdk/go/common/resource/plugin/rpc.go). */
export const unknownValue = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** What it puts where a value is secret. */
export const secretValue = '[secret]';

export type Inputs = Readonly<Record<string, unknown>>;

/** A resource that the next update would make. */
export interface PlannedCreate {
  urn: string;
  /** Type token of the resource itself. */
  type: string;
  /** Name in the stack. */
  name: string;
  /** False of a component. */
  custom: boolean;
  /** URN of the parent; undefined if that is the stack. */
  parent: string | undefined;
  /** URN of the provider; undefined of a component. */
  provider: string | undefined;
  inputs: Inputs;
  /** URNs of what each input comes from. */
  sources: Readonly<Record<string, readonly string[]>>;
}

const preview = z.object({
  config: z.record(z.string(), z.unknown()).default({}),
  steps: z
    .array(
      z.object({
        op: z.string(),
        urn: z.string(),
        oldState: z
          .object({ id: z.string().optional(), retainOnDelete: z.boolean().default(false) })
          .optional(),
        newState: z
          .object({
            custom: z.boolean().default(false),
            parent: z.string().optional(),
            provider: z.string().optional(),
            inputs: z.record(z.string(), z.unknown()).default({}),
            outputs: z.record(z.string(), z.unknown()).nullish(),
            propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).nullish(),
          })
          .optional(),
      }),
    )
    .default([]),
});

/** What a preview says. */
export interface Preview {
  creates: PlannedCreate[];
  /** Inputs of every resource that it names, by URN. */
  inputs: ReadonlyMap<string, Inputs>;
  /** Operations that change or replace what the stack has, by URN. */
  changes: ReadonlyMap<string, string>;
  /** URN of what would be deleted in Azure, by its resource id in lower case. */
  deletes: ReadonlyMap<string, string>;
  /** The stack's configuration, with its namespaces. */
  config: Readonly<Record<string, unknown>>;
  /** What the stack would give, as far as the preview tells. */
  outputs: Inputs;
}

const stackType = 'pulumi:pulumi:Stack';

/** Reads what `pulumi preview --json` printed; notes of the program may stand before it. */
export function parsePreview(stdout: string): Preview {
  const { steps, config } = preview.parse(JSON.parse(stdout.slice(stdout.indexOf('{'))));
  const creates = steps.flatMap(({ op, urn, newState }): PlannedCreate[] => {
    const type = typeOf(urn);
    if (op !== 'create' || newState === undefined || type === stackType) return [];
    const { custom, parent, provider, inputs, propertyDependencies } = newState;
    return [
      {
        urn,
        type,
        name: nameOf(urn),
        custom,
        parent: parent === undefined || typeOf(parent) === stackType ? undefined : parent,
        // <URN>::<id>
        provider: provider?.split('::').slice(0, 4).join('::'),
        inputs,
        sources: Object.fromEntries(
          Object.entries(propertyDependencies ?? {}).map(([key, urns]) => [key, urns ?? []]),
        ),
      },
    ];
  });
  return {
    creates,
    inputs: new Map(
      steps.flatMap(({ urn, newState }) => (newState === undefined ? [] : [[urn, newState.inputs]])),
    ),
    changes: new Map(
      steps.flatMap(({ op, urn }) => (['same', 'create', 'read'].includes(op) ? [] : [[urn, op]])),
    ),
    deletes: new Map(
      steps.flatMap(({ op, urn, oldState }): [string, string][] =>
        ['delete', 'delete-replaced'].includes(op) && oldState?.id !== undefined && !oldState.retainOnDelete
          ? [[oldState.id.toLowerCase(), urn]]
          : [],
      ),
    ),
    config,
    outputs: steps.find(({ urn }) => typeOf(urn) === stackType)?.newState?.outputs ?? {},
  };
}

/** The resource's own type of `urn:pulumi:<stack>::<project>::<types>$<type>::<name>`. */
export function typeOf(urn: string): string {
  return urn.split('::')[2]?.split('$').at(-1) ?? '';
}

export function nameOf(urn: string): string {
  return urn.split('::').slice(3).join('::');
}

/** A resource that the next update would make, with the id that it would have in Azure. */
export interface Candidate {
  create: PlannedCreate;
  /** Undefined while it is made of what is not known before something else is in the stack. */
  id: string | undefined;
}

/**
 * Those of the creates that would be in Azure.
 * @param subscription the one of providers that do not say theirs
 * @throws VisibleError if that is needed and not known: nothing would be found, which looks as if nothing were there
 */
export function candidatesOf(
  { creates, inputs }: Pick<Preview, 'creates' | 'inputs'>,
  subscription: string | undefined,
): Candidate[] {
  return creates.flatMap((create): Candidate[] => {
    const type = importableType(create.type);
    if (type === undefined) return [];
    const provider = create.provider === undefined ? undefined : inputs.get(create.provider);
    const later = isUnknown(provider?.subscriptionId);
    const own = later ? undefined : (textAt(provider, 'subscriptionId') ?? subscription);
    if (own === undefined && !later && type.id.includes('{subscriptionId}')) throw subscriptionUnknown();
    const id = resourceIdOf(type, (path) =>
      path === 'subscriptionId' ? own : (textAt(create.inputs, path) ?? nameOfSource(create, path, inputs)),
    );
    return [{ create, id }];
  });
}

function subscriptionUnknown(): VisibleError {
  return new VisibleError(
    'Which subscription the stack is deployed to is not known, so nothing can be looked for in Azure.',
    'Set ARM_SUBSCRIPTION_ID (or `pulumi config set azure-native:subscriptionId <id>`), or select one with `az account set --subscription <id>`.',
  );
}

/**
 * The name of what an input comes from: a preview does not tell the name of a resource that is not there yet, but its
 * inputs do.
 */
function nameOfSource(
  { sources }: PlannedCreate,
  path: string,
  inputs: ReadonlyMap<string, Inputs>,
): string | undefined {
  for (const source of sources[path] ?? []) {
    const type = importableType(typeOf(source));
    const own = type === undefined ? undefined : idInputs(type).at(-1);
    // Names that children have in the same input as their parents: `resourceGroupName`, `vaultName`.
    if (own === path) return textAt(inputs.get(source), own);
  }
  return undefined;
}

/** A known text among inputs, by path. */
export function textAt(inputs: Inputs | undefined, path: string): string | undefined {
  const value = member(inputs, ...path.split('.'));
  return typeof value === 'string' && !isUnknown(value) && value !== secretValue ? value : undefined;
}

export function isUnknown(value: unknown): boolean {
  return typeof value === 'string' && value.includes(unknownValue);
}
