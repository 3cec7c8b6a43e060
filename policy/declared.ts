import { withoutVersion, type Registered } from '../stacks/access/registered';
import type { Declared } from './rules/rule';

/** A resource as the engine passes it to policies. */
export interface Shown {
  readonly urn: string;
  readonly name: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** Unset for a component. */
  readonly provider?: unknown;
}

/** Reads the types of a resource and of its parent components from its URN. */
export function declared({ urn, name, props: properties, provider }: Shown): Declared {
  const types = (urn.split('::')[2] ?? '').split('$').map(withoutVersion);
  return {
    type: types.at(-1) ?? '',
    name,
    isCustom: provider !== undefined,
    within: types.slice(0, -1),
    properties,
  };
}

/** Returns the properties without the values that are still unknown, at any depth. */
export function knownIn(
  props: Shown['props'],
  known: (value: () => unknown) => unknown,
): Readonly<Record<string, unknown>> {
  const deep = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((_, index) => deep(known(() => value[index] as unknown)));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.keys(value).map((key) => [key, deep(known(() => Reflect.get(value, key) as unknown))]),
    );
  };
  return deep(props) as Shown['props'];
}

/** A resource with its dependencies, as the engine shows it. */
export interface ShownWithSources extends Shown {
  readonly provider?: { readonly urn?: string } | undefined;
  readonly propertyDependencies?: Readonly<Record<string, readonly { readonly urn: string }[]>> | undefined;
}

/** Converts a resource for the access analysis. @param known returns undefined for a value that is still unknown */
export function registered(
  { urn, props, provider, propertyDependencies = {} }: ShownWithSources,
  known: (value: () => unknown) => unknown,
): Registered {
  const inputs = knownIn(props, known);
  return {
    ...{ urn, inputs, outputs: inputs, provider: provider?.urn },
    id: typeof inputs.id === 'string' ? inputs.id : undefined,
    sources: Object.fromEntries(
      Object.entries(propertyDependencies).map(([key, resources]) => [
        key,
        resources.map((resource) => resource.urn),
      ]),
    ),
  };
}
